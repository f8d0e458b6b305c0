/** A check of one's own that never ends holds nothing: what bounds a call bounds its checks. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Agent, executeToolCalls, run, stream, tool } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";

interface LibraryOptions {
  readonly timeout?: number;
  readonly approval?: true;
  readonly validateOutput?: true;
  readonly output?: z.ZodType<string>;
}

/** A tool whose arguments are checked against a database that does not answer while it hangs. */
function library(options: LibraryOptions = {}) {
  const state = { hangs: true, booked: 0 };
  const check = () => (state.hangs ? new Promise<boolean>(() => {}) : true);
  const book = tool({
    name: "book",
    input: z.object({ id: z.string().refine(check) }),
    execute: () => `booked ${(state.booked += 1)}`,
    ...options,
  });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool" || JSON.stringify(messages).includes("Hello?")
      ? "Done."
      : { toolCalls: [{ toolName: "book", arguments: { id: "7" } }] },
  );
  return { state, book, agent: new Agent({ name: "A", model, tools: [book] }) };
}

describe("a check of arguments that does not end", () => {
  test("ends with the tool's timeout, and the model learns of it", async () => {
    const { agent, state } = library({ timeout: 20 });
    const { status, messages } = await run(agent, "Book 7");
    expect(status).toBe("completed");
    expect(messages[1]).toMatchObject({
      result: {
        outcome: "timeout",
        content: [
          { text: expect.stringContaining("the check of its arguments did not finish within 20 ms") },
        ],
      },
    });
    expect(state.booked).toBe(0);
  });

  test("in a session ends with the tool's timeout, and calls that refer to its result are not executed", async () => {
    const { book, state } = library({ timeout: 20 });
    const confirm = tool({ name: "confirm", input: z.object({ text: z.string() }), execute: () => "ok" });
    const toolCalls = [
      { toolCallId: "1", toolName: "book", arguments: { id: "7" } },
      { toolName: "confirm", arguments: { text: { $result: "1" } } },
    ];
    const model = new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "tool" ? "Done." : { toolCalls },
    );
    const agent = new Agent({ name: "A", model, tools: [book, confirm] });
    const session = memorySession();
    const { status, messages } = await run(agent, "Book 7", { session });
    expect(status).toBe("completed");
    const outcomes = messages.flatMap((message) => (message.role === "tool" ? message.result.outcome : []));
    expect(outcomes).toEqual(["timeout", "not-executed"]);
    expect(state.booked).toBe(0);
  });

  test("ends with the run, whose session is free then", async () => {
    const { agent, state } = library();
    const session = memorySession();
    expect(await run(agent, "Book 7", { session, timeout: 20 })).toMatchObject({ status: "cancelled" });
    expect(await run(agent, "Hello?", { session })).toMatchObject({ status: "completed" });
    const running = stream(agent, "Book 7");
    setTimeout(() => running.cancel(), 20);
    expect(await running.result).toMatchObject({ status: "cancelled" });
    expect(state.booked).toBe(0);
  });

  test("ends with the signal of calls that are executed alone", async () => {
    const { book, state } = library();
    const call = { toolCallId: "1", toolName: "book", arguments: '{"id":"7"}' };
    const results = await executeToolCalls([call], [book], { signal: AbortSignal.timeout(20) });
    expect(results).toMatchObject([{ outcome: "cancelled" }]);
    expect(state.booked).toBe(0);
  });

  test("ends with the run where a person wrote the arguments", async () => {
    const { agent, state } = library({ approval: true });
    state.hangs = false;
    const paused = await run(agent, "Book 7");
    state.hangs = true;
    const approvalId = paused.pending[0]?.approvalId ?? "";
    const approvals = [{ approvalId, decision: "approve", arguments: { id: "8" } }] as const;
    expect(await run(agent, paused.state, { timeout: 20, approvals })).toMatchObject({ status: "cancelled" });
    expect(state.booked).toBe(0);
  });
});

test("a check of the input that a person was shown ends with the tool's timeout, and the call waits on", async () => {
  let checks = 0;
  let hangsAt = Infinity;
  let booked = 0;
  const book = tool({
    name: "book",
    // A replacement is not what was shown: it is read and checked again.
    input: z.object({ id: z.string().default(() => crypto.randomUUID()) }).refine(() => {
      checks += 1;
      return checks >= hangsAt ? new Promise<boolean>(() => {}) : true;
    }),
    execute: () => `booked ${(booked += 1)}`,
    timeout: 20,
    approval: true,
  });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ toolName: "book", arguments: {} }] },
  );
  const agent = new Agent({ name: "A", model, tools: [book] });
  const paused = await run(agent, "Book");
  hangsAt = checks + 2;
  const approvals = [{ approvalId: paused.pending[0]?.approvalId ?? "", decision: "approve" }] as const;
  const waiting = await run(agent, paused.state, { approvals });
  hangsAt = Infinity;
  expect([waiting.status, booked]).toEqual(["paused", 0]);
  const again = [{ approvalId: waiting.pending[0]?.approvalId ?? "", decision: "approve" }] as const;
  expect(await run(agent, waiting.state, { approvals: again })).toMatchObject({ status: "completed" });
  expect(booked).toBe(1);
});

test("a check of a result that does not end does not hold the run, and what the tool has done stands", async () => {
  const { agent, state } = library({
    output: z.string().refine(() => new Promise<boolean>(() => {})),
    validateOutput: true,
  });
  state.hangs = false;
  const { status, messages } = await run(agent, "Book 7", { timeout: 50 });
  expect(status).toBe("cancelled");
  expect(messages[1]).toMatchObject({ result: { outcome: "success", content: [{ text: "booked 1" }] } });
});

describe.each([
  ["allow", { allow: () => new Promise<boolean>(() => {}) }, ["completed", "denied"]],
  ["approval", { approval: () => new Promise<boolean>(() => {}) }, ["paused", undefined]],
] as const)("a policy that does not settle: %s", (_name, options, end) => {
  const agentWith = (timeout?: number) => {
    const book = tool({
      name: "book",
      input: z.object({}),
      execute: () => "booked",
      ...options,
      ...(timeout !== undefined && { timeout }),
    });
    const model = new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ toolName: "book" }] },
    );
    return new Agent({ name: "A", model, tools: [book] });
  };

  test("ends with the tool's timeout: a tool is refused, and a person decides on a call", async () => {
    const { status, messages, warnings } = await run(agentWith(20), "Book");
    expect(warnings[0]).toContain("no answer within 20 ms");
    const [outcome] = messages.flatMap((message) => (message.role === "tool" ? message.result.outcome : []));
    expect([status, outcome]).toEqual(end);
  });

  test("ends with the run's timeout, its signal, and a cancellation", async () => {
    expect(await run(agentWith(), "Book", { timeout: 20 })).toMatchObject({ status: "cancelled" });
    const signal = AbortSignal.timeout(20);
    expect(await run(agentWith(), "Book", { signal })).toMatchObject({ status: "cancelled" });
    const running = stream(agentWith(), "Book");
    setTimeout(() => running.cancel(), 20);
    expect(await running.result).toMatchObject({ status: "cancelled" });
  });
});

test("a key of a cache that is a promise is refused at once", async () => {
  const book = tool({
    name: "book",
    input: z.object({}),
    execute: () => "booked",
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as a program in JavaScript may return it
    cache: { key: () => new Promise<string>(() => {}) as unknown as string },
  });
  const results = await executeToolCalls([{ toolCallId: "1", toolName: "book", arguments: "{}" }], [book]);
  expect(results).toMatchObject([{ outcome: "error" }]);
});
