import { openParts } from "../../message/answer-parts.ts";
import type { AssistantMessage, Message } from "../../message/messages.ts";
import type { Blocked } from "../../message/run-state.ts";
import type { Generation } from "../../model/types.ts";
import { emit, warn } from "../events/emit.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { abandonedResult } from "../state/may-have-begun.ts";
import { stop, type Next } from "../state/outcome.ts";
import { appendResults } from "./append-results.ts";

/** What stands in a history for what a guard has blocked, so that it stays one that every provider takes. */
const inputNote = "[A guard withheld this message.]";
const answerNote = "[A guard blocked the answer.]";

/** Ends a turn whose model was not to be called, or whose answer is withheld. */
export async function endTurnBlocked(run: ActiveRun, answer: Generation, blocked: Blocked): Promise<Next> {
  run.endAnswer(answer);
  for (const warning of answer.warnings) warn(run, warning);
  const { next, note } = await endBlocked(run, blocked);
  const { finishReason, usage } = answer;
  const end = { type: "turn-end", turn: run.meters.turn, agent: run.agent.name } as const;
  if (note) emit(run, { ...end, message: note, results: [], finishReason, usage });
  return next;
}

/** What a run comes to that a guard has blocked, and the message that its history ends with, unless it ended so before. */
interface BlockedEnd {
  readonly next: Next;
  readonly note: AssistantMessage | undefined;
}

/** Ends a run that a guard has blocked, now or before it was resumed. Every call has its result. */
export async function endBlocked(run: ActiveRun, blocked: Blocked): Promise<BlockedEnd> {
  const { conversation, config } = run;
  // What remembers steps may have had it.
  run.block(blocked);
  // First, and in one piece: a process may die before the rest is stored.
  await config.record?.save();
  if (blocked.stage === "input") withholdInput(run);
  if (blocked.stage === "output") withholdParts(run);
  appendResults(
    run,
    conversation.pending.map((call) => abandonedResult(run, call, "blocked")),
  );
  const last = conversation.messages.at(-1);
  const note = last && isAnswer(last) ? undefined : appendNote(run, blocked);
  return { next: stop({ status: "blocked", text: blocked.message ?? "" }), note };
}

/** The user has read the guard's message, and may refer to it. */
function appendNote(run: ActiveRun, { message = "" }: Blocked): AssistantMessage {
  const text = message === "" ? answerNote : message;
  return run.conversation.append({
    role: "assistant",
    content: [{ type: "text", text }],
    toolCalls: [],
    agent: run.agent.name,
  });
}

/** Takes the input since the last answer out of what models see: a later turn must not answer it after all. */
function withholdInput({ conversation, config }: ActiveRun): void {
  const before = [...conversation.messages];
  const answered = before.findLastIndex(isAnswer);
  if (answered === before.length - 1) return;
  const withheld = new Map(before.slice(answered + 1).map((message) => [message, withoutInput(message)]));
  const after = before.map((message, index) => (index > answered ? withoutInput(message) : message));
  conversation.compact(after, withheld);
  config.record?.compacted(before);
}

/** Takes the earlier parts of an answer out of the history, with what came of the rest before a run was cancelled: it was judged as a whole. */
function withholdParts({ conversation, config }: ActiveRun): void {
  const [first] = openParts(conversation.messages);
  if (!first) return;
  const before = [...conversation.messages];
  const start = before.indexOf(first);
  const withheld = new Map(before.slice(start).map((message) => [message, undefined]));
  conversation.compact(before.slice(0, start), withheld);
  config.record?.compacted(before);
}

/** One that calls tools is on the way to an answer. */
function isAnswer(message: Message): boolean {
  return message.role === "assistant" && message.toolCalls.length === 0;
}

function withoutInput(message: Message): Message {
  // Guards judge it with each later input.
  if (message.role === "system") return { role: "system", content: inputNote };
  const isInput = message.role === "user" && message.summaryOf === undefined && !message.correction;
  return isInput ? { role: "user", content: inputNote } : message;
}
