/** What of a run's events may leave the server: everything that `JSON.stringify` writes. And what a listener can change: nothing. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  Agent,
  type AgentOptions,
  type Model,
  NetworkError,
  output,
  result,
  run,
  type RunEvent,
  type RunOptions,
  SkeinError,
  stream,
  type ToolContext,
  tool,
} from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";

const input = { type: "object", properties: {} } as const;
const marked = "SECRET-MARK";

class Database {
  readonly password = marked;
}

/** An error as an HTTP client throws it, with the whole request. */
class ClientError extends Error {
  readonly config = { headers: { authorization: marked } };
  readonly code = "E_CLIENT";
}

const tools = [
  tool({ name: "progress", input, execute: (_, { progress }: ToolContext) => progress({ done: 1 }) }),
  tool({
    name: "fails",
    input,
    execute: () => {
      throw new ClientError("the service refused", { cause: new Error(marked) });
    },
  }),
  tool({ name: "hides", input, mask: true, execute: () => ({ token: marked }) }),
  tool({ name: "remembers", input, execute: () => result({ value: "ok", context: { token: marked } }) }),
  tool({
    name: "asks",
    input: { type: "object", properties: { n: { type: "integer" } } },
    approval: true,
    execute: () => "ok",
  }),
];

const call = (toolName: string) => ({ toolCalls: [{ toolName, arguments: {} }] });

function offline(): never {
  const cause = Object.assign(new Error(marked), { request: { key: marked } });
  throw new NetworkError("offline", { provider: "p", modelId: "m", retryAfter: 1, cause });
}

async function eventsOf(options: Partial<AgentOptions>, runOptions: RunOptions = {}): Promise<RunEvent[]> {
  const context = { db: new Database(), secret: marked };
  const running = stream(new Agent({ name: "A", tools, ...options }), "go", { context, ...runOptions });
  const events: RunEvent[] = [];
  try {
    for await (const event of running) events.push(event);
  } catch (error) {
    if (!(error instanceof SkeinError)) throw error;
  }
  return events;
}

/** A reader that comes late to a run with more events than are kept. */
async function droppedEvents(): Promise<RunEvent[]> {
  const chatty = tool({
    name: "chatty",
    input,
    execute: (_, { progress }: ToolContext) => {
      for (let count = 0; count < 40_000; count++) progress(count);
    },
  });
  return eventsOf({ model: new ScriptedModel([call("chatty"), "done"]), tools: [chatty] });
}

const kinds: Readonly<Record<RunEvent["type"], () => Promise<RunEvent[]>>> = {
  "turn-start": () => eventsOf({ model: new ScriptedModel(["hi"]) }),
  "model-start": () => eventsOf({ model: new ScriptedModel(["hi"]) }),
  retry: () => eventsOf({ model: new ScriptedModel([offline, "hi"]) }),
  "model-end": () => eventsOf({ model: new ScriptedModel(["hi"]) }),
  "text-delta": () => eventsOf({ model: new ScriptedModel(["hi"]) }),
  "reasoning-delta": () => eventsOf({ model: new ScriptedModel([{ reasoning: "hm", text: "hi" }]) }),
  "tool-input-delta": () => eventsOf({ model: new ScriptedModel([call("progress"), "hi"]) }),
  "output-delta": () =>
    eventsOf({
      model: new ScriptedModel(['{"n":1}'], { supportsOutput: true }),
      output: { type: "object", properties: { n: { type: "number" } } },
    }),
  "hosted-call": () => {
    const call = { tool: "webSearch", name: "web_search", id: "s1", input: { queries: ["herons"] } } as const;
    const inner = new ScriptedModel(["hi"]);
    const model: Model = {
      provider: inner.provider,
      modelId: inner.modelId,
      async *stream(request) {
        yield { type: "hosted-call", call: { ...call, status: "running", results: [] } };
        yield {
          type: "hosted-call",
          call: { ...call, status: "completed", results: [{ url: "https://a.test" }] },
        };
        yield* inner.stream(request);
      },
    };
    return eventsOf({ model });
  },
  "tool-start": () => eventsOf({ model: new ScriptedModel([call("fails"), "hi"]) }),
  "tool-progress": () => eventsOf({ model: new ScriptedModel([call("progress"), "hi"]) }),
  "tool-end": () =>
    eventsOf({ model: new ScriptedModel([call("fails"), call("hides"), call("remembers"), "hi"]) }),
  "approval-request": () => eventsOf({ model: new ScriptedModel([call("asks"), "hi"]) }),
  "user-message": async () => {
    const running = stream(
      new Agent({ name: "A", model: new FunctionModel(({ messages }) => `${messages.length}`) }),
      "go",
    );
    running.queue("And now?");
    return Array.fromAsync(running);
  },
  handoff: () =>
    eventsOf({
      model: new ScriptedModel([call("transfer_to_b"), "hi"]),
      handoffs: [new Agent({ name: "B" })],
    }),
  "agent-event": async () => {
    const cause = new Error(marked);
    const fails = (): never => {
      throw Object.assign(new Error("broken", { cause }), { request: { key: marked } });
    };
    const helper = new Agent({
      name: "Helper",
      tools,
      model: new ScriptedModel([call("fails"), call("hides"), fails]),
    });
    const helped = [{ toolCalls: [{ toolName: "helper", arguments: { input: "?" } }] }, "hi"];
    return eventsOf({ model: new ScriptedModel(helped), tools: [helper.asTool({ name: "helper" })] });
  },
  "turn-end": () => eventsOf({ model: new ScriptedModel([call("remembers"), "hi"]) }),
  compaction: () => {
    let turns = 0;
    const long = { ...call("progress"), text: "x".repeat(4_000) };
    const model = new FunctionModel(() => (turns++ < 4 ? long : "hi"));
    return eventsOf({ model }, { compaction: { maxTokens: 2_000 } });
  },
  "events-dropped": droppedEvents,
  warning: () =>
    eventsOf({
      model: new ScriptedModel([call("asks")]),
    }),
  "run-end": () =>
    eventsOf({
      model: new ScriptedModel([
        () => {
          throw Object.assign(new Error("broken"), { request: { key: marked }, cause: new Error(marked) });
        },
      ]),
    }),
};

describe("JSON.stringify(event) has no context, no state and no secret in it", () => {
  test.each(Object.entries(kinds))("%s", async (type, eventsOfKind) => {
    const events = await eventsOfKind();
    expect(events.map((event) => event.type)).toContain(type);
    for (const event of events) {
      for (const text of [JSON.stringify(event), JSON.stringify({ ...event }), JSON.stringify([event])]) {
        expect(text).not.toContain(marked);
        expect(text).not.toMatch(/"(?:state|context|cause|stack)":/);
      }
    }
  });

  test("and an error with its message", async () => {
    const events = [...(await kinds["tool-end"]()), ...(await kinds["run-end"]()), ...(await kinds.retry())];
    const errors = events.flatMap((event) => JSON.parse(JSON.stringify(event)).error ?? []);
    expect(errors).toEqual([
      { name: "Error", message: "the service refused", code: "E_CLIENT" },
      { name: "ModelError", message: "scripted:scripted failed: broken", code: "model-failed" },
      { name: "NetworkError", message: "offline", code: "network" },
    ]);
  });

  test("and the end of a run with what a page shows of it", async () => {
    const events = await eventsOf({ model: new ScriptedModel([call("asks")]) });
    expect(JSON.parse(JSON.stringify(events.at(-1)))).toEqual({
      type: "run-end",
      agent: "A",
      status: "paused",
      index: events.length - 1,
      result: {
        status: "paused",
        finishReason: "tool-calls",
        rawFinishReason: expect.anything(),
        text: "",
        agent: "A",
        usage: expect.anything(),
        turns: 1,
        pending: [expect.objectContaining({ toolName: "asks", approvalId: expect.any(String) })],
        warnings: [expect.stringContaining("context.db is a Database")],
      },
    });
  });

  test("while a program reads all of it", async () => {
    const events = [...(await kinds["tool-end"]()), ...(await kinds["run-end"]())];
    const [failed, hides] = events.filter((event) => event.type === "tool-end");
    expect(failed?.error).toBeInstanceOf(Error);
    expect(hides?.value).toEqual({ token: marked });
    const ends = events.filter((event) => event.type === "run-end");
    expect(ends[0]?.result?.context).toMatchObject({ secret: marked });
    expect(ends[0]?.result?.state.messages).toHaveLength(8);
    expect(ends[1]?.error).toMatchObject({ code: "model-failed" });
  });

  test("an argument that JSON cannot carry is written as text", async () => {
    const asks = tool({
      name: "asks",
      input: z.object({ n: z.string().transform(BigInt) }),
      approval: true,
      execute: ({ n }) => String(n),
    });
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "asks", arguments: { n: "5" } }] }]);
    const events = await eventsOf({ model, tools: [asks] });
    const request = events.find((event) => event.type === "approval-request");
    expect(request?.input).toEqual({ n: 5n });
    expect(JSON.parse(JSON.stringify({ request })).request.input).toEqual({ n: "5" });
  });
});

test("the end of a run is sent with an output that has values which JSON has no form for", async () => {
  interface Balance {
    readonly cents: bigint;
    readonly prices: Map<string, number>;
    readonly day: Date;
  }
  const answer = { cents: "500", prices: { tea: 2 }, day: "2026-01-31T00:00:00.000Z" };
  const agent = new Agent({
    name: "A",
    model: new ScriptedModel([JSON.stringify(answer)]),
    output: output<Balance>(),
  });
  const sent: string[] = [];
  for await (const event of stream(agent, "Hi")) sent.push(JSON.stringify(event));
  expect(JSON.parse(sent.at(-1) ?? "{}")).toMatchObject({ type: "run-end", result: { output: answer } });
});

describe("what a listener changes stays with the listener", () => {
  /** Changes whatever can be changed. */
  function vandalize(value: unknown, seen = new Set<unknown>()): void {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    for (const key of Reflect.ownKeys(value)) {
      vandalize(Reflect.get(value, key), seen);
      Reflect.set(value, key, "CHANGED");
      Reflect.deleteProperty(value, key);
    }
    Reflect.set(value, "added", "CHANGED");
  }

  test("calls, results, messages and usage of the run are as they were", async () => {
    const seen: string[] = [];
    const model = new FunctionModel(({ messages }) => {
      seen.push(JSON.stringify(messages));
      return messages.length < 6 ? call(messages.length < 3 ? "remembers" : "fails") : "done";
    });
    const agent = new Agent({ name: "A", model, tools });
    const onEvent = (event: RunEvent): void => {
      if (event.type !== "run-end") vandalize(event);
    };
    const { messages, usage, modelCalls, warnings } = await run(agent, "go", { onEvent });
    const plain = await run(agent, "go");
    expect(JSON.stringify([messages, seen, modelCalls])).not.toContain("CHANGED");
    expect(messages.map(({ role }) => role)).toEqual(plain.messages.map(({ role }) => role));
    expect([usage, warnings]).toEqual([plain.usage, plain.warnings]);
  });

  test("and so is what other readers see", async () => {
    const running = stream(
      new Agent({ name: "A", model: new ScriptedModel([call("progress"), "hi"]), tools }),
      "go",
    );
    for await (const event of running) if (event.type !== "run-end") vandalize(event);
    const again: RunEvent[] = [];
    for await (const event of running.events()) again.push(event);
    expect(JSON.stringify(again)).not.toContain("CHANGED");
    expect(again.map(({ type }) => type)).toContain("tool-end");
  });
});
