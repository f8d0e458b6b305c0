import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import type { ApprovalDecision } from "../../message/run-state.ts";
import type { ToolCall } from "../../message/messages.ts";
import type { RunEvent } from "../../run/types.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { argumentPages } from "../chat/request-text.ts";
import type { Editor } from "./editor.ts";
import { codeBlock } from "./markdown.ts";
import { Refusal } from "./refusal.ts";
import { describeCall, type Card } from "./tool-cards.ts";
import { textContent } from "./tool-content.ts";

/** A call that waits for the user. */
export type ApprovalRequested = Extract<RunEvent, { readonly type: "approval-request" }>;

const options: RequestPermissionRequest["options"] = [
  { optionId: "allow", name: "Allow", kind: "allow_once" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

/**
 * Asks about all calls that wait, at once.
 * @returns what was decided: fewer decisions than calls where a question was dismissed, and none if the turn was cancelled. The other calls
 * still wait then.
 * @throws Refusal if the editor cannot ask: nothing is decided then.
 */
export async function askAboutAll(
  requests: readonly { readonly request: ApprovalRequested; readonly card: Card }[],
  editor: Pick<Editor, "ask">,
  signal: AbortSignal,
): Promise<readonly ApprovalDecision[]> {
  const decisions = await Promise.all(
    requests.map(async ({ request, card }) => {
      const { approvalId, toolCall, input } = request;
      const call: ToolCall = { ...toolCall, arguments: JSON.stringify(input) ?? "" };
      const content = argumentPages(request).map((page) => textContent(codeBlock(page)));
      const outcome = await outcomeOf(
        editor.ask({ toolCall: { ...describeCall(card, call), content }, options }, signal),
        signal,
      );
      return outcome && { approvalId, ...outcome };
    }),
  );
  return signal.aborted ? [] : decisions.filter((decision) => decision !== undefined);
}

type Outcome = Pick<ApprovalDecision, "decision" | "reason"> | undefined;

async function outcomeOf(response: Promise<unknown>, signal: AbortSignal): Promise<Outcome> {
  try {
    const answer = await response;
    return signal.aborted ? undefined : readAnswer(answer);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error instanceof Refusal
      ? error
      : failure(`The editor could not ask for permission: ${errorMessage(error)}.`);
  }
}

/**
 * What the user has decided; `undefined` where the question was dismissed. Nothing but a selected option is a decision.
 * @throws Refusal for what is not an answer.
 */
function readAnswer(answer: unknown): Outcome {
  const outcome = isPlainObject(answer) ? answer.outcome : undefined;
  if (isPlainObject(outcome) && outcome.outcome === "cancelled") return undefined;
  if (!isPlainObject(outcome) || outcome.outcome !== "selected")
    throw failure(
      'The editor\'s answer to the request for permission could not be read: its outcome must be "selected" or "cancelled".',
    );
  if (outcome.optionId === "allow") return { decision: "approve" };
  if (outcome.optionId === "reject") return { decision: "deny" };
  return { decision: "deny", reason: "The editor answered with none of the options." };
}

function failure(message: string): Refusal {
  return new Refusal("failed", `${message} The call waits: /continue asks again.`, {
    code: "permission-failed",
  });
}
