/** What a listener does with an event does not reach the run: events and all data in them are frozen copies. */
import { expect, test } from "vitest";
import { Agent, run, type RunEvent, type RunOptions, stream, tool } from "skein";
import { FunctionModel } from "skein/testing";

const anything = { type: "object", properties: {} } as const;
const secret = tool({
  name: "secret",
  input: anything,
  mask: ["key"],
  execute: () => ({ key: "k", list: [1] }),
});
const broken = tool({
  name: "broken",
  input: anything,
  execute: (): string => {
    throw new Error("It is broken.");
  },
});
const pay = tool({
  name: "pay",
  input: { type: "object", properties: { amounts: { type: "array", items: { type: "integer" } } } },
  approval: true,
  execute: () => "paid",
});
const work = tool({
  name: "work",
  input: anything,
  execute: async (_: object, { call, progress }) => {
    progress({ done: [1] });
    return call("secret", {});
  },
});

/** Calls all of its tools at once, then answers. */
function callingAll(...toolNames: readonly string[]): FunctionModel {
  return new FunctionModel(({ messages }) =>
    messages.some(({ role }) => role === "tool")
      ? "Done."
      : {
          text: "Working.",
          toolCalls: toolNames.map((toolName) => ({
            toolName,
            arguments:
              toolName === "helper" ? { input: "Help." } : toolName === "pay" ? { amounts: [5] } : {},
          })),
        },
  );
}

const helper = new Agent({
  name: "Helper",
  model: callingAll("work", "broken", "pay"),
  tools: [secret, work, broken, pay],
});
const agent = new Agent({
  name: "A",
  model: callingAll("work", "broken", "pay", "helper"),
  tools: [secret, work, broken, pay, helper.asTool({ name: "helper", description: "Helps." })],
});
const options: RunOptions = { runId: "r", context: { user: { name: "Ada" } } };

/** The paths of what can be written in a value: of plain objects and arrays. */
function writable(value: unknown, path: string, found: string[] = [], seen = new Set<unknown>()): string[] {
  if (typeof value !== "object" || value === null || seen.has(value)) return found;
  seen.add(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || Array.isArray(value);
  if (isPlain && !Object.isFrozen(value)) found.push(path);
  if (isPlain)
    for (const name of Reflect.ownKeys(value))
      writable(Reflect.get(value, name), `${path}.${String(name)}`, found, seen);
  return found;
}

test("every event is frozen, with all data in it", async () => {
  const events: RunEvent[] = [];
  await run(agent, "Go.", { ...options, onEvent: (event) => void events.push(event) });
  const types = [...new Set<string>(events.map(({ type }) => type))].toSorted();
  expect(types.join(" ")).toBe(
    "agent-event approval-request model-end model-start run-end text-delta tool-end tool-input-delta tool-progress tool-start turn-end turn-start",
  );
  expect(events.filter((event) => !Object.isFrozen(event))).toEqual([]);
  expect(events.flatMap((event) => writable(event, event.type))).toEqual([]);
});

/** The parts of a value that are objects, all the way down. */
function partsOf(value: unknown, seen = new Set<object>()): ReadonlySet<object> {
  if (typeof value !== "object" || value === null || seen.has(value)) return seen;
  seen.add(value);
  if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype)
    for (const part of Object.values(value)) partsOf(part, seen);
  return seen;
}

test.each(["onEvent", "stream"] as const)(
  "the result in the last event is a copy of that of the run (%s)",
  async (way) => {
    const changed: string[] = [];
    const change = (event: RunEvent): void => {
      if (event.type !== "run-end") return;
      for (const part of partsOf(event.result))
        for (const [name, value] of Object.entries(part)) {
          const isWritten =
            typeof value === "object" ? Reflect.deleteProperty(part, name) : Reflect.set(part, name, 7);
          // The agent is what the program has made.
          if (isWritten && part !== agent) changed.push(name);
        }
    };
    const running = stream(agent, "Go.", { ...options, ...(way === "onEvent" && { onEvent: change }) });
    for await (const event of running) if (way === "stream") change(event);
    const result = await running.result;
    expect(changed).toEqual([]);
    expect(result.pending[0]).toMatchObject({ toolName: "pay", input: { amounts: [5] } });
    expect(Object.isFrozen(result) || Object.isFrozen(result.state)).toBe(false);
  },
);

test.each([undefined, "a secret"])(
  "JSON shows the same of both results (stateSecret: %s)",
  async (stateSecret) => {
    let last: RunEvent | undefined;
    class Handle {
      password = "hunter2";
    }
    const result = await run(agent, "Go.", {
      ...options,
      context: { user: "Ada", handle: new Handle() },
      onEvent: (event) => (last = event),
      ...(stateSecret !== undefined && { stateSecret }),
    });
    const copy = last?.type === "run-end" ? last.result : undefined;
    expect(copy).not.toBe(result);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(result));
    expect(JSON.stringify(copy?.state)).toBe(JSON.stringify(result.state));
    expect(JSON.stringify(copy?.state)).not.toContain("hunter2");
  },
);

test("a masked value that a listener has does not change what the calling tool gets", async () => {
  const received: unknown[] = [];
  const reading = tool({
    name: "reading",
    input: anything,
    execute: async (_: object, { call }) => {
      received.push(await call("secret", {}));
      return "read";
    },
  });
  await run(new Agent({ name: "A", model: callingAll("reading"), tools: [secret, reading] }), "Go.", {
    onEvent: (event) => {
      if (event.type === "tool-end" && event.value) Reflect.set(Object(event.value), "key", "another");
    },
  });
  expect(received).toEqual([{ key: "k", list: [1] }]);
});

test("an output with a getter that throws does not fail the run, and is not in the event", async () => {
  const events: RunEvent[] = [];
  const output = {
    get value(): string {
      throw new Error("Not now.");
    },
  };
  const result = await run(new Agent({ name: "A", model: new FunctionModel(() => "Hi.") }), "Go.", {
    onEvent: (event) => void events.push(event),
    middleware: [{ run: async (_info, next) => ({ ...(await next()), output }) }],
  });
  expect(result.output).toBe(output);
  expect(events.at(-1)).toMatchObject({ type: "run-end", result: { text: "Hi.", output: undefined } });
});
