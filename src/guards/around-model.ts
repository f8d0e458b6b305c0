import { asAgent } from "../agent/handoff.ts";
import { openParts, textOfAnswers } from "../message/answer-parts.ts";
import type { Message, SystemMessage, UserMessage } from "../message/messages.ts";
import type { HostedCall } from "../model/hosted-call.ts";
import type { Generation, ModelEvent, ModelRequest } from "../model/types.ts";
import type { ModelStepInfo, StepMiddleware } from "../tool/step-middleware.ts";
import { besideCheck } from "./beside.ts";
import type { JudgedInput, JudgedOutput } from "./checks.ts";
import { decide } from "./decide.ts";
import { type GuardSettings, placeOf } from "./settings.ts";
import { type JudgedAnswer, textOfAnswer, textOfParts } from "./texts.ts";

type Next = (request: ModelRequest) => AsyncIterable<ModelEvent>;

/** What a guard does around a model call. */
export function aroundModel(settings: GuardSettings): NonNullable<StepMiddleware["model"]> {
  const { output } = settings.checks;
  return async function* model(this: StepMiddleware, request, info, next) {
    // A summary of the history is not for the user.
    if (info.key.kind !== "model") return yield* next(request);
    const owner = isOwnGuard(this, info) ? info.agent.name : undefined;
    const events = afterInput(settings, owner, request, info, next);
    yield* output ? checkedAnswer(settings, output, events, request, info) : events;
  };
}

/** Whether the guard is the active agent's own: one that the agent has from the run has judged what came before a handoff. */
function isOwnGuard(guard: StepMiddleware, { agent }: ModelStepInfo): boolean {
  return asAgent(agent).middleware?.includes(guard) ?? false;
}

/** The model's answer to an input that is passed. */
async function* afterInput(
  settings: GuardSettings,
  owner: string | undefined,
  request: ModelRequest,
  info: ModelStepInfo,
  next: Next,
): AsyncGenerator<ModelEvent, void> {
  const { messages } = request;
  const { input } = settings.checks;
  const inputs = input ? newInput(messages, owner) : [];
  if (!input || inputs.length === 0) return yield* next(request);
  const text = inputs.map(textOfInput).join("\n");
  const place = placeOf(settings, "input");
  const check = (signal: AbortSignal): ReturnType<typeof decide> =>
    decide<JudgedInput>(input, { stage: "input", text, messages }, { ...info, signal }, place);
  if (settings.parallel) return yield* besideCheck(request, info, next, check);
  const decision = await check(info.signal);
  if (decision.kind !== "block") return yield* next(request);
  info.block(decision.reason);
}

/**
 * What was written since the last answer, and not by the agent: at the beginning of a run what it has as its input, later what was sent
 * meanwhile. With it come all system messages before: clients of a server write them, too, and the model obeys them at any distance.
 * @param owner - The agent that has the guard as its own: it has not judged what came before a handoff to that agent.
 */
function newInput(messages: readonly Message[], owner: string | undefined): readonly InputMessage[] {
  const isJudged = (message: Message): boolean =>
    message.role === "assistant" &&
    (owner === undefined || message.agent === owner || message.toolCalls.length === 0);
  const start = messages.findLastIndex(isJudged) + 1;
  const latest = messages.slice(start).filter(isInput);
  if (latest.length === 0) return latest;
  const system = messages.slice(0, start).filter((message) => message.role === "system");
  return [...system, ...latest];
}

type InputMessage = UserMessage | SystemMessage;

/** Summaries and corrections come from the framework. */
function isInput(message: Message): message is InputMessage {
  if (message.role === "system") return true;
  return message.role === "user" && message.summaryOf === undefined && !message.correction;
}

function textOfInput({ content }: InputMessage): string {
  return typeof content === "string" ? content : textOfParts(content);
}

/** The answer with what the parts say that came of it before the run was resumed: it is judged as a whole. */
function withEarlierParts({ text, message }: Generation, messages: readonly Message[]): JudgedAnswer {
  const earlier = openParts(messages);
  const content = [...earlier.flatMap((part) => part.content), ...message.content];
  return { text: textOfAnswers(earlier) + text, message: { ...message, content } };
}

/** The answer, unless it is blocked: then nothing of it is in what the run goes on with. */
async function* checkedAnswer(
  settings: GuardSettings,
  check: NonNullable<GuardSettings["checks"]["output"]>,
  events: AsyncIterable<ModelEvent>,
  { messages }: ModelRequest,
  info: ModelStepInfo,
): AsyncGenerator<ModelEvent, void> {
  const place = placeOf(settings, "output");
  const buffer: ModelEvent[] = [];
  const hosted = new Map<string, HostedCall>();
  for await (const event of events) {
    if (event.type === "hosted-call") hosted.set(event.call.id, event.call);
    if (event.type !== "finish") {
      if (settings.hold) buffer.push(event);
      else yield event;
      continue;
    }
    const whole = withEarlierParts(event.generation, messages);
    const text = await textOfAnswer(whole, hosted.values(), info);
    const decision =
      text !== "" && (await decide<JudgedOutput>(check, { stage: "output", text, messages }, info, place));
    if (decision && decision.kind === "block") info.block(decision.reason);
    else yield* buffer;
    // The run takes its usage, and withholds the rest.
    yield event;
  }
}
