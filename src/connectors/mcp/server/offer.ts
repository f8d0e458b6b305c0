import { notify, printFailure } from "../../../base/util/callbacks.ts";
import { requestCaller } from "../../../base/util/request-caller.ts";
import type { RequestStateCodec } from "@modelcontextprotocol/server";
import { assertSecret } from "../../../base/options/assert-secret.ts";
import { assertKnownOptions } from "../../../base/options/known-options.ts";
import type { RunResult } from "../../../run/result-types.ts";
import { Lru } from "../../../base/util/lru.ts";
import { OfferedPrompts } from "./prompts.ts";
import { OfferedResources } from "./resources.ts";
import { OfferedTools } from "./offered-tools.ts";
import type { RequestState } from "./request.ts";
import type { Sdk } from "./sdk.ts";
import { stateLife, UsedStates } from "./used-states.ts";
import type { McpRequest, McpServerDefinition } from "./types.ts";

/** How many runs may wait for their client's user, and how many characters of state they may have together. */
const mostPaused = 100;
const mostPausedChars = 50_000_000;

/** What a server offers, made ready once for all of its connections. */
export interface Offer {
  readonly definition: McpServerDefinition;
  readonly tools: OfferedTools;
  readonly resources: OfferedResources;
  readonly prompts: OfferedPrompts;
  readonly approvals: "ask" | "allow";
  readonly model: McpServerDefinition["model"];
  readonly codec: RequestStateCodec<RequestState>;
  readonly usedStates: UsedStates;
  /** Runs of agents that wait for a client's answer. */
  readonly paused: Lru<RunResult>;
  readonly contextOf: (request: McpRequest) => unknown;
  readonly report: (error: Error) => void;
}

const optionNames = {
  tools: true,
  agents: true,
  resources: true,
  prompts: true,
  name: true,
  version: true,
  instructions: true,
  context: true,
  model: true,
  approvals: true,
  stateSecret: true,
  claimState: true,
  onError: true,
} satisfies Record<keyof McpServerDefinition, true>;

/** @throws ConfigurationError for something that is not a tool, and for unknown options; NameClashError if two have the same name. */
export function makeOffer(sdk: Sdk, definition: McpServerDefinition): Offer {
  const { context, approvals = "ask", model, stateSecret, claimState } = definition;
  assertKnownOptions(definition, optionNames, "serveMcp()");
  assertSecret(definition, 32);
  const report = reporterOf(definition);
  return {
    definition,
    tools: new OfferedTools(definition, report),
    resources: new OfferedResources(sdk, definition.resources ?? []),
    prompts: new OfferedPrompts(sdk, definition.prompts ?? []),
    approvals,
    model,
    codec: sdk.createRequestStateCodec<RequestState>({
      key: stateSecret ?? crypto.getRandomValues(new Uint8Array(32)),
      ttlSeconds: stateLife / 1000,
      bind: ({ http }) => http?.authInfo?.clientId ?? "",
    }),
    usedStates: new UsedStates(
      claimState,
      () =>
        new sdk.ProtocolError(
          sdk.ProtocolErrorCode.InvalidParams,
          "The requestState has been used. Send the request again without it.",
        ),
      report,
    ),
    paused: new Lru(mostPaused, mostPausedChars),
    // One for all requests is for those of which nobody knows whose they are.
    contextOf:
      typeof context === "function" ? context : ({ http }) => requestCaller(http)?.context ?? context ?? {},
    report,
  };
}

/** Passes errors to `onError`; what that fails with is printed. */
export function reporterOf({ onError }: McpServerDefinition): (error: Error) => void {
  return (error) =>
    notify(
      () => onError?.(error),
      (failure) => printFailure("onError", failure),
    );
}
