import type { ApprovalDecision } from "../../message/run-state.ts";
import type { RunEvent } from "../../run/types.ts";
import type { Lines } from "./lines.ts";
import { shorten } from "../text.ts";

/** What a run asks a person. */
export type ApprovalRequested = Extract<RunEvent, { readonly type: "approval-request" }>;

/** How to ask a person. */
export interface Asking {
  readonly lines: Lines;
  /** Shows a question. */
  readonly show: (question: string) => void;
  /** Told of an answer that was not typed below its question. */
  readonly echo: (answer: string, early: boolean) => void;
  /** Whether the person is about to leave, and answers nothing more. */
  readonly isLeaving: () => boolean;
}

/**
 * Asks about one call after the other. "y" and "yes" approve; "n", "no" and the end of the input deny; any other words deny,
 * and are the reason. `undefined` if the person leaves instead.
 */
export async function decideAll(
  requests: readonly ApprovalRequested[],
  asking: Asking,
): Promise<readonly ApprovalDecision[] | undefined> {
  const decisions: ApprovalDecision[] = [];
  for (const { approvalId, toolCall } of requests) {
    asking.show(`Approve ${shorten(toolCall.toolName, 64)}? (y, or n, or why not)`);
    const answer = await nextAnswer(asking);
    if (asking.isLeaving()) return undefined;
    decisions.push({ approvalId, ...decisionOf(answer) });
  }
  return decisions;
}

/** The next line that says something; `undefined` at the end of the input, and once nobody wants to know any more. */
export async function nextAnswer({ lines, echo }: Asking, signal?: AbortSignal): Promise<string | undefined> {
  for (;;) {
    const line = await lines.next(false, signal);
    if (!line) return undefined;
    const text = line.text.trim();
    if (text === "") continue;
    echo(text, line.early);
    return text;
  }
}

function decisionOf(answer: string | undefined): Pick<ApprovalDecision, "decision" | "reason"> {
  if (answer === undefined) return { decision: "deny", reason: "Nobody answered." };
  if (/^y(es)?$/i.test(answer)) return { decision: "approve" };
  return /^no?$/i.test(answer) ? { decision: "deny" } : { decision: "deny", reason: answer };
}
