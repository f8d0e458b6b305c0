import { InvalidRequestError } from "../errors.ts";
import type { ModelRequest, ToolSpec } from "../model/types.ts";
import type { JsonObject } from "../util/json.ts";
import { chooseTools, handoffTarget, isHandoff } from "./choose-tool.ts";
import { provider, type Conversation, type Question } from "./conversation.ts";
import { fillArguments } from "./fill-arguments.ts";
import { identifierWords, isEmptyWord, sentenceWords, stem } from "./vocabulary.ts";
import { wordAbilities, wordQuestion, wordResults } from "./wording.ts";

/** The name the model goes by. */
export const modelId = "keyword-rules";

/** A call the rules decided on. */
export interface PlannedCall {
  readonly toolName: string;
  readonly arguments: JsonObject;
}

/** What to do next: call tools, or say something (a question is remembered until it is answered). */
export type Decision =
  | { readonly kind: "call"; readonly calls: readonly PlannedCall[] }
  | { readonly kind: "say"; readonly text: string; readonly asking?: Question };

/**
 * Decides what the model does.
 * @throws InvalidRequestError if `toolChoice` names a tool that is not among the tools.
 */
export function decide(request: ModelRequest, conversation: Conversation): Decision {
  const choice = request.toolChoice ?? "auto";
  const tools = choice === "none" ? [] : (request.tools ?? []);
  const forced = typeof choice === "object" ? forcedTool(choice.tool, tools) : undefined;
  const worked = conversation.made.filter(({ isHandoff, result }) => !isHandoff || result?.isError);
  if (conversation.hasNewResults && worked.length > 0) {
    const remaining = remainingCalls(tools, conversation);
    if (remaining.length > 0 && choice !== "none") return callAll(remaining, request);
    return { kind: "say", text: wordResults(worked.flatMap(({ result }) => result ?? [])) };
  }
  if (forced || choice === "required") return mustCall(forced, tools, conversation, request);
  return answerTo(tools, conversation, request);
}

function forcedTool(name: string, tools: readonly ToolSpec[]): ToolSpec {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool) return tool;
  const names = tools.map((candidate) => candidate.name).join(", ") || "none";
  throw new InvalidRequestError(`toolChoice names the tool "${name}", but the tools are: ${names}.`, {
    provider,
    modelId,
  });
}

/** The calls that a list in the request ("Paris and London") asks for beyond those made. */
function remainingCalls(
  tools: readonly ToolSpec[],
  { made, request, question }: Conversation,
): PlannedCall[] {
  const last = made.findLast(({ isHandoff }) => !isHandoff);
  const tool = tools.find(({ name }) => name === last?.call.toolName);
  if (!tool || last?.result?.isError) return [];
  const known = question?.toolName === tool.name ? question.arguments : {};
  const { arguments: first, more, missing } = fillArguments(request, tool, known);
  if (missing.length > 0) return [];
  const planned = [first, ...more].map((args) => ({ toolName: tool.name, arguments: args }));
  return planned.some((call) => isMade(call, made)) ? planned.filter((call) => !isMade(call, made)) : [];
}

function isMade({ toolName, arguments: args }: PlannedCall, made: Conversation["made"]): boolean {
  const text = JSON.stringify(args);
  return made.some(({ call }) => call.toolName === toolName && call.arguments === text);
}

function callAll(calls: readonly PlannedCall[], request: ModelRequest): Decision {
  return { kind: "call", calls: request.parallelToolCalls === false ? calls.slice(0, 1) : calls };
}

/** Where a call is demanded, the likeliest tool is called with what is known; its checks tell what is wrong. */
function mustCall(
  forced: ToolSpec | undefined,
  tools: readonly ToolSpec[],
  conversation: Conversation,
  request: ModelRequest,
): Decision {
  const { request: text, question } = conversation;
  const tool = forced ?? chooseTools(text, tools)[0]?.tool ?? leastDemanding(text, tools);
  if (!tool) return { kind: "say", text: wordAbilities(tools, false) };
  const {
    arguments: first,
    more,
    missing,
  } = fillArguments(text, tool, question?.toolName === tool.name ? question.arguments : {});
  const sets = missing.length > 0 ? [first] : [first, ...more];
  return callAll(
    sets.map((args) => ({ toolName: tool.name, arguments: args })),
    request,
  );
}

function leastDemanding(text: string, tools: readonly ToolSpec[]): ToolSpec | undefined {
  const missing = (tool: ToolSpec): number => fillArguments(text, tool).missing.length;
  return tools.toSorted((a, b) => missing(a) - missing(b))[0];
}

function answerTo(tools: readonly ToolSpec[], conversation: Conversation, request: ModelRequest): Decision {
  const { request: text, question, made } = conversation;
  const asked = question && tools.find(({ name }) => name === question.toolName);
  if (asked && made.length === 0) {
    const decision = takeAnswer(asked, question, tools, conversation, request);
    if (decision) return decision;
  }
  const candidates = tools.filter((tool) => !isHandoff(tool) || isOpen(tool, conversation));
  const [best] = chooseTools(text, candidates);
  const tool = best?.tool ?? generalHandoff(candidates, conversation);
  if (tool) return callOrAsk(tool, text, {}, request);
  return { kind: "say", text: wordAbilities(tools, isSmallTalk(text)) };
}

/** Takes what the user said as the answer to a question; `undefined` if it is something else. */
function takeAnswer(
  tool: ToolSpec,
  question: Question,
  tools: readonly ToolSpec[],
  { request: text }: Conversation,
  request: ModelRequest,
): Decision | undefined {
  if (/^\s*(?:no|nope|never\s?mind|cancel|forget it|stop|nothing)\b[\s\p{P}]*$/iu.test(text)) {
    return { kind: "say", text: "All right, I leave it." };
  }
  const before = fillArguments("", tool, question.arguments).missing;
  const filling = fillArguments(text, tool, question.arguments);
  const [wanted] = before;
  const isText =
    before.length === 1 &&
    wanted?.type === "string" &&
    wanted.options.length === 0 &&
    wanted.format === undefined;
  if (filling.missing.length < before.length) {
    const [other] = chooseTools(text, tools);
    // A sentence of its own ("list the items") yields text for any parameter, and is no answer.
    if (isText && other && other.tool !== tool && other.evidence >= 0.9) return undefined;
    return callOrAsk(tool, text, question.arguments, request);
  }
  const [other] = chooseTools(text, tools);
  if (other && other.tool !== tool) return undefined;
  if (isText && wanted)
    return callOrAsk(tool, "", { ...question.arguments, [wanted.name]: text.trim() }, request);
  return callOrAsk(tool, "", question.arguments, request);
}

function callOrAsk(tool: ToolSpec, text: string, known: JsonObject, request: ModelRequest): Decision {
  if (isHandoff(tool)) return { kind: "call", calls: [{ toolName: tool.name, arguments: {} }] };
  const { arguments: first, more, missing } = fillArguments(text, tool, known);
  if (missing.length > 0) {
    return {
      kind: "say",
      text: wordQuestion(tool, missing),
      asking: { toolName: tool.name, arguments: first },
    };
  }
  return callAll(
    [first, ...more].map((args) => ({ toolName: tool.name, arguments: args })),
    request,
  );
}

/** For one message, nobody is handed to twice, nor one who has had the lead: that would go back and forth. */
function isOpen(tool: ToolSpec, { made, agents }: Conversation): boolean {
  if (made.some(({ call }) => call.toolName === tool.name)) return false;
  const target = handoffTarget(tool.name);
  return agents.every((agent) => {
    const name = identifierWords(agent).map(stem).join(" ");
    return name !== target && `back ${name}` !== target;
  });
}

/** Where nothing fits, whoever is said to be there for anything else; not for one who was just chosen. */
function generalHandoff(tools: readonly ToolSpec[], { request, made }: Conversation): ToolSpec | undefined {
  if (made.length > 0 || isSmallTalk(request)) return undefined;
  return tools.find(
    (tool) =>
      isHandoff(tool) && /\b(?:else|other|others|general|anything|triage)\b/iu.test(tool.description ?? ""),
  );
}

function isSmallTalk(text: string): boolean {
  return sentenceWords(text).every((word) => isEmptyWord(word) || word === "help");
}
