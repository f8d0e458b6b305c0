import type { Message, UserMessage } from "../../message/messages.ts";
import { type InputObject, textAt } from "../../protocols/kit/input-object.ts";
import { notFound, Refusal } from "../../server/refusal.ts";
import type { SkeinServer } from "../../server/types.ts";
import { storedId } from "../chat-runs.ts";
import { contextAt } from "../context-at.ts";
import type { ModelStep } from "../records.ts";
import type { Prompt, RunRecord } from "../run-record.ts";
import { textOfUser } from "../user-text.ts";
import { RecordedOutcomes } from "./recorded-outcomes.ts";
import type { Replays } from "./replays.ts";

/** How many messages of a history can be edited at once, and tools ticked. */
const mostEdits = 10_000;

/**
 * Where a replay can begin: a model call of the run itself, and what that was asked.
 * @throws Refusal (404, 410)
 */
export function beginningOf(
  record: RunRecord,
  number: number,
): { readonly step: ModelStep; readonly prompt: Prompt } {
  const step = record.steps[number - 1];
  if (step?.kind !== "model" || step.parent !== undefined) throw notFound("The model call of the run");
  const prompt = record.prompts.get(number);
  if (prompt) return { step, prompt };
  if (record.source === "trace")
    throw new Refusal(
      404,
      "not-found",
      "A trace cannot be repeated: spans do not have all that a run needs.",
    );
  throw new Refusal(
    410,
    "run-forgotten",
    "What this call was asked is not remembered any more: it took too much memory.",
  );
}

/**
 * Starts a run that goes on from a model call of another one, and returns its id.
 * @param body - `step`; `model`, `instructions`, `edits` and `execute` for what is to be different.
 * @throws Refusal (400, 404, 410)
 */
export async function startReplay(
  record: RunRecord,
  replays: Replays,
  served: SkeinServer,
  body: InputObject,
): Promise<string> {
  const number = body.optionalNumber("step", [1, record.steps.length], true) ?? 1;
  const { step, prompt } = beginningOf(record, number);
  const messages = withEdits(prompt.messages, body);
  const model = body.optionalText("model", 1_000)?.trim() ?? "";
  const instructions = body.optionalText("instructions");
  const executed = body.get("execute") === undefined ? [] : body.list("execute", mostEdits);
  const session = `replay-${crypto.randomUUID().slice(0, 8)}`;
  const id = storedId(`${session}.1`);
  replays.add({
    runId: id,
    session: storedId(session),
    origin: { runId: record.id, turn: step.turn },
    question: questionOf(messages) ?? record.question,
    agent: step.agent,
    ...(instructions !== undefined && { instructions }),
    executed: new Set(executed.map((name, index) => textAt(name, `execute[${index}]`))),
    outcomes: new RecordedOutcomes(record, number),
  });
  const context = contextAt(record, number);
  await served.runs.start(step.agent, messages, {
    id,
    session: storedId(session),
    here: true,
    ...(model !== "" && { model }),
    ...(context !== undefined && { context }),
  });
  return id;
}

function questionOf(messages: readonly Message[]): string | undefined {
  const last = messages.findLast((message): message is UserMessage => message.role === "user");
  return last && textOfUser(last);
}

/** @throws Refusal (400) for an edit of what cannot be edited. */
function withEdits(messages: readonly Message[], body: InputObject): readonly Message[] {
  const edited = [...messages];
  for (const edit of body.optionalObjects("edits", mostEdits)) {
    const index = edit.optionalNumber("index", [0, messages.length - 1], true) ?? 0;
    const message = edited[index];
    const text = edit.text("text");
    if (message?.role === "user") edited[index] = { role: "user", content: text };
    else if (message?.role === "tool")
      edited[index] = { role: "tool", result: withText(message.result, text) };
    else
      throw new Refusal(
        400,
        "invalid-input",
        `${edit.path}: only messages of the user and results can be edited.`,
      );
  }
  return edited;
}

function withText(
  {
    structuredContent: _,
    truncated: __,
    isPruned: ___,
    isCut: ____,
    ...result
  }: Extract<Message, { role: "tool" }>["result"],
  text: string,
): Extract<Message, { role: "tool" }>["result"] {
  return { ...result, content: [{ type: "text", text }] };
}
