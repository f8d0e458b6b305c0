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
export function endTurnBlocked(run: ActiveRun, answer: Generation, blocked: Blocked): Next {
  // What remembers steps may have had it.
  run.block(blocked);
  run.endAnswer(answer);
  for (const warning of answer.warnings) warn(run, warning);
  if (blocked.stage === "input") withholdInput(run);
  const message = appendNote(run, blocked);
  const { finishReason, usage } = answer;
  const end = { type: "turn-end", turn: run.meters.turn, agent: run.agent.name } as const;
  emit(run, { ...end, message, results: [], finishReason, usage });
  return blockedEnd(blocked);
}

/** Ends a run whose call of a tool, or its result, is blocked. Every call has its result. */
export function endBlocked(run: ActiveRun): Next {
  const { blocked, conversation } = run;
  if (!blocked) throw new TypeError("a run ends as blocked that is not");
  appendResults(
    run,
    conversation.pending.map((call) => abandonedResult(run, call, "blocked")),
  );
  appendNote(run, blocked);
  return blockedEnd(blocked);
}

function blockedEnd({ message = "" }: Blocked): Next {
  return stop({ status: "blocked", text: message });
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

/** Takes what the user wrote since the last answer out of what models see: a later turn must not answer it after all. */
function withholdInput({ conversation, config }: ActiveRun): void {
  const before = [...conversation.messages];
  const answered = before.findLastIndex(isAnswer);
  const after = before.map((message, index) => (index > answered ? withoutInput(message) : message));
  conversation.compact(after);
  config.record?.compacted(before);
}

/** One that calls tools is on the way to an answer. */
function isAnswer(message: Message): boolean {
  return message.role === "assistant" && message.toolCalls.length === 0;
}

function withoutInput(message: Message): Message {
  const isInput = message.role === "user" && message.summaryOf === undefined && !message.correction;
  return isInput ? { role: "user", content: inputNote } : message;
}
