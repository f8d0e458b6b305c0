/** What a caller passes and changes afterwards, or passes wrongly: what counts is what was passed. */
import { Agent, run, stream, tool } from "skein";
import { memoryStore, runs } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";

const numbered = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } as const;

function clerk() {
  const payments: number[] = [];
  const pay = tool({
    name: "pay",
    input: numbered,
    approval: true,
    execute: ({ n }: { readonly n: number }) => payments.push(n),
  });
  const ask = tool({ name: "ask", input: { type: "object", properties: {} } });
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === "tool")
      return last.result.content.map((part) => (part.type === "text" ? part.text : "")).join();
    if (last?.role === "user" && last.content === "Ask.") return { toolCalls: [{ toolName: "ask" }] };
    return last?.role === "user" && last.content === "Pay."
      ? { toolCalls: [{ toolName: "pay", arguments: { n: 1 } }] }
      : `You said: ${JSON.stringify(last?.content)}`;
  });
  return { agent: new Agent({ name: "Clerk", model, tools: [pay, ask] }), payments };
}

test("arguments of an approval are those that were passed", async () => {
  const { agent, payments } = clerk();
  const { state, pending } = await run(agent, "Pay.");
  const edited = { n: 5 };
  const approvals = [
    { approvalId: pending[0]?.approvalId ?? "", decision: "approve" as const, arguments: edited },
  ];
  const running = run(agent, state, { approvals });
  edited.n = 77;
  approvals.length = 0;
  await running;
  expect(payments).toEqual([5]);
});

test("a result is the one that was passed", async () => {
  const { agent } = clerk();
  const { state, pending } = await run(agent, "Ask.");
  const content = { v: 1 };
  const running = run(agent, state, { results: [{ toolCallId: pending[0]?.toolCallId ?? "", content }] });
  content.v = 2;
  expect((await running).text).toBe('{"v":1}');
});

test("a message to a run is the one that was passed", async () => {
  const { agent } = clerk();
  const message = { role: "user" as const, content: [{ type: "text" as const, text: "first" }] };
  const running = stream(agent, "Hello");
  running.queue(message);
  message.content[0] = { type: "text", text: "second" };
  expect((await running.result).text).toContain("first");
});

test("what a durable run is started with, decided and sent is what was passed", async () => {
  const { agent, payments } = clerk();
  const app = runs({ agents: [agent], store: memoryStore() });
  const input = [{ role: "user" as const, content: "Pay." }];
  const metadata = { of: "ann" };
  const starting = app.start(agent, input, { metadata });
  input[0] = { role: "user", content: "Nothing." };
  metadata.of = "bob";
  const handle = await starting;
  const message = { role: "user" as const, content: [{ type: "text" as const, text: "first" }] };
  const sending = handle.queue(message);
  message.content[0] = { type: "text", text: "second" };
  await sending;
  void app.work();
  const { pending } = await handle.result();
  const edited = { n: 5 };
  const deciding = handle.decide([
    { approvalId: pending[0]?.approvalId ?? "", decision: "approve", arguments: edited },
  ]);
  edited.n = 77;
  await deciding;
  expect((await handle.result()).text).toContain("first");
  expect(payments).toEqual([5]);
  expect((await handle.state()).metadata).toEqual({ of: "ann" });
  await app.close();
});

test("null is not taken for arguments that were left out", async () => {
  const { agent, payments } = clerk();
  const { state, pending } = await run(agent, "Pay.");
  const wrong: object = JSON.parse("null");
  const approvals = [
    { approvalId: pending[0]?.approvalId ?? "", decision: "approve" as const, arguments: wrong },
  ];
  await expect(run(agent, state, { approvals })).rejects.toMatchObject({
    name: "InvalidInputError",
    message: expect.stringContaining("are null"),
  });
  expect(payments).toEqual([]);
});

test("a call that waits for a decision takes no result", async () => {
  const { agent } = clerk();
  const { state, pending } = await run(agent, "Pay.");
  const results = [{ toolCallId: pending[0]?.toolCallId ?? "", content: "paid" }];
  await expect(run(agent, state, { results })).rejects.toMatchObject({
    name: "InvalidInputError",
    message: expect.stringContaining("options.approvals"),
  });
});

test("the output of runOptions is not that of an agent which runs on its own", async () => {
  const output = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } as const;
  const inner = new Agent({ name: "Inner", description: "i", model: new FunctionModel(() => "plain text") });
  const model = new FunctionModel(({ messages }) =>
    messages.length === 1
      ? { toolCalls: [{ toolName: "inner", arguments: { input: "x" } }] }
      : { toolCalls: [{ toolName: "final_answer", arguments: { n: 1 } }] },
  );
  const outer = new Agent({ name: "Outer", model, tools: [inner.asTool({ name: "inner", detached: true })] });
  const app = runs({ agents: [outer], store: memoryStore(), runOptions: { output } });
  void app.work();
  const handle = await app.start(outer, "Go.");
  expect(await handle.result({ until: "end" })).toMatchObject({ status: "completed", output: { n: 1 } });
  expect(JSON.stringify((await handle.state()).messages)).toContain("plain text");
  await app.close();
});

test("a run that is being cancelled cannot be tried again", async () => {
  const begun = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const slow = tool({
    name: "slow",
    input: { type: "object", properties: {} },
    execute: async () => {
      begun.resolve();
      await done.promise;
    },
  });
  const model = new FunctionModel(() => ({ toolCalls: [{ toolName: "slow" }] }));
  const agent = new Agent({ name: "Slow", model, tools: [slow] });
  const store = memoryStore();
  const app = runs({ agents: [agent], store });
  void app.work();
  const handle = await app.start(agent, "Go.");
  await begun.promise;
  // As another process does, which cannot end the run at once.
  const other = runs({ agents: [], store });
  await other.get(handle.id).cancel();
  await expect(other.get(handle.id).retry()).rejects.toMatchObject({ code: "run-ended" });
  done.resolve();
  await handle.result({ until: "end" });
  await Promise.all([app.close(), other.close()]);
});

test.each([
  ["rejects", () => Promise.reject(new Error("no"))],
  ["resolves", () => Promise.resolve({ type: "object" })],
])("a schema whose JSON Schema is a promise that %s is an error", (_, jsonSchema) => {
  const standard = {
    version: 1 as const,
    vendor: "own",
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: jsonSchema, output: jsonSchema },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is wrong with it is the matter here
  const input = { "~standard": standard } as never;
  expect(() => tool({ name: "f", input, execute: () => 1 })).toThrow("returns a promise");
});
