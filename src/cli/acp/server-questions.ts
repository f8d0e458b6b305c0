import type { ElicitationHandler, ElicitationRequest } from "../../connectors/mcp/client/questions.ts";
import type { McpElicitationAnswer } from "../../connectors/mcp/server/types.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { shorten } from "../text.ts";
import type { Editor } from "./editor.ts";

/** Has the editor ask its user what a server wants to know, as far as it can; `undefined` if it cannot. */
export function questionsOf({ questions, elicit }: Editor): ElicitationHandler | undefined {
  if (!questions.form && !questions.url) return undefined;
  return async (request) => {
    if (!questions[request.mode]) return { action: "decline" };
    try {
      return readAnswer(await elicit(toQuestion(request), request.signal));
    } catch {
      return { action: "cancel" };
    }
  };
}

/** Says which server it is: it is not the agent that asks. */
function toQuestion(request: ElicitationRequest): Readonly<Record<string, unknown>> {
  const message = `The server ${shorten(request.server, 64)} asks: ${request.message}`;
  if (request.mode === "form") return { mode: "form", message, requestedSchema: request.schema };
  return { mode: "url", message, url: request.url, elicitationId: crypto.randomUUID() };
}

function readAnswer(answer: unknown): McpElicitationAnswer {
  if (!isPlainObject(answer)) return { action: "cancel" };
  const { action, content } = answer;
  if (action === "accept") return { action, ...(isPlainObject(content) && { content }) };
  return { action: action === "decline" ? "decline" : "cancel" };
}
