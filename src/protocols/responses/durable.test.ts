/** What durable runs have beside others: pauses that no client ends, processes that die, and responses without events. */
import { expect, test } from "vitest";
import { Agent, type ToolContext } from "skein";
import { runs, sqliteStore } from "skein/durable";
import { ScriptedModel } from "skein/testing";
import { source, withoutRestart } from "../kit/test-random-runs.ts";
import { call, refund } from "../kit/test-scenarios.ts";
import { dropped, restarted, waitsForSign } from "../kit/test-stored-events.ts";
import { toResponse, toResponseEvents, toUnreadResponse } from "./to-response.ts";

test("where a process died, the open item is incomplete, another follows, and the response has that alone", async () => {
  const events = await Array.fromAsync(toResponseEvents(source(restarted), { model: "m", id: "resp_1" }));
  const items = events.flatMap((event) => (event.type === "response.output_item.done" ? [event.item] : []));
  expect(items).toMatchObject([
    { status: "incomplete", content: [{ text: "Hell" }] },
    { status: "completed", content: [{ text: "Good day." }], phase: "final_answer" },
  ]);
  const response = await toResponse(source(restarted), { model: "m" });
  expect(response.output).toMatchObject([{ content: [{ text: "Good day." }] }]);
});

test("behind a restart, a reader goes on with the numbers that it had before", async () => {
  const options = { model: "m", id: "resp_1", createdAt: 0, completedAt: 0 };
  const all = await Array.fromAsync(toResponseEvents(source(restarted), options));
  const firstPiece = all.findIndex(
    (event) => event.type === "response.output_text.delta" && event.delta === "Good ",
  );
  const later = source(withoutRestart(restarted));
  const rest = await Array.fromAsync(
    toResponseEvents(later, { ...options, startingAfter: all[firstPiece]?.sequence_number ?? 0 }),
  );
  const place = { output_index: expect.any(Number) };
  expect(rest).toEqual(
    all.slice(firstPiece + 1).map((event) => ("output_index" in event ? { ...event, ...place } : event)),
  );
});

test("a run that waits for something of its own is in progress, and completed once that has come", async () => {
  /** Sell a lamp. */
  async function sell({ waitFor }: ToolContext): Promise<string> {
    return `Paid with ${String(await waitFor("payment"))}.`;
  }
  const model = new ScriptedModel([{ toolCalls: [call("sell")] }, "Sold."]);
  const app = runs({
    agents: [new Agent({ name: "Shop", model, tools: [sell] })],
    store: sqliteStore(":memory:"),
  });
  const run = await app.start("Shop", "A lamp.", { id: "order", here: true });
  await run.result();
  const waiting = await toResponse(run.events(), { model: "shop" });
  expect(waiting).toMatchObject({ status: "in_progress", output: [], usage: null });
  await run.resolve("payment", "cash");
  const stop = new AbortController();
  const work = app.work({ signal: stop.signal });
  const events = await Array.fromAsync(toResponseEvents(run.events({ until: "end" }), { model: "shop" }));
  stop.abort();
  await work;
  await app.close();
  expect(events.at(-1)).toMatchObject({ type: "response.completed" });
  expect(events.filter(({ type }) => type === "response.output_item.done")).toMatchObject([
    { item: { content: [{ text: "Sold." }] } },
  ]);
});

test("an approval of a durable run is an item, and its stored end alone is enough for the response", async () => {
  const model = new ScriptedModel([{ text: "Wait.", toolCalls: [call("refund", { euros: 5 })] }]);
  const app = runs({
    agents: [new Agent({ name: "Desk", model, tools: [refund] })],
    store: sqliteStore(":memory:"),
  });
  const run = await app.start("Desk", "Money!", { here: true });
  await run.result();
  const stored = await Array.fromAsync(run.events());
  await app.close();
  const whole = await toResponse(source(stored), { model: "desk", id: "resp_1" });
  const end = await toResponse(source(stored.slice(-1)), { model: "desk", id: "resp_1" });
  for (const { status, output } of [whole, end]) {
    expect(status).toBe("completed");
    expect(output).toMatchObject([
      { type: "message", content: [{ text: "Wait." }] },
      { type: "mcp_approval_request", name: "refund", arguments: '{"euros":5}' },
    ]);
  }
});

test("calls of other tools than the client's are not the client's", async () => {
  const mine = await toResponse(source([waitsForSign]), { model: "m", tools: ["sign"] });
  expect(mine).toMatchObject({ status: "completed", output: [{ type: "function_call", call_id: "c1" }] });
  const other = await toResponse(source([waitsForSign]), { model: "m", tools: [] });
  expect(other).toMatchObject({ status: "in_progress", output: [] });
});

test("a reader that was too slow gets an error, and may come back", async () => {
  const items = await Array.fromAsync(toResponseEvents(source(dropped), { model: "m" }));
  expect(items.at(-1)).toMatchObject({ type: "error", code: "events-dropped" });
});

test.each(["queued", "in_progress", "cancelled"] as const)(
  "a response without events that is %s",
  (status) => {
    const response = toUnreadResponse(status, { model: "m", id: "resp_1", background: true });
    expect(response).toMatchObject({
      id: "resp_1",
      status,
      background: true,
      output: [],
      completed_at: null,
    });
  },
);
