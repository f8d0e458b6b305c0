import { expect, test } from "vitest";
import { Agent, stream, tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { empty, eventsOf, later } from "./kit.ts";

/** A run whose tool waits until it is let go, or told to stop. */
function waitingRun() {
  const gate = later<string>();
  const stopped: unknown[] = [];
  const wait = tool({
    name: "wait",
    input: empty,
    execute: (_, { signal }) => {
      signal.addEventListener("abort", () => stopped.push(signal.reason));
      return gate.promise;
    },
  });
  const model = new ScriptedModel([
    { text: "One moment.", chunkSize: 3, toolCalls: [{ toolName: "wait" }] },
    "Done.",
  ]);
  return { gate, stopped, running: stream(new Agent({ name: "A", model, tools: [wait] }), "Go.") };
}

test("a reader that leaves stops no other, and returns to what it has missed", async () => {
  const { gate, stopped, running } = waitingRun();
  const other = eventsOf(running);
  let last = -1;
  for await (const event of running) {
    last = event.index;
    if (event.type === "tool-start") break;
  }
  gate.resolve("waited");
  expect(await running.result).toMatchObject({ status: "completed", text: "Done." });
  expect(stopped).toEqual([]);
  const all = await other;
  expect(await eventsOf(running.events({ after: last }))).toEqual(all.slice(last + 1));
  expect(all.at(-1)?.type).toBe("run-end");
});

test("cancel stops at once, for all readers, and aborts the tool's signal", async () => {
  const { stopped, running } = waitingRun();
  const readers = [eventsOf(running), eventsOf(running)];
  for await (const event of running) if (event.type === "tool-start") break;
  // The tool is called in the same breath.
  await Promise.resolve();
  running.cancel("enough");
  expect(await running.result).toMatchObject({ status: "cancelled", pending: [] });
  expect(stopped).toEqual(["enough"]);
  const [one, two] = await Promise.all(readers);
  expect(one?.at(-1)).toMatchObject({ type: "run-end", status: "cancelled" });
  expect(two).toEqual(one);
});

test("a slow reader blocks no other: it receives the number of missed events, and sees how the run ended", async () => {
  const many = 40_000;
  const model = new ScriptedModel([{ text: "x".repeat(many), chunkSize: 1 }]);
  const running = stream(new Agent({ name: "A", model }), "Go.");
  const slow = running[Symbol.asyncIterator]();
  const { value: first } = await slow.next();
  expect(await running.result).toMatchObject({ status: "completed" });
  // A text with a gap looks like a whole one.
  const late = Array.fromAsync(running.text());
  await expect(late).rejects.toMatchObject({ code: "events-dropped", data: { count: expect.any(Number) } });
  const rest = await eventsOf({ [Symbol.asyncIterator]: () => slow });
  const [gap] = rest;
  if (gap?.type !== "events-dropped") throw new Error("nothing was said of what was dropped");
  expect(gap.count).toBeGreaterThan(0);
  expect(gap.index - gap.count).toBe(first?.index);
  expect(rest.at(-1)).toMatchObject({ type: "run-end", index: gap.index + rest.length - 1 });
});
