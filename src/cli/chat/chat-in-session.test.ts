/** A chat whose conversation is stored: what it continues, what it refuses, and what a person reads of a session in use. */
import { describe, expect, test, vi } from "vitest";
import { Agent, result, run, tool, type RunEvent, type Session } from "../../index.ts";
import { dollars } from "../../providers/wrappers/index.ts";
import { memorySession, readSession } from "../../sessions/index.ts";
import { FunctionModel, ScriptedModel } from "../../testing/index.ts";
import { chat } from "../index.ts";
import { transcript } from "./test-chat.ts";

vi.setConfig({ testTimeout: 30_000 });

const empty = { type: "object", properties: {} } as const;
const counting = new FunctionModel(({ messages }) => `I know ${messages.length} messages.`);

/** A tool that needs approval, and how often it was executed. */
function payment(): { readonly pay: ReturnType<typeof tool>; count(): number } {
  let count = 0;
  const pay = tool({
    name: "pay",
    input: empty,
    approval: true,
    execute: () => `paid ${(count += 1)}`,
  });
  return { pay, count: () => count };
}

/** A run that holds the session until it is released. */
async function holder(session: Session): Promise<{ release(): Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const request = Promise.withResolvers<void>();
  const model = new FunctionModel(() => (request.resolve(), promise));
  const running = run(new Agent({ name: "Clerk", model }), "Hold", { session });
  await request.promise;
  return {
    release: async () => {
      resolve("Held.");
      await running;
    },
  };
}

describe("a chat with a session", () => {
  test("stores each message, and a later chat continues where it stood", async () => {
    const session = memorySession();
    const agent = new Agent({ name: "Clerk", model: counting });
    await transcript(agent, ["one", "two"], { session });
    expect(await transcript(agent, ["three"], { session })).toBe("> three\nClerk: I know 5 messages.\n");
    const { messages, state } = await readSession(session);
    expect(messages).toHaveLength(6);
    expect(state?.status).toBe("completed");
  });

  test("has the agent that had the lead, and the context that tools changed", async () => {
    const session = memorySession();
    const login = tool({ name: "login", input: empty, execute: () => result({ context: { user: "ada" } }) });
    const sales = new Agent({ name: "Sales" });
    const script = [
      { toolCalls: [{ toolName: "login" }] },
      { toolCalls: [{ toolName: "transfer_to_sales" }] },
      "Welcome.",
      "Still here.",
    ];
    const model = new ScriptedModel(script);
    const desk = new Agent({ name: "Desk", model, tools: [login], handoffs: [sales] });
    await transcript(desk, ["buy"], { session, context: { shop: 1, user: "" } });
    const text = await transcript(desk, ["/context", "more"], { session, context: { shop: 2 } });
    expect(text).toContain("{ shop: 2, user: 'ada' }");
    expect(text).toContain("Sales: Still here.\n");
    expect((await readSession(session)).state?.context).toEqual({ shop: 2, user: "ada" });
  });

  test("asks at its start about a call that waits, and executes it once", async () => {
    const session = memorySession();
    const { pay, count } = payment();
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "pay" }] }, "Done."]);
    const agent = new Agent({ name: "Clerk", model, tools: [pay] });
    expect((await run(agent, "Pay", { session })).status).toBe("paused");
    expect(await transcript(agent, ["y"], { session })).toMatch(/Approve "?pay"?\?[^]*Clerk: Done\.\n$/);
    expect(count()).toBe(1);
    expect(await transcript(agent, [], { session })).toBe("");
  });

  test("pauses for approval and goes on within the session", async () => {
    const session = memorySession();
    const { pay, count } = payment();
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "pay" }] }, "Done.", "Bye."]);
    const agent = new Agent({ name: "Clerk", model, tools: [pay] });
    await transcript(agent, ["Pay", "y", "Thanks"], { session });
    expect(count()).toBe(1);
    expect((await readSession(session)).messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
      "assistant",
    ]);
  });

  test.each([
    ["a session", true],
    ["none", false],
  ])("a call that is approved gets the context of before its batch, with %s", async (_title, isStored) => {
    const seen: unknown[] = [];
    const pay = tool({
      name: "pay",
      input: empty,
      approval: true,
      execute: (_: object, { context }) => void seen.push(context),
    });
    const change = tool({
      name: "change",
      input: empty,
      execute: () => result({ context: { user: "eve" } }),
    });
    const login = tool({ name: "login", input: empty, execute: () => result({ context: { by: "hand" } }) });
    const both = { toolCalls: [{ toolName: "pay" }, { toolName: "change" }] };
    const model = new ScriptedModel([both, "Done.", both, "Done."]);
    const agent = new Agent({ name: "Clerk", model, tools: [pay, change, login] });
    const db = new Map();
    const context = { user: "ada", db };
    const options = { context, ...(isStored && { session: memorySession() }) };
    const lines = ["Pay", "y", "/context", "/call login", "Again", "y", "/context"];
    const text = await transcript(agent, lines, options);
    expect(seen).toEqual([context, { user: "eve", by: "hand", db }]);
    expect(text).toContain("user: 'eve'");
    expect(text.slice(text.lastIndexOf("/context"))).toMatch(/user: 'eve'[^]*by: 'hand'/);
  });

  test("names a run that did not finish, and /retry goes on with it without repeating its calls", async () => {
    const session = memorySession();
    let calls = 0;
    const look = tool({ name: "look", input: empty, execute: () => `seen ${(calls += 1)}` });
    const script = [{ toolCalls: [{ toolName: "look" }] }, "There it is."];
    const agent = new Agent({ name: "Clerk", model: new ScriptedModel(script), tools: [look] });
    await run(agent, "Look", { session, maxTurns: 1 });
    const text = await transcript(agent, ["/retry", "/retry"], { session });
    expect(text).toContain("The last run of this session did not finish. /retry goes on with it.");
    expect(text).toContain("Clerk: There it is.\n");
    expect(text).toContain("The session has no run to resume. Send the message again.");
    expect(calls).toBe(1);
  });

  test("refuses to take back what is stored; /reset clears it", async () => {
    const session = memorySession();
    const agent = new Agent({ name: "Clerk", model: counting });
    const text = await transcript(agent, ["one", "/undo", "/load x.json", "two", "/reset", "three"], {
      session,
    });
    expect(text).toContain("There is no /undo here: the session keeps all that was said.");
    expect(text).toContain("There is no /load here");
    expect(text).toContain("> two\nClerk: I know 3 messages.\n");
    expect(text).toContain("Clerk begins again.\n> three\nClerk: I know 1 messages.\n");
    expect((await readSession(session)).messages).toHaveLength(2);
  });

  test("/call changes the context for the next message, and leaves messages and lead as they are", async () => {
    const session = memorySession();
    const login = tool({ name: "login", input: empty, execute: () => result({ context: { user: "ada" } }) });
    const sales = new Agent({ name: "Sales", model: counting });
    const desk = new Agent({ name: "Desk", model: counting, tools: [login], handoffs: [sales] });
    const lines = ["one", "/call login", "/call transfer_to_sales", "two", "/agent"];
    const text = await transcript(desk, lines, { session });
    expect(text).toContain("The lead stays with Desk: the session stores what runs do.");
    expect(text).toContain("> two\nDesk: I know 3 messages.\n");
    expect((await readSession(session)).state).toMatchObject({ agent: "Desk", context: { user: "ada" } });
  });
});

describe("a session in use", () => {
  test("is one line for the person, no stack, and the message can be sent again", async () => {
    const session = memorySession();
    const { release } = await holder(session);
    const agent = new Agent({ name: "Clerk", model: counting });
    const busy = await transcript(agent, ["Hi"], { session });
    const [, error, ...rest] = busy.split("\n").slice(-3);
    expect(error).toMatch(/^Error: The session is in use by another run of this process\. Try again when/);
    expect(rest).toEqual([""]);
    expect(busy).not.toMatch(/^\s+at /m);
    await release();
    expect(await transcript(agent, ["Hi"], { session })).toContain("Clerk: I know 3 messages.\n");
  });

  test("leaves a call that waits: /retry asks again", async () => {
    const session = memorySession();
    const { pay, count } = payment();
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "pay" }] }, "Done."]);
    const agent = new Agent({ name: "Clerk", model, tools: [pay] });
    await run(agent, "Pay", { session });
    let loads = 0;
    let isBusy = false;
    // Another run is faster twice: at the start of the chat, and once the person has decided. The chat reads before each run.
    const refusing: Session = {
      load: () => {
        isBusy = [3, 8].includes((loads += 1));
        return session.load();
      },
      clear: () => session.clear(),
      append: async (entries) => {
        if (isBusy) throw await busyError();
        return session.append(entries);
      },
    };
    const text = await transcript(agent, ["/retry", "y", "/retry", "y"], { session: refusing });
    const refusal =
      "Error: The session is in use[^\\n]*\\nA call still waits for your decision. /retry asks again.\\n";
    const question = "> /retry\\n[^]*Approve pay\\?[^\\n]*\\n> y\\n";
    expect(text.replaceAll('"', "")).toMatch(
      new RegExp(`^${refusal}${question}${refusal}${question}[^]*Clerk: Done\\.\\n$`),
    );
    expect(count()).toBe(1);
  });
});

/** What a run throws that finds its session in use. */
async function busyError(): Promise<unknown> {
  const session = memorySession();
  const { release } = await holder(session);
  const agent = new Agent({ name: "Clerk", model: counting });
  const error: unknown = await run(agent, "Hi", { session }).catch((thrown: unknown) => thrown);
  await release();
  return error;
}

describe("the limits of a chat", () => {
  const usage = { inputTokens: 1_000_000, outputTokens: 0 };

  test("maxCost is the most money for one message", async () => {
    const again = tool({ name: "again", input: empty, execute: () => "once more" });
    const call = { toolCalls: [{ toolName: "again" }], usage };
    const model = new ScriptedModel([call, "never"], { provider: "openai", modelId: "gpt-5.2" });
    const agent = new Agent({ name: "Clerk", model, tools: [again] });
    const text = await transcript(agent, ["a"], { maxCost: dollars(0.5) });
    expect(text).toContain("(stopped: what the run may use is used up");
    expect(model.requests).toHaveLength(1);
  });

  test("maxTokens is the most tokens for one message, also of a model without a price", async () => {
    const again = tool({ name: "again", input: empty, execute: () => "once more" });
    const call = { toolCalls: [{ toolName: "again" }], usage };
    const model = new ScriptedModel([call, { text: "Hello.", usage }]);
    const agent = new Agent({ name: "Clerk", model, tools: [again] });
    const text = await transcript(agent, ["a", "b"], { maxTokens: 500_000 });
    expect(text).toMatch(/> a\n[^>]*\(stopped: what the run may use is used up[^>]*> b\nClerk: Hello\./);
  });

  test("compaction shortens what the model reads, without and with a session", async () => {
    for (const session of [undefined, memorySession()]) {
      const sizes: number[] = [];
      const model = new FunctionModel(({ messages }) => {
        sizes.push(messages.length);
        return "word ".repeat(400);
      });
      const lines = Array.from({ length: 8 }, (_, index) => `message ${index}`);
      await transcript(new Agent({ name: "Clerk", model }), lines, {
        compaction: { maxTokens: 2_000 },
        ...(session && { session }),
      });
      expect(Math.max(...sizes)).toBeLessThan(12);
    }
  });

  test("onEvent is called with every event of every run, and what it throws is a warning", async () => {
    const events: RunEvent[] = [];
    const agent = new Agent({ name: "Clerk", model: counting });
    await transcript(agent, ["one", "two"], { onEvent: (event) => void events.push(event) });
    expect(events.filter(({ type }) => type === "run-end")).toHaveLength(2);
    expect(events[0]).toMatchObject({ type: "turn-start", index: 0 });
    const text = await transcript(agent, ["one"], {
      onEvent: () => {
        throw new Error("listener broke");
      },
    });
    expect(text).toContain("listener broke");
    expect(text).toContain("Clerk: I know 1 messages.\n");
  });

  test.each([
    ["an unknown option", { maxTurn: 3 }, "maxTurn"],
    ["a session that is a path", { session: "chat.jsonl" }, "session"],
    ["a listener that is not a function", { onEvent: "print" }, "onEvent"],
    ["a negative limit", { maxTurns: -1 }, "maxTurns"],
    ["a state beside a session", { session: memorySession(), state: {} }, "state"],
  ])("%s is refused before the chat begins", async (_case, options, option) => {
    const chatting = chat(new Agent({ name: "Clerk", model: counting }), options as never);
    await expect(chatting).rejects.toMatchObject({ code: "invalid-option", data: { option } });
  });
});
