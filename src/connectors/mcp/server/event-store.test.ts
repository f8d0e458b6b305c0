import { expect, test } from "vitest";
import { SessionEvents } from "./event-store.ts";

const message = (text: string): { jsonrpc: "2.0"; method: string; params: { text: string } } => ({
  jsonrpc: "2.0",
  method: "notifications/message",
  params: { text },
});

async function replayed(events: SessionEvents, after: string): Promise<readonly string[]> {
  const sent: string[] = [];
  await events.replayEventsAfter(after, { send: async (id) => void sent.push(id) });
  return sent;
}

test("replays what came after an event on the same stream, in order", async () => {
  const events = new SessionEvents();
  const first = await events.storeEvent("a", message("1"));
  await events.storeEvent("b", message("2"));
  const third = await events.storeEvent("a", message("3"));
  const fourth = await events.storeEvent("a", message("4"));
  expect(await events.getStreamIdForEventId(first)).toBe("a");
  expect(await replayed(events, first)).toEqual([third, fourth]);
  expect(await replayed(events, fourth)).toEqual([]);
});

test("keeps the last thousand events, and knows nothing of older ones", async () => {
  const events = new SessionEvents();
  const ids: string[] = [];
  for (let count = 0; count < 1_001; count++) ids.push(await events.storeEvent("a", message(String(count))));
  expect(await events.getStreamIdForEventId(ids[0] ?? "")).toBeUndefined();
  expect(await events.getStreamIdForEventId(ids[1] ?? "")).toBe("a");
  expect(await events.getStreamIdForEventId("made up")).toBeUndefined();
  await expect(replayed(events, ids[0] ?? "")).rejects.toThrow("no longer kept");
});

test("keeps eight million characters at most, but always the last event", async () => {
  const events = new SessionEvents();
  const small = await events.storeEvent("a", message("small"));
  const large = await events.storeEvent("a", message("x".repeat(8_000_000)));
  expect(await events.getStreamIdForEventId(small)).toBeUndefined();
  expect(await events.getStreamIdForEventId(large)).toBe("a");
});
