/** Readers of a stream, who leave early and attach late, and what its events say of the history. */
import type { RunEvent, RunResult, RunStream, ToolResult } from "skein";
import type { Random } from "../../../src/testing/conformance/random.ts";

/** Follows a run in several ways at once; says what they were told otherwise than the listener. */
export async function followStream(
  running: RunStream,
  heard: readonly RunEvent[],
  random: Random,
): Promise<readonly string[]> {
  const visits = Array.from({ length: 3 }, () => random.integer(1, 40));
  const readings = await Promise.all([readInVisits(running, visits), readText(running)]);
  const late = await collect(running.events({ after: random.integer(0, 30) }));
  const problems: string[] = [];
  const [inVisits, text] = readings;
  if (!isSame(inVisits, heard)) problems.push(`A reader who left and came back read ${names(inVisits)}.`);
  if (!isSame(late, heard.slice(heard.length - late.length)))
    problems.push(`A late reader read ${names(late)}.`);
  const deltas = heard.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
  if (text !== deltas.join("")) problems.push(`The text is ${text}, not ${deltas.join("")}.`);
  return problems;
}

const names = (events: readonly RunEvent[]): string =>
  events.map(({ index, type }) => `${index} ${type}`).join();
const isSame = (some: readonly RunEvent[], others: readonly RunEvent[]): boolean =>
  some.length === others.length && some.every((event, at) => event === others[at]);

/** Reads so many events at a time, leaves, and goes on after the last one. */
async function readInVisits(running: RunStream, visits: readonly number[]): Promise<readonly RunEvent[]> {
  const read: RunEvent[] = [];
  for (const visit of [...visits, Infinity]) {
    let left = visit;
    read.push(...(await collect(running.events({ after: read.at(-1)?.index }), () => --left > 0)));
  }
  return read;
}

async function collect(
  events: AsyncIterable<RunEvent>,
  goesOn: () => boolean = () => true,
): Promise<readonly RunEvent[]> {
  const read: RunEvent[] = [];
  try {
    for await (const event of events) {
      read.push(event);
      if (!goesOn()) break;
    }
  } catch {
    // The run has failed: its result says so, too.
  }
  return read;
}

async function readText(running: RunStream): Promise<string> {
  let text = "";
  try {
    for await (const piece of running.text()) text += piece;
  } catch {
    return text;
  }
  return text;
}

/** What the events of a run and its new messages say of each other. */
export function checkEvents(
  events: readonly RunEvent[],
  result: RunResult | undefined,
  hasShortIds: boolean,
): readonly string[] {
  const problems = events.flatMap(({ index, type }, at) =>
    index === at ? [] : [`The event ${type} has the index ${index} at ${at}.`],
  );
  const ends = events.filter(({ type }) => type === "run-end");
  if (ends.length !== 1 || events.at(-1)?.type !== "run-end")
    problems.push(`There are ${ends.length} ends, and the last event is ${events.at(-1)?.type}.`);
  if (hasShortIds) return problems;
  problems.push(...checkStarts(events));
  if (!result) return problems;
  problems.push(...checkAnswers(events, result));
  const reported = new Map<string, string[]>();
  for (const event of events) {
    if (event.type !== "tool-end" || event.parentToolCallId !== undefined) continue;
    const { toolCallId } = event.result;
    reported.set(toolCallId, [...(reported.get(toolCallId) ?? []), namelessResult(event.result)]);
  }
  for (const message of result.messages) {
    if (message.role !== "tool") continue;
    const ends = reported.get(message.result.toolCallId);
    const text = namelessResult(message.result);
    // What came from elsewhere, or from a store, was not executed here.
    if (ends && !ends.includes(text))
      problems.push(`The history has ${text}, and the events ${ends.join()}.`);
  }
  return problems;
}

/** Each answer of the history was streamed, and is that of a turn. */
function checkAnswers(events: readonly RunEvent[], result: RunResult): readonly string[] {
  const answers: unknown[] = [];
  let text = "";
  const problems: string[] = [];
  for (const event of events) {
    if (event.type === "turn-start") text = "";
    if (event.type === "text-delta") text += event.text;
    if (event.type !== "turn-end") continue;
    answers.push(event.message);
    const whole = event.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    // An answer that a journal has is not streamed again.
    if (text !== "" && whole !== text)
      problems.push(`The turn ${event.turn} streamed ${text}, and ended with ${whole}.`);
  }
  const missing = result.messages.filter(
    (message) => message.role === "assistant" && !message.truncated && !answers.includes(message),
  );
  return [...problems, ...missing.map((message) => `No turn ended with ${JSON.stringify(message)}.`)];
}

/** A result without what the run adds: that it is the last one, and the name by which the model called the tool. */
function namelessResult({ final: _, toolName: _name, ...result }: ToolResult): string {
  return JSON.stringify(result);
}

/** No call ends twice; one that began before a pause ends without a beginning. */
function checkStarts(events: readonly RunEvent[]): readonly string[] {
  const problems: string[] = [];
  const open = new Map<string, number>();
  const add = (id: string, change: number): void => {
    open.set(id, (open.get(id) ?? 0) + change);
  };
  for (const event of events) {
    if (event.type === "tool-start") add(event.toolCall.toolCallId, 1);
    if (event.type === "tool-end") add(event.result.toolCallId, -1);
  }
  for (const [id, count] of open) if (count < -1) problems.push(`${id} ends more often than it begins.`);
  return problems;
}
