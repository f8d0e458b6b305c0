import type { StopReason } from "@agentclientprotocol/sdk";
import type { RunStatus } from "../../message/run-state.ts";
import type { RunResult } from "../../run/result-types.ts";
import { quoteName } from "../text.ts";
import { Refusal } from "./refusal.ts";

type End = StopReason | ((result: RunResult) => StopReason);

const ends: Readonly<Record<RunStatus, End>> = {
  completed: "end_turn",
  cancelled: "cancelled",
  "max-turns": "max_turn_requests",
  "max-tool-calls": "max_turn_requests",
  budget: "max_tokens",
  blocked: "refusal",
  incomplete: incompleteReason,
  repeating: () => {
    throw failure("repeating", "The model went on making the same call, with the same result every time.");
  },
  corrections: () => {
    throw failure("corrections", "The model went on calling a tool wrongly, however often it was corrected.");
  },
  paused: ({ pending }) => {
    const names = pending.map(({ toolName }) => quoteName(toolName)).join(", ");
    throw failure("paused", `Calls wait for results that come from elsewhere: ${names}.`);
  },
};

/**
 * Why a turn has ended, in the words of the protocol.
 * @throws Refusal for an end that the protocol has no word for.
 */
export function stopReasonOf(result: RunResult): StopReason {
  const end = ends[result.status];
  return typeof end === "string" ? end : end(result);
}

function incompleteReason({ finishReason, rawFinishReason }: RunResult): StopReason {
  if (finishReason === "length") return "max_tokens";
  if (finishReason === "content-filter") return "refusal";
  const reason = rawFinishReason === undefined ? "" : ` (${rawFinishReason})`;
  throw failure("incomplete", `The model did not finish its answer${reason}. /continue tries again.`);
}

function failure(code: string, message: string): Refusal {
  return new Refusal("failed", message, { code });
}
