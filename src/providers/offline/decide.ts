import { InvalidRequestError } from "../../errors.ts";
import type { ModelRequest, ToolSpec } from "../../model/types.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { absentThing } from "./absence.ts";
import { chooseTools, type Fit, threshold } from "./choose-tool.ts";
import { type OfflineConversation, provider } from "./conversation.ts";
import { callOrAsk, callWith, type OfflineDecision } from "./decision.ts";
import { fillArguments } from "./fill-arguments.ts";
import { agentTarget, asksForPerson, handoffTarget, isGeneralHandoff, isHandoff } from "./handoffs.ts";
import { asksAboutEvent } from "./query.ts";
import { isActor, isReader } from "./tool-entry.ts";
import { takeAnswer } from "./take-answer.ts";
import { isEmptyWord, sentenceWords } from "./vocabulary.ts";
import { wordAbilities, wordAbsence, wordChoice, wordOffer, wordResults } from "./wording.ts";

/** The `modelId` of the offline model. */
export const modelId = "keyword-rules";

/**
 * Decides on the next step: a call that `toolChoice` requires, an answer from the results of tools, or an answer to the user.
 * @throws InvalidRequestError if `toolChoice` names a tool that is not among the tools.
 */
export function decide(request: ModelRequest, conversation: OfflineConversation): OfflineDecision {
  const { toolChoice: choice = "auto", tools: all = [] } = request;
  const tools = choice === "none" ? [] : all;
  const demanded = demandedTools(choice, tools, conversation);
  if (demanded.length > 0) return mustCall(demanded, conversation, request);
  const results = conversation.recentCalls.flatMap(({ isHandoff, result }) =>
    result && (!isHandoff || result.isError) ? result : [],
  );
  if (results.length === 0) return answerTo(tools, conversation, request);
  return (
    remainingCalls(tools, conversation, request) ?? {
      kind: "say",
      text: withAbsence(conversation, tools, wordResults(results)),
    }
  );
}

/** Says first if the user asks for something in particular that is not among what a tool has listed. */
function withAbsence(
  { request, recentCalls }: OfflineConversation,
  tools: readonly ToolSpec[],
  answer: string,
): string {
  const last = recentCalls.findLast(({ isHandoff }) => !isHandoff);
  const tool = tools.find(({ name }) => name === last?.call.toolName);
  if (!tool || !last?.result || last.result.isError || !isReader(tool)) return answer;
  const thing = absentThing(request, tool, answer);
  return thing === undefined ? answer : `${wordAbsence(thing)}\n${answer}`;
}

/** The tools of which one must be called; none once that has happened. */
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
 * Whether a tool has not been called for this message. A handoff to an agent that has had a turn since is not open either, since
 * agents would hand off back and forth.
 */
function isOpen(tool: ToolSpec, { recentCalls, agents }: OfflineConversation): boolean {
  if (recentCalls.some(({ call }) => call.toolName === tool.name)) return false;
  return !isHandoff(tool) || agents.every((agent) => agentTarget(agent) !== handoffTarget(tool.name));
}

/** Calls the likeliest tool with the arguments that can be filled. The tool's validation reports what is missing. */
function mustCall(
  tools: readonly ToolSpec[],
  { request: text, question }: OfflineConversation,
  request: ModelRequest,
): OfflineDecision {
  const missing = (tool: ToolSpec): number => fillArguments(text, tool).missing.length;
  const easiest = tools.toSorted((a, b) => missing(a) - missing(b))[0];
  const tool = chooseTools(text, tools)[0]?.tool ?? easiest;
  if (!tool) return { kind: "say", text: wordAbilities(tools, unfit) };
  const filling = fillArguments(text, tool, collectedFor(tool, question));
  const more = filling.missing.length > 0 ? [] : filling.more;
  return callWith(tool, [filling.arguments, ...more], request);
}

function collectedFor(tool: ToolSpec, question: OfflineConversation["question"]): JsonObject | undefined {
  return question?.toolName === tool.name ? question.arguments : undefined;
}

/** The calls that a list in the request ("Paris and London") still requires. No call is repeated. */
function remainingCalls(
  tools: readonly ToolSpec[],
  { recentCalls, request: text, question }: OfflineConversation,
  request: ModelRequest,
): OfflineDecision | undefined {
  const last = recentCalls.findLast(({ isHandoff }) => !isHandoff);
  const tool = tools.find(({ name }) => name === last?.call.toolName);
  if (!tool || last?.result?.isError) return undefined;
  const { arguments: first, more, missing } = fillArguments(text, tool, collectedFor(tool, question));
  const done = new Set(
    recentCalls.filter(({ call }) => call.toolName === tool.name).map(({ call }) => call.arguments),
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
  const { request: text, question, recentCalls } = conversation;
  const askedFor = question && tools.find(({ name }) => name === question.toolName);
  const decision =
    askedFor && recentCalls.length === 0 && takeAnswer(text, askedFor, question, tools, request);
  if (decision) return decision;
  const handoffs = tools.filter((tool) => isHandoff(tool) && isOpen(tool, conversation));
  const own = asksForPerson(text) ? [] : tools.filter((tool) => !isHandoff(tool));
  const fits = chooseTools(text, [...own, ...handoffs]);
  const equals = equallyFit(fits);
  if (equals.length > 1) return { kind: "say", text: wordChoice(equals) };
  const [best] = fits;
  if (best?.isReady && isActor(best.tool) && asksAboutEvent(text))
    return { kind: "say", text: wordOffer(best.tool) };
  // Without a matching tool, hand off to a general agent, unless the message was just handed over.
  const canPassOn = recentCalls.length === 0 && !isSmallTalk(text);
  const tool = best?.tool ?? (canPassOn ? handoffs.find(isGeneralHandoff) : undefined);
  if (tool) return callOrAsk(tool, text, undefined, request);
  return { kind: "say", text: wordUnfit(text, tools, recentCalls.length > 0) };
}

/**
 * Tools that the request does not distinguish from the best one: which to call is the user's choice. Of tools that only read, any
 * will do, unless there is hardly any evidence for them.
 */
function equallyFit(fits: readonly Fit[]): ToolSpec[] {
  const [best] = fits;
  if (!best?.isReady) return [];
  const isWeak = best.evidence === threshold;
  if (isReader(best.tool) && !isWeak) return [];
  const terms = best.terms.join(" ");
  return fits
    .filter(
      (fit) =>
        fit.isReady &&
        (isWeak || !isReader(fit.tool)) &&
        fit.evidence === best.evidence &&
        fit.score > best.score * nearlyAs &&
        fit.terms.join(" ") === terms,
    )
    .map(({ tool }) => tool);
}

/** From which share of the best score on a tool is as likely as the best one: longer descriptions rank a little lower. */
const nearlyAs = 0.7;

const unfit = "I found no tool that fits.";

function wordUnfit(text: string, tools: readonly ToolSpec[], isHandedOver: boolean): string {
  if (/\bthank/iu.test(text) && isSmallTalk(text)) return "You are welcome.";
  const isGreeting = isSmallTalk(text) || (isHandedOver && asksForPerson(text));
  return wordAbilities(tools, isGreeting ? "Hello." : unfit);
}

function isSmallTalk(text: string): boolean {
  return sentenceWords(text).every((word) => isEmptyWord(word) || word === "help");
}
