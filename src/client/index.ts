export { connect } from "./connect.ts";
export { SkeinClientError } from "./client-error.ts";
export type { ClientErrorDetails } from "./client-error.ts";
export type {
  Client,
  ConnectOptions,
  FollowOptions,
  RemoteAgent,
  RemoteApp,
  RemoteEvent,
  RemoteInput,
  RemoteResult,
  RemoteRun,
  RemoteRunEnd,
  RemoteRunInfo,
  RemoteSession,
  RequestHeaders,
  ServerEvent,
  StartOptions,
  TurnRestart,
} from "./types.ts";
