export { serve } from "./serve.ts";
export type {
  AppPage,
  AppSource,
  Authorization,
  Authorized,
  FetchContext,
  Listening,
  ListenOptions,
  NodeRequest,
  NodeResponse,
  ServedAgents,
  ServedProtocol,
  ServeOptions,
  SkeinServer,
  UserLimits,
} from "./types.ts";
