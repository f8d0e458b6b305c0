import type { ModelRequest, ToolSpec } from "../../model/types.ts";
import { chooseTools, namesForeign } from "./choose-tool.ts";
import type { Question } from "./conversation.ts";
import { callOrAsk, type OfflineDecision } from "./decision.ts";
import { fillArguments } from "./fill-arguments.ts";
import type { Parameter } from "./parameters.ts";
import { senseOf } from "./parameter-sense.ts";
import { isQuestion, requestVerb } from "./query.ts";
import { toolEntry } from "./tool-entry.ts";

/** Reads the user's message as the answer to a question; `undefined` if it is not one. */
export function takeAnswer(
  text: string,
  tool: ToolSpec,
  question: Question,
  tools: readonly ToolSpec[],
  request: ModelRequest,
): OfflineDecision | undefined {
  if (/^\s*(?:no|nope|never\s?mind|cancel|forget (?:it|about it)|stop|nothing)\b[\s\p{P}]*$/iu.test(text)) {
    return { kind: "say", text: "All right, I will leave it." };
  }
  const [parameter, ...others] = fillArguments("", tool, question.arguments).missing;
  if (!parameter) return undefined;
  if (isUnsure(text)) return callOrAsk(tool, "", question.arguments, request);
  const isText = others.length === 0 && acceptsText(parameter, text.trim());
  if (!isText && requestsOther(text, tool, tools)) return undefined;
  const { missing, valueCount } = fillArguments(text, tool, question.arguments);
  // "Book 2" is an answer, though other tools have to do with books.
  const isValue = missing.length <= others.length && valueCount > 0 && isBare(text, tool, tools);
  if (!isValue && isElsewhere(text, tool, tools, isText)) return undefined;
  if (missing.length <= others.length) return callOrAsk(tool, text, question.arguments, request);
  if (isQuestion(text)) return undefined;
  const collected = isText ? { ...question.arguments, [parameter.name]: text.trim() } : question.arguments;
  return callOrAsk(tool, "", collected, request);
}

/** Whether a whole message is the value of a parameter: a text, a short name, or an identifier of one word. */
function acceptsText(parameter: Parameter, text: string): boolean {
  const { type, options, accepts } = parameter;
  if (type !== "string" || options.length > 0 || !accepts(text)) return false;
  const wordCount = text.split(/\s+/u).length;
  const sense = senseOf(parameter);
  if (sense === "text") return true;
  if (sense === "name" || sense === "recipient") return wordCount <= 4;
  return (sense === "code" || sense === "path") && wordCount === 1;
}

/** Whether a text is a value without a request: no question, and no verb of another tool. */
function isBare(text: string, tool: ToolSpec, tools: readonly ToolSpec[]): boolean {
  if (isQuestion(text) || text.trim().split(/\s+/u).length > 4) return false;
  const verb = requestVerb(text);
  return tools.every(
    (other, index) => other === tool || !verb.some((form) => toolEntry(other, index).verbs.has(form)),
  );
}

function isUnsure(text: string): boolean {
  return /^\W*(?:(?:i|we)\s+(?:do not|don['’]?t|cannot|can['’]?t)\s+(?:know|remember|say|tell|find|have)\b|(?:no idea|not sure|dunno|idk|why|huh|what do you mean)\b)/iu.test(
    text,
  );
}

/** Whether the text begins with a verb that stands for something else to do, such as "refund": an agent with a tool for it may be another. */
function requestsOther(text: string, tool: ToolSpec, tools: readonly ToolSpec[]): boolean {
  const [verb, ...ideas] = requestVerb(text);
  if (verb === undefined || ideas.length === 0) return false;
  const { verbs, nameStems } = toolEntry(tool, tools.indexOf(tool));
  // "Item 2" and "book 2" name what the tool is about.
  return [verb, ...ideas].every((form) => !verbs.has(form) && !nameStems.includes(form));
}

/** Whether the text requests another tool. If any text could be the answer, it must name that tool. */
function isElsewhere(text: string, tool: ToolSpec, tools: readonly ToolSpec[], isText: boolean): boolean {
  const [best] = chooseTools(text, tools);
  if (best) return best.tool !== tool && best.evidence >= (isText ? 0.9 : 0.6);
  return !isText && namesForeign(text, tools);
}
