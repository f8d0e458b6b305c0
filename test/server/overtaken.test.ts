/** What is decided about a message by what another server, or the run itself, has changed since that was read. */
import { Agent, tool, type ToolContext } from "skein";
import { type DurableStore, memoryStore } from "skein/durable";
import type { ServeOptions } from "skein/server";
import { FunctionModel } from "skein/testing";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { listening, outcome, served } from "./serving.ts";

const input = { type: "object", properties: { what: { type: "string" } } } as const;

/** The last words of the user, and whether they are answered. */
function lastWords(messages: readonly { readonly role: string; readonly content?: unknown }[]): string {
  const content = messages.findLast(({ role }) => role === "user")?.content;
  return typeof content === "string" ? content : JSON.stringify(content);
}

/** A desk that pays what it is told, once `work` has had its time. */
function desk(paid: string[], work: () => Promise<unknown>): Agent {
  const pay = tool({
    name: "pay",
    input,
    execute: ({ what = "" }: { readonly what?: string }) => void paid.push(what),
  });
  const wait = tool({ name: "work", input, execute: async () => String(await work()) });
  const model = new FunctionModel(({ messages }) => {
    const words = lastWords(messages);
    const since = messages.slice(messages.findLastIndex(({ role }) => role === "user"));
    if (since.some(({ role }) => role === "tool")) return "Done.";
    const what = /pay-\w+/.exec(words)?.[0];
    return {
      toolCalls: [what === undefined ? { toolName: "work" } : { toolName: "pay", arguments: { what } }],
    };
  });
  return new Agent({ name: "Desk", model, tools: [pay, wait] });
}

/** Work that takes its time, until it is let go: before it begins, too. */
function gate() {
  const start = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const work = (): Promise<void> => {
    start.resolve();
    return end.promise;
  };
  return { work, isWorking: start.promise, letGo: () => end.resolve() };
}

/** What happens behind the looks for runs, by their numbers. */
type Hooks = Readonly<Record<number, () => Promise<unknown>>>;

/** A store in which something happens behind looks for runs, once it is armed. */
function hooked(store: DurableStore, hooks: Hooks) {
  let looks = Number.NaN;
  const list: DurableStore["list"] = async (filter) => {
    const runs = await store.list(filter);
    await hooks[(looks += 1)]?.();
    return runs;
  };
  return { store: { ...store, key: store.key, list }, arm: () => void (looks = 0) };
}

/** Two servers on one store; behind looks of the second for runs, something happens. */
async function twoServers(busy: NonNullable<ServeOptions["busy"]>, hooks: Hooks) {
  const paid: string[] = [];
  const { work, isWorking, letGo } = gate();
  const store = memoryStore();
  const second = hooked(store, hooks);
  const { url: first } = await listening({ desk: desk(paid, work) }, { store, busy });
  const other = await listening({ desk: desk(paid, work) }, { store: second.store, busy });
  return { paid, letGo, isWorking, first, second: other.url, arm: second.arm };
}

const send = async (url: string, id: string, text: string): Promise<string> => {
  const message = { id, role: "user", parts: [{ type: "text", text }] };
  const body = JSON.stringify({ id: "c", trigger: "submit-message", messages: [message] });
  const headers = { "content-type": "application/json" };
  return outcome(await fetch(`${url}/chat/desk`, { method: "POST", headers, body }));
};

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

test.each([1, 2])(
  "with steer, a message at two servers is received once, also where its run ends behind look %d",
  async (at) => {
    const servers = await twoServers("steer", {
      [at]: async () => {
        const passed = send(servers.first, "m2", "pay-once");
        await pause(20);
        servers.letGo();
        await passed;
      },
    });
    const working = send(servers.first, "m1", "work");
    await servers.isWorking;
    servers.arm();
    expect(await send(servers.second, "m2", "pay-once")).toBe("200");
    servers.letGo();
    expect(await working).toBe("200");
    expect(servers.paid).toEqual(["pay-once"]);
  },
);

test.each([1, 2, 3, 4, 5])(
  "with reject, what is refused is not carried out, also where the other run ends behind look %d",
  async (at) => {
    const servers = await twoServers("reject", {
      [at]: async () => {
        servers.letGo();
        await working;
        await pause(50);
      },
    });
    const working = send(servers.first, "m1", "work");
    await servers.isWorking;
    servers.arm();
    const status = await send(servers.second, "m2", "pay-y");
    servers.letGo();
    await working;
    expect(status).toMatch(/^(?:200|409 conversation-busy)$/);
    expect(servers.paid).toEqual(status === "200" ? ["pay-y"] : []);
    expect(await send(servers.second, "m2", "pay-y")).toBe("200");
    expect(servers.paid).toEqual(["pay-y"]);
  },
);

test("with reject, of two messages that start at once none is refused and carried out", async () => {
  let started: Promise<string> | undefined;
  const servers = await twoServers("reject", {
    1: async () => {
      started = send(servers.first, "m1", "work");
      await servers.isWorking;
    },
    // Behind the look that finds the first run under way.
    3: async () => {
      servers.letGo();
      await started;
      await pause(50);
    },
  });
  servers.arm();
  const second = await send(servers.second, "m2", "pay-y");
  expect(await started).toBe("200");
  expect(servers.paid).toEqual(second === "200" ? ["pay-y"] : []);
  expect(await send(servers.second, "m2", "pay-y")).toBe("200");
  expect(servers.paid).toEqual(["pay-y"]);
});

test.each([2, 3])(
  "with steer, a message that one server begins a run with, and another passes on behind look %d, is carried out once",
  async (at) => {
    let first: Promise<string> | undefined;
    let passed: Promise<string> | undefined;
    const servers = await twoServers("steer", {
      1: async () => {
        first = send(servers.first, "m1", "work");
        await servers.isWorking;
      },
      [at]: async () => {
        passed = send(servers.first, "m2", "pay-once");
        await pause(20);
      },
    });
    servers.arm();
    const second = send(servers.second, "m2", "pay-once");
    await pause(100);
    servers.letGo();
    expect([await second, await passed, await first]).toEqual(["200", "200", "200"]);
    await pause(50);
    expect(servers.paid).toEqual(["pay-once"]);
  },
);

/** A desk that works for a moment, then asks, and answers what else it is told. */
function asking(work: () => Promise<unknown>): Agent {
  const ask = tool({ name: "ask", input, approval: true, execute: () => "Asked." });
  const wait = tool({ name: "work", input, execute: async () => String(await work()) });
  const model = new FunctionModel(({ messages }) => {
    if (!lastWords(messages).includes("money")) return "An answer.";
    const done = messages.filter(({ role }) => role === "tool").length;
    return done === 2 ? "Done." : { toolCalls: [{ toolName: done === 0 ? "work" : "ask" }] };
  });
  return new Agent({ name: "Desk", model, tools: [ask, wait] });
}

test("with wait, a run that comes to ask is given up for the message that waits behind it", async () => {
  const { work, isWorking, letGo } = gate();
  const { url } = await listening({ desk: asking(work) }, { busy: "wait" });
  const first = send(url, "m1", "money");
  await isWorking;
  const second = send(url, "m2", "hello");
  await pause(30);
  letGo();
  expect([await first, await second]).toEqual(["200", "200"]);
  const { messages } = await (await fetch(`${url}/sessions/c`)).json();
  expect(JSON.stringify(messages.at(-1))).toContain("An answer.");
});

test("a request that is refused does not give up the calls that wait for a decision", async () => {
  const { url } = await listening({ desk: asking(async () => "") });
  const headers = { "content-type": "application/json" };
  const run = (messages: readonly object[], tools: readonly object[]) =>
    fetch(`${url}/ag-ui/desk`, {
      method: "POST",
      headers,
      body: JSON.stringify({
        threadId: "t",
        runId: crypto.randomUUID(),
        messages,
        tools,
        context: [],
        state: {},
      }),
    });
  const first = { id: "m1", role: "user", content: "money" };
  await (await run([first], [])).text();
  const tools = [{ name: "ask", description: "", parameters: { type: "object", properties: {} } }];
  const refused = await run([first, { id: "m2", role: "user", content: "hello" }], tools);
  expect(refused.status).toBe(400);
  await refused.text();
  const session = await (await fetch(`${url}/sessions/t`)).json();
  expect([session.run.status, session.pending.length]).toEqual(["paused", 1]);
});

test("over useChat, calls that wait are shown as that behind what the user has said since", async () => {
  const hold = tool({
    name: "hold",
    input,
    execute: async (_, { waitFor }: ToolContext) => String(await waitFor("t")),
  });
  const ask = tool({ name: "ask", input, approval: true, execute: () => "Asked." });
  const model = new FunctionModel(() => ({ toolCalls: [{ toolName: "hold" }, { toolName: "ask" }] }));
  const { url } = await listening({ desk: new Agent({ name: "Desk", model, tools: [hold, ask] }) });
  await send(url, "m1", "both");
  await send(url, "m2", "both");
  const { messages } = await (await fetch(`${url}/chat/desk/c`)).json();
  expect(messages.map(({ role }: { readonly role: string }) => role)).toEqual(["user", "assistant", "user"]);
  const states = messages[1].parts.map(({ state }: { readonly state?: string }) => state);
  expect(states).toContain("approval-requested");
  expect(states).not.toContain("output-error");
});

test("a server that closes in the middle of an answer does not make OpenAI's client repeat its effects", async () => {
  let paid = 0;
  const pay = tool({ name: "pay", input, execute: () => ++paid });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool"
      ? { text: "It is paid, really.", chunkSize: 2, delay: 100 }
      : { toolCalls: [{ toolName: "pay" }] },
  );
  const desk = new Agent({ name: "Desk", model, tools: [pay] });
  for (const ask of [
    (client: OpenAI) =>
      client.chat.completions.create({ model: "desk", messages: [{ role: "user", content: "x" }] }),
    (client: OpenAI) => client.responses.create({ model: "desk", input: "x" }),
    (client: OpenAI) => client.responses.create({ model: "desk", input: "x", store: false }),
  ]) {
    const { url, server } = await listening({ desk });
    const answer = ask(new OpenAI({ baseURL: `${url}/v1`, apiKey: "x" })).then(
      () => "answered",
      (error: unknown) => Object(error).status,
    );
    await expect.poll(() => paid).toBe(1);
    await server.close({ drain: 0 });
    const again = served({ desk });
    await again.listen({ port: Number(new URL(url).port) });
    expect(await answer).toBe(503);
    expect(paid).toBe(1);
    await again.close();
    paid = 0;
  }
});

test("Responses go on after a call that was denied in time, or a run that was cancelled", async () => {
  const { url } = await listening({ desk: asking(async () => "") }, { approvalTimeout: 100 });
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "x" });
  const say = (input: string, previous?: string) =>
    client.responses.create({ model: "desk", input, ...(previous && { previous_response_id: previous }) });
  const denied = await say("money");
  await expect
    .poll(async () => (await (await fetch(`${url}/runs/${denied.id}`)).json()).status, { timeout: 10_000 })
    .toBe("completed");
  expect((await say("hello", denied.id)).output_text).toBe("An answer.");
  const cancelled = await client.responses.cancel((await say("money")).id);
  expect((await say("hello", cancelled.id)).output_text).toBe("An answer.");
});

test("over AG-UI, a message that was passed on to a run which came to nothing begins another", async () => {
  const reads: string[] = [];
  const hold = tool({
    name: "hold",
    input,
    execute: async (_, { waitFor }: ToolContext) => String(await waitFor("t")),
  });
  const model = new FunctionModel(({ messages }) => {
    const users = messages.flatMap((message) => (message.role === "user" ? [message.content] : []));
    reads.push(users.map((content) => (typeof content === "string" ? content : "")).join("|"));
    return lastWords(messages) === "hold" ? { toolCalls: [{ toolName: "hold" }] } : "Answered.";
  });
  const { url } = await listening({ desk: new Agent({ name: "Desk", model, tools: [hold] }) });
  const post = async (path: string, body: object): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const messages = ["hold", "question"].map((content, index) => ({ id: `m${index}`, role: "user", content }));
  const run = async (count: number): Promise<string> => {
    const rest = { tools: [], context: [], state: {}, forwardedProps: {}, runId: crypto.randomUUID() };
    return (await post("/ag-ui/desk", { threadId: "t", messages: messages.slice(0, count), ...rest })).text();
  };
  await run(1);
  await run(2);
  const session = await (await fetch(`${url}/sessions/t`)).json();
  // What was passed on is to be seen by a page that is loaded again.
  expect(session.messages.at(-1)).toMatchObject({ role: "user", content: "question" });
  await post(`/runs/${session.run.id}/cancel`, {});
  for (let attempt = 0; attempt < 2; attempt++) expect(await run(2)).toContain("Answered.");
  expect(reads).toEqual(["hold", "hold|question"]);
});
