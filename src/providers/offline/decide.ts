import { InvalidRequestError } from "../../errors.ts";
import type { ModelRequest, ToolSpec } from "../../model/types.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { chooseTools } from "./choose-tool.ts";
import { type OfflineConversation, provider } from "./conversation.ts";
import { callOrAsk, callWith, type OfflineDecision } from "./decision.ts";
import { fillArguments } from "./fill-arguments.ts";
import { agentTarget, asksForPerson, handoffTarget, isGeneralHandoff, isHandoff } from "./handoffs.ts";
import { takeAnswer } from "./take-answer.ts";
import { isEmptyWord, sentenceWords } from "./vocabulary.ts";
import { wordAbilities, wordResults } from "./wording.ts";

/** The name the model goes by. */
export const modelId = "keyword-rules";

/**
 * Decides what the model does: calls what is demanded, words what tools gave back, else answers the user.
 * @throws InvalidRequestError if `toolChoice` names a tool that is not among the tools.
 */
export function decide(request: ModelRequest, conversation: OfflineConversation): OfflineDecision {
  const { toolChoice: choice = "auto", tools: all = [] } = request;
  const tools = choice === "none" ? [] : all;
  const demanded = demandedTools(choice, tools, conversation);
  if (demanded.length > 0) return mustCall(demanded, conversation, request);
  const results = conversation.made.flatMap(({ isHandoff, result }) =>
    result && (!isHandoff || result.isError) ? result : [],
  );
  if (results.length === 0) return answerTo(tools, conversation, request);
  return remainingCalls(tools, conversation, request) ?? { kind: "say", text: wordResults(results) };
}

/** The tools of which one has to be called; none once that is done. */
function demandedTools(
  choice: ModelRequest["toolChoice"],
  tools: readonly ToolSpec[],
  conversation: OfflineConversation,
): readonly ToolSpec[] {
  if (choice === "required") return tools.filter((tool) => isOpen(tool, conversation));
  if (typeof choice !== "object") return [];
  const tool = tools.find(({ name }) => name === choice.tool);
  if (tool) return isOpen(tool, conversation) ? [tool] : [];
  const names = tools.map(({ name }) => name).join(", ") || "none";
  throw new InvalidRequestError(`toolChoice names the tool "${choice.tool}", but the tools are: ${names}.`, {
    provider,
    modelId,
  });
}

/**
 * Whether a tool has not been called for this message. A handoff goes to nobody who has had the lead since either:
 * that would go back and forth.
 */
function isOpen(tool: ToolSpec, { made, agents }: OfflineConversation): boolean {
  if (made.some(({ call }) => call.toolName === tool.name)) return false;
  return !isHandoff(tool) || agents.every((agent) => agentTarget(agent) !== handoffTarget(tool.name));
}

/** Where a call is demanded, the likeliest tool is called with what is known; its checks tell what is wrong. */
function mustCall(
  tools: readonly ToolSpec[],
  { request: text, question }: OfflineConversation,
  request: ModelRequest,
): OfflineDecision {
  const missing = (tool: ToolSpec): number => fillArguments(text, tool).missing.length;
  const easiest = tools.toSorted((a, b) => missing(a) - missing(b))[0];
  const tool = chooseTools(text, tools)[0]?.tool ?? easiest;
  if (!tool) return { kind: "say", text: wordAbilities(tools, unfit) };
  const filling = fillArguments(text, tool, knownFor(tool, question));
  const more = filling.missing.length > 0 ? [] : filling.more;
  return callWith(tool, [filling.arguments, ...more], request);
}

function knownFor(tool: ToolSpec, question: OfflineConversation["question"]): JsonObject {
  return question?.toolName === tool.name ? question.arguments : {};
}

/** The calls that a list in the request ("Paris and London") asks for beyond those made; nothing is called twice. */
function remainingCalls(
  tools: readonly ToolSpec[],
  { made, request: text, question }: OfflineConversation,
  request: ModelRequest,
): OfflineDecision | undefined {
  const last = made.findLast(({ isHandoff }) => !isHandoff);
  const tool = tools.find(({ name }) => name === last?.call.toolName);
  if (!tool || last?.result?.isError) return undefined;
  const { arguments: first, more, missing } = fillArguments(text, tool, knownFor(tool, question));
  const done = new Set(
    made.filter(({ call }) => call.toolName === tool.name).map(({ call }) => call.arguments),
  );
  const planned = missing.length > 0 ? [] : [first, ...more];
  const open = planned.filter((args) => !done.has(JSON.stringify(args)));
  return open.length > 0 && open.length < planned.length ? callWith(tool, open, request) : undefined;
}

function answerTo(
  tools: readonly ToolSpec[],
  conversation: OfflineConversation,
  request: ModelRequest,
): OfflineDecision {
  const { request: text, question, made } = conversation;
  const asked = question && tools.find(({ name }) => name === question.toolName);
  const answered = asked && made.length === 0 && takeAnswer(text, asked, question, tools, request);
  if (answered) return answered;
  const handoffs = tools.filter((tool) => isHandoff(tool) && isOpen(tool, conversation));
  const own = asksForPerson(text) ? [] : tools.filter((tool) => !isHandoff(tool));
  const [best] = chooseTools(text, [...own, ...handoffs]);
  // Where nothing fits, whoever is there for anything else; not if the message was just handed over.
  const canPassOn = made.length === 0 && !isSmallTalk(text);
  const tool = best?.tool ?? (canPassOn ? handoffs.find(isGeneralHandoff) : undefined);
  if (tool) return callOrAsk(tool, text, {}, request);
  return { kind: "say", text: wordUnfit(text, tools, made.length > 0) };
}

const unfit = "I found no tool that fits.";

function wordUnfit(text: string, tools: readonly ToolSpec[], isHandedOver: boolean): string {
  if (/\bthank/iu.test(text) && isSmallTalk(text)) return "You are welcome.";
  const isGreeting = isSmallTalk(text) || (isHandedOver && asksForPerson(text));
  return wordAbilities(tools, isGreeting ? "Hello." : unfit);
}

function isSmallTalk(text: string): boolean {
  return sentenceWords(text).every((word) => isEmptyWord(word) || word === "help");
}
