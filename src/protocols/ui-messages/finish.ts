import type { Usage } from "../../message/messages.ts";
import type { RunStatus } from "../../message/run-state.ts";
import type { UIFinishReason } from "./chunks.ts";
import type { MessageMetadata } from "./ui-message.ts";

/** Why a message ends whose run has stopped. */
export function finishReasonOf(status: RunStatus, reason: string | undefined): UIFinishReason {
  if (status === "paused") return "tool-calls";
  if (status === "blocked") return "content-filter";
  // A completed run has no more calls, even if its last answer is one that took the output.
  if (status === "completed") return reason === "tool-calls" ? "stop" : plainReason(reason);
  return status === "incomplete" ? plainReason(reason) : "other";
}

function plainReason(reason: string | undefined): UIFinishReason {
  const isPlain =
    reason === "stop" || reason === "length" || reason === "content-filter" || reason === "error";
  return isPlain ? reason : "other";
}

/** What the end of a message says of its run. */
export function metadataOf(result: {
  readonly status: RunStatus;
  readonly agent: string | { readonly name: string };
  readonly usage: Usage;
}): MessageMetadata {
  const { status, agent } = result;
  return { agent: typeof agent === "string" ? agent : agent.name, status, usage: usageOf(result.usage) };
}

/** Figures that were not reported are left out, as JSON does. */
function usageOf(usage: Usage): NonNullable<MessageMetadata["usage"]> {
  const { inputTokens, outputTokens, totalTokens, ...others } = usage;
  return {
    ...others,
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(totalTokens !== undefined && { totalTokens }),
  };
}
