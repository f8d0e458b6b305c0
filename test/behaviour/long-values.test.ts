import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type Middleware, run, tool, type ToolContext, type ToolSource } from "skein";
import { codeMode } from "skein/code";
import { memoryStore, runs } from "skein/durable";
import { fileSession, memorySession } from "skein/sessions";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "skein-long-values-"));
afterAll(() => rmSync(folder, { recursive: true }));

const input = { type: "object" } as const;
const now = tool({ name: "now", input, execute: () => "noon" });

/** Longer than a result may be. */
const customers = (): readonly object[] =>
  Array.from({ length: 20_000 }, (_, id) => ({
    id,
    name: `Customer ${id} of the shop in Oslo`,
    password: `s3cret-${id}`,
  }));

/** The value of the last tool message. */
async function lastValue(agent: Agent, options: Parameters<typeof run>[2] = {}): Promise<unknown> {
  const { messages } = await run(agent, "Go", options);
  const last = messages.findLast((message) => message.role === "tool");
  return last?.result.structuredContent ?? last?.result.content;
}

test.each([[["password"]], [true]])("what mask %j hides of a long result is stored nowhere", async (mask) => {
  const listCustomers = tool({
    name: "listCustomers",
    input,
    mask,
    maxResultChars: 2_000,
    execute: customers,
  });
  const direct = [{ toolName: "listCustomers" }, { toolName: "now" }];
  const sum = tool({
    name: "sum",
    input,
    execute: async (_, { call }: ToolContext) => {
      const list = await call("listCustomers", {});
      return Array.isArray(list) ? list.length : "no list";
    },
  });
  const tools = [listCustomers, now, sum];
  const desk = () =>
    new Agent({
      name: "Desk",
      model: new ScriptedModel([{ toolCalls: [...direct, { toolName: "sum" }] }, "Done."]),
      tools,
    });
  const file = join(folder, `masked-${String(mask)}.jsonl`);
  const { state, messages } = await run(desk(), "Who?", { session: fileSession(file) });
  expect(messages.at(-2)).toMatchObject({ result: { structuredContent: 20_000 } });
  let journal = "";
  const step = async <T>(_key: unknown, perform: () => T | Promise<T>): Promise<T> => {
    const value = await perform();
    journal += JSON.stringify(value);
    return value;
  };
  await run(desk(), "Who?", { journal: { step } });
  const store = memoryStore();
  const agent = desk();
  const app = runs({ agents: [agent], store });
  void app.work();
  await (await app.start(agent, "Who?", { id: "d1", session: "ann" })).result();
  const stored = await store.load((await store.read("d1"))?.log ?? "");
  await app.close();
  for (const text of [JSON.stringify(state), readFileSync(file, "utf8"), journal, JSON.stringify(stored)]) {
    expect(text).toContain("noon");
    expect(text).not.toContain("s3cret");
  }
});

test("what a middleware takes out of a long result is neither in the session nor in a paused state", async () => {
  const redactor: Middleware = {
    async tool(call, _info, next) {
      const { structuredContent: _value, truncated: _rest, ...result } = await next(call);
      const content = result.content.map((part) =>
        part.type === "text" ? { ...part, text: part.text.replaceAll(/\S+@\S+/g, "[address]") } : part,
      );
      return { ...result, content };
    },
  };
  const findUsers = tool({
    name: "findUsers",
    input,
    execute: () =>
      Array.from({ length: 40_000 }, (_, id) => `User ${id} <u${id}@example.com> lives in Oslo`).join("\n"),
  });
  const pay = tool({ name: "pay", input, approval: true, execute: () => "Paid." });
  const payAll = tool({
    name: "payAll",
    input,
    execute: async (_, { call }: ToolContext) => {
      const users = String(await call("findUsers", {}));
      return `${users.includes("@")} ${String(await call("pay", {}))}`;
    },
  });
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "findUsers" }, { toolName: "payAll" }] },
    "Found.",
  ]);
  const file = join(folder, "redacted.jsonl");
  const agent = new Agent({ name: "Directory", model, tools: [findUsers, payAll, pay] });
  const options = { middleware: [redactor], session: fileSession(file) };
  const { status, state, pending } = await run(agent, "Who?", options);
  expect(status).toBe("paused");
  for (const text of [readFileSync(file, "utf8"), JSON.stringify(state)]) {
    expect(text).toContain("[address]");
    expect(text).not.toContain("@example.com");
  }
  const approvals = [{ approvalId: pending[0]?.approvalId ?? "", decision: "approve" }] as const;
  const resumed = await run(agent, state, { middleware: [redactor], approvals });
  expect(resumed.messages.at(-2)).toMatchObject({ result: { content: [{ text: "false Paid." }] } });
});

const oddValues: readonly [string, () => unknown][] = [
  [
    "with bigints in it",
    () => Array.from({ length: 40_000 }, (_, id) => ({ id: BigInt(id), place: "Oslo, Norway" })),
  ],
  [
    "that refers to itself",
    () => {
      const list: unknown[] = Array.from({ length: 200_000 }, () => "Oslo, Norway");
      list.push(list);
      return list;
    },
  ],
  [
    "that is nested deep",
    () => {
      let deep: object = {};
      for (let level = 0; level < 10_000; level++) deep = { deep };
      return deep;
    },
  ],
];

test.each(oddValues)("beside a long value %s, no call is made again", async (_, value) => {
  let sent = 0;
  const send = tool({ name: "send", input, execute: () => ++sent });
  const give = tool({ name: "give", input, execute: value });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user" ? { toolCalls: [{ toolName: "give" }, { toolName: "send" }] } : "Done.",
  );
  const agent = new Agent({ name: "Clerk", model, tools: [send, give] });
  expect((await run(agent, "Go", { session: memorySession() })).status).toBe("completed");
  const app = runs({ agents: [agent], store: memoryStore() });
  void app.work();
  const { status } = await (await app.start(agent, "Go")).result({ timeout: 20_000 });
  await app.close();
  expect([status, sent]).toEqual(["completed", 2]);
});

test("a tool that calls another gets a long value whole, from a cache too, and after a pause", async () => {
  let made = 0;
  const orders = tool({
    name: "orders",
    input,
    cache: true,
    maxResultChars: 2_000,
    execute: () => {
      made++;
      return Array.from({ length: 40_000 }, (_, id) => ({ id, total: 50, place: "Oslo, Norway" }));
    },
  });
  const ask = tool({ name: "ask", input, approval: true, execute: () => "yes" });
  const count = tool({
    name: "count",
    input,
    execute: async (_, { call }: ToolContext) => {
      const list = await call("orders", {});
      const answer = await call("ask", {});
      return `${String(answer)}: ${Array.isArray(list) ? list.length : "no list"}`;
    },
  });
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "orders" }] },
    { toolCalls: [{ toolName: "count" }] },
    "Done.",
  ]);
  const agent = new Agent({ name: "Clerk", model, tools: [orders, ask, count] });
  const { state, pending } = await run(agent, "Go");
  const approvals = [{ approvalId: pending[0]?.approvalId ?? "", decision: "approve" }] as const;
  const resumed = await run(agent, JSON.parse(JSON.stringify(state)), { approvals });
  expect(resumed.messages.at(-2)).toMatchObject({ result: { content: [{ text: "yes: 40000" }] } });
  expect(made).toBe(1);
});

test("a step that has called for a long value, and a program that has, are not done again after a pause", async () => {
  let made = 0;
  const exportOrders = tool({
    name: "exportOrders",
    input,
    execute: () => ({ total: 100 + made++, csv: "x".repeat(1_200_000) }),
  });
  const pay = tool({
    name: "pay",
    input: { type: "object", properties: { amount: { type: "number" } } },
    approval: true,
    execute: ({ amount = 0 }: { readonly amount?: number }) => `Paid ${amount}.`,
  });
  let billed = 0;
  const bill = tool({
    name: "bill",
    input,
    execute: async (_, { call, step }: ToolContext) => {
      const length = await step("bill", async () => {
        billed++;
        return JSON.stringify(await call("exportOrders", {})).length;
      });
      return `${length > 1_200_000}: ${String(await call("pay", { amount: 1 }))}`;
    },
  });
  const code = "const { total } = await tools.exportOrders({}); return await tools.pay({ amount: total, });";
  const inCode = codeMode([exportOrders, pay], { check: false });
  const cases: readonly [readonly ToolSource[], object, string][] = [
    [[exportOrders, pay, bill], { toolName: "bill" }, "true: Paid 1."],
    [[inCode], { toolName: "execute_typescript", arguments: { code } }, "Paid 101."],
  ];
  for (const [tools, call, words] of cases) {
    const model = new ScriptedModel([{ toolCalls: [Object(call)] }, "Done."]);
    const agent = new Agent({ name: "Clerk", model, tools });
    const session = memorySession();
    const { pending } = await run(agent, "Go", { session });
    const approvals = [{ approvalId: pending[0]?.approvalId ?? "", decision: "approve" }] as const;
    const { messages } = await run(agent, [], { session, approvals });
    expect(messages.at(-2)).toMatchObject({
      result: { content: [{ text: expect.stringContaining(words) }] },
    });
  }
  expect([made, billed]).toEqual([2, 1]);
});

test.each(["tell", "ask"] as const)(
  "with interrupted %s, a masked call is not made again after a pause",
  async (interrupted) => {
    let made = 0;
    const createKey = tool({
      name: "createKey",
      input,
      interrupted,
      mask: ["secret"],
      execute: () => ({ id: ++made, secret: "s3cret" }),
    });
    const deploy = tool({ name: "deploy", input, approval: true, execute: () => "deployed" });
    const setUp = tool({
      name: "setUp",
      input,
      execute: async (_, { call }: ToolContext) => {
        await call("createKey", {});
        return call("deploy", {});
      },
    });
    const code = "const key = await tools.createKey({}); await tools.deploy({}); return key;";
    const texts: string[] = [];
    for (const [tools, call] of [
      [[createKey, deploy, setUp], { toolName: "setUp" }],
      [
        [codeMode([createKey, deploy], { check: false })],
        { toolName: "execute_typescript", arguments: { code } },
      ],
    ] as const) {
      const turns = [{ toolCalls: [call] }, "Done."];
      const agent = new Agent({
        name: "Ops",
        model: new ScriptedModel([...turns, ...turns]),
        tools: [...tools],
      });
      for (const session of [memorySession(), undefined]) {
        const paused = await run(agent, "Go", session ? { session } : {});
        const approvals = paused.pending.flatMap(({ approvalId }) =>
          approvalId === undefined ? [] : [{ approvalId, decision: "approve" } as const],
        );
        const state = JSON.parse(JSON.stringify(paused.state));
        const { messages } = await run(agent, session ? [] : state, {
          ...(session && { session }),
          approvals,
        });
        texts.push(JSON.stringify(messages.findLast(({ role }) => role === "tool")));
        expect(JSON.stringify([paused.state, messages])).not.toContain("s3cret");
      }
    }
    expect(made).toBe(4);
    for (const text of texts.slice(0, 2)) expect(text).toContain("createKey was done before");
    for (const text of texts.slice(2)) expect(text).toContain("[hidden]");
  },
);

test("a reference to a result that was too long is an error that the model reads", async () => {
  const orders = tool({ name: "orders", input, execute: () => "x".repeat(2_000_000) });
  const length = tool({
    name: "length",
    input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    execute: ({ text }: { readonly text: string }) => text.length,
  });
  const calls = [{ toolName: "orders" }, { toolName: "length", arguments: { text: { $result: "orders" } } }];
  const model = new ScriptedModel([{ toolCalls: calls }, "Done."]);
  const value = await lastValue(new Agent({ name: "Clerk", model, tools: [orders, length] }));
  expect(JSON.stringify(value)).toContain("whose result was too long to be kept");
});

test("what is too long to be passed on at all is an error for the tool that called for it", async () => {
  const endless = tool({ name: "endless", input, execute: () => "x".repeat(70_000_000) });
  const outer = tool({
    name: "outer",
    input,
    execute: (_, { call }: ToolContext) => call("endless", {}),
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "outer" }] }, "Done."]);
  const value = await lastValue(new Agent({ name: "Clerk", model, tools: [outer, endless] }));
  expect(JSON.stringify(value)).toContain("endless returned more than can be passed on");
});
