import type { ApprovalDecision } from "../../message/run-state.ts";
import { quoteName } from "../text.ts";
import type { Questions } from "./dispatch-inputs.ts";
import { type ApprovalRequested, argumentPages } from "./request-text.ts";

/** How to ask a person. */
export interface Asking {
  readonly questions: Questions;
  /** Shows words that anybody may have written: nothing in them drives the terminal, or passes for another line of the chat. */
  readonly show: (question: string) => void;
  /** Told of an answer that was not typed below its question. */
  readonly echo: (answer: string, early: boolean) => void;
  /** Whether the person is about to leave, and answers nothing more. */
  readonly isLeaving: () => boolean;
}

/**
 * Asks about one call after the other. "y" and "yes" approve; "n", "no" and the end of the input deny; any other words deny,
 * and are the reason. A call is not approved before all of its arguments have been shown: "more" shows the next of them.
 * `undefined` if the person leaves instead.
 */
export async function decideAll(
  requests: readonly ApprovalRequested[],
  asking: Asking,
): Promise<readonly ApprovalDecision[] | undefined> {
  const decisions: ApprovalDecision[] = [];
  for (const request of requests) {
    const answer = await askAbout(request, asking);
    if (asking.isLeaving()) return undefined;
    decisions.push({ approvalId: request.approvalId, ...decisionOf(answer) });
  }
  return decisions;
}

async function askAbout(request: ApprovalRequested, asking: Asking): Promise<string | undefined> {
  const [, ...unseen] = argumentPages(request);
  const question = `Approve ${quoteName(request.toolCall.toolName)}?`;
  return askWhenShown({ question, about: "its arguments", otherwise: "n, or why not", unseen }, asking);
}

/** A question about a text that may be too long to be shown at once. */
interface LongQuestion {
  readonly question: string;
  /** What the pages are of, such as `its arguments`. */
  readonly about: string;
  /** What may be answered instead of yes. */
  readonly otherwise: string;
  /** The pages that have not been shown. */
  readonly unseen: readonly string[];
}

/** Asks until an answer comes that is not "more". Before the last page has been shown, "yes" shows the next one, too. */
export async function askWhenShown(
  { question, about, otherwise, unseen: pages }: LongQuestion,
  asking: Asking,
): Promise<string | undefined> {
  const unseen = [...pages];
  for (;;) {
    const [next] = unseen;
    const left = unseen.reduce((sum, page) => sum + page.length, 0);
    const answer = await ask(
      next === undefined
        ? `${question} (y, or ${otherwise})`
        : `${question} ${left} characters of ${about} are still to be shown. (more, or ${otherwise})`,
      asking,
    );
    if (next === undefined || answer === undefined || !/^(?:m(?:ore)?|y(?:es)?)$/i.test(answer))
      return answer;
    asking.show(next);
    unseen.shift();
  }
}

/** Asks for a line that says something; `undefined` at the end of the input, and once nobody wants to know any more. */
export async function ask(question: string, { questions, show, echo }: Asking): Promise<string | undefined> {
  const line = await questions.ask(() => show(question));
  if (!line) return undefined;
  const text = line.text.trim();
  echo(text, line.early);
  return text;
}

function decisionOf(answer: string | undefined): Pick<ApprovalDecision, "decision" | "reason"> {
  if (answer === undefined) return { decision: "deny", reason: "Nobody answered." };
  if (/^y(es)?$/i.test(answer)) return { decision: "approve" };
  return /^no?$/i.test(answer) ? { decision: "deny" } : { decision: "deny", reason: answer };
}
