import { exactText } from "../../../base/util/exact-text.ts";
import { requestCaller } from "../../../base/util/request-caller.ts";
import type { Offer } from "./offer.ts";
import type { ServedRequest } from "./request.ts";

/** The most characters of arguments that a person is shown. A call with more is refused: nobody can approve what is not shown. */
const longestShown = 10_000;

/** A box to tick, so that no client accepts it by its defaults. */
const schema = {
  type: "object",
  properties: { approve: { type: "boolean", title: "Approve", description: "Whether the call is made" } },
  required: ["approve"],
};

/**
 * Asks the client's user whether a call is made.
 * @param name of the question.
 * @param args the arguments as JSON.
 * @returns why it is not; nothing if it is.
 */
export async function approve(
  name: string,
  toolName: string,
  args: string,
  request: ServedRequest,
  { approvals }: Offer,
): Promise<string | undefined> {
  if (approvals === "allow") return undefined;
  if (requestCaller(request.http)?.decide === false)
    return "it needs a person's approval, which the user of this client may not give.";
  if (!request.can.elicit)
    return "it needs a person's approval, and this client cannot ask for it (it has no elicitation).";
  const visibleArguments = exactText(args);
  if (visibleArguments.length > longestShown)
    return `it needs a person's approval, and its arguments are too long to be shown: ${visibleArguments.length} characters. Use at most ${longestShown}.`;
  const answer = await request.approve(name, {
    message: `Call ${toolName} with ${visibleArguments}?`,
    schema,
  });
  if (answer.action === "accept" && answer.content?.["approve"] === true) return undefined;
  return "the user did not approve it.";
}
