import { expect } from "vitest";
import { directClient } from "../kit/test-openai-server.ts";
import {
  eventsOf,
  type RandomRun,
  secret,
  source,
  startRun,
  withoutRestart,
  withRestart,
} from "../kit/test-random-runs.ts";
import { toResponse, toResponseEvents, toResponsesResponse } from "./to-response.ts";

const options = {
  model: "m",
  id: "resp_1",
  createdAt: 0,
  completedAt: 0,
  show: { reasoning: false },
};

/** Checks that the official client reads a run as a response, streamed and whole, from anywhere on, with or without a restart in it. */
export async function expectResponse(plan: RandomRun, restartAt: number | undefined): Promise<void> {
  const all = await eventsOf(startRun(plan));
  const events = restartAt === undefined ? all : withRestart(all, restartAt);
  const settings = { ...options, output: plan.isTyped };
  const whole = await toResponse(source(events), settings);
  const items = await Array.fromAsync(toResponseEvents(source(events), settings));
  expect(JSON.stringify(items)).not.toContain(secret);
  // Nor in pieces.
  const deltas = items.map((item) => ("delta" in item ? item.delta : ""));
  expect(deltas.join("")).not.toContain(secret);
  expect(items.at(-1)).toMatchObject({ response: whole });
  const numbers = items.map((item) => item.sequence_number);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((left, right) => left - right));

  const client = directClient(() => toResponsesResponse(source(events), { ...settings, stream: true }));
  const {
    output_parsed: _,
    output_text: text,
    ...streamed
  } = await client.responses.stream({ model: "m", input: "" }).finalResponse();
  expect(streamed).toMatchObject(whole);
  const end = all.at(-1);
  const expected = end?.type === "run-end" ? (end.result?.text ?? "") : "";
  // An output that is wrong to the end is not an answer.
  expect(text.endsWith(whole.status === "failed" && plan.isTyped ? "" : expected)).toBe(true);

  // A reader goes on from anywhere; one that was there before the process died, with what later readers receive.
  const middle = items[Math.floor(items.length / 2)]?.sequence_number ?? 0;
  const later = source(withoutRestart(events));
  const rest = await Array.fromAsync(toResponseEvents(later, { ...settings, startingAfter: middle }));
  const restart = events.find(({ type }) => type === "turn-restart");
  const isComparable = !restart || middle >= (restart.index + 2) * 16;
  const expectedRest = isComparable ? items.filter((item) => item.sequence_number > middle) : rest;
  expect(rest.map(withoutPlace)).toEqual(expectedRest.map(withoutPlace));
  expect(rest.at(-1)).toMatchObject({ response: { output: whole.output } });
}

/** Without the place among the items, of which a later reader does not have those that were taken back. */
function withoutPlace(event: object): object {
  const { output_index: _, ...rest } = event as { output_index?: number };
  return rest;
}
