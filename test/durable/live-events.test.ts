/** Events of a run in memory reach readers that wait with the change itself, and those that do not from the store: each of them once. */
import { Agent, type Model } from "skein";
import { LeaseLostError, memoryStore, type RunHandle, type StoredEvent } from "skein/durable";
import { ScriptedModel } from "skein/testing";
import { expect, test, vi } from "vitest";
import { testRuns } from "./test-runs.ts";

const pieces = 200;

/** Says a word in each round of the event loop. */
const talker: Model = {
  provider: "test",
  modelId: "talker",
  async *stream(request) {
    const answer = new ScriptedModel([{ text: "word ".repeat(pieces), chunkSize: 5 }]);
    for await (const event of answer.stream(request)) {
      yield event;
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
};
const agent = new Agent({ name: "Talker", model: talker });

async function read(handle: RunHandle, after = -1): Promise<readonly StoredEvent[]> {
  return Array.fromAsync(handle.events({ after }));
}

test("a reader that waits gets the events of a run without reading the store for each", async () => {
  const store = memoryStore();
  const reads = vi.spyOn(store, "events");
  const app = testRuns(store, { agents: [agent] });
  void app.work();
  const handle = await app.start(agent, "Talk.");
  const events = await read(handle);
  expect(events.filter(({ type }) => type === "text-delta")).toHaveLength(pieces);
  expect(events.at(-1)).toMatchObject({ type: "run-end", status: "completed" });
  expect(reads.mock.calls.length).toBeLessThan(pieces / 4);
  expect(await read(handle)).toEqual(events);
});

test("readers that come at any event, and rest at any, get exactly the events behind", async () => {
  const app = testRuns(memoryStore(), { agents: [agent] });
  void app.work();
  const handle = await app.start(agent, "Talk.");
  const readers: Promise<readonly StoredEvent[]>[] = [];
  const slow: StoredEvent[] = [];
  for await (const event of handle.events()) {
    slow.push(event);
    if (event.index % 7 === 0) readers.push(read(handle, event.index));
    // The run goes on meanwhile.
    if (event.index % 50 === 0) for (let round = 0; round < 20; round++) await new Promise(setImmediate);
  }
  const whole = await read(handle);
  expect(slow).toEqual(whole);
  expect(readers.length).toBeGreaterThan(pieces / 10);
  for (const [place, events] of (await Promise.all(readers)).entries())
    expect(events).toEqual(whole.filter(({ index }) => index > 7 * place));
});

test("a reader that leaves while it waits leaves at once", async () => {
  const silent: Model = { ...talker, stream: () => new ReadableStream() };
  const app = testRuns(memoryStore(), { agents: [agent.with({ model: silent })] });
  const handle = await app.start("Talker", "Talk.");
  const events = handle.events()[Symbol.asyncIterator]();
  const waiting = events.next();
  await events.return?.();
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test("events of a run are not taken from one that does not have it", async () => {
  const store = memoryStore();
  const app = testRuns(store, { agents: [agent] });
  const { id } = await app.start(agent, "Talk.");
  const events = [{ type: "text-delta", agent: "A", text: "Hi", index: 0 }] as const;
  const write = { groups: [{ first: 0, last: 0, events }], progress: { next: 1 } };
  expect(() => store.append?.({ id, owner: "another" }, write)).toThrow(LeaseLostError);
  expect(await store.events(id, -1, 10)).toEqual([]);
});
