/** Agents called as tools whose calls need approval: they pause the whole run, and go on where they were. */
import { Agent, result, run, type RunState, stream, tool, type ToolContext } from "skein";
import { memorySession, readSession } from "skein/sessions";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { describe, expect, test } from "vitest";
import {
  boss,
  calls,
  clerk,
  decide,
  does,
  effects,
  empty,
  keepers,
  keys,
  pay,
  plain,
} from "./test-nested.ts";

describe("an agent called as a tool whose call needs approval", () => {
  test("pauses the run around it, which lists the call itself", async () => {
    const paused = await run(boss(), "go");
    expect(paused.status).toBe("paused");
    expect(paused.pending).toEqual([
      {
        toolCallId: "id_1",
        toolName: "pay",
        arguments: '{"amount":5}',
        input: { amount: 5 },
        approvalId: expect.any(String),
        agent: "Clerk",
        parentToolCallId: "id_0",
      },
    ]);
    expect(paused.state.pending).toEqual(paused.pending);
    expect(paused.messages).toHaveLength(1);
    expect(effects).toEqual(["look"]);
    expect(paused.agentRuns).toMatchObject([{ agent: "Clerk", status: "paused", turns: 2 }]);
  });

  test.each(keepers)("goes on once it is approved, with %s", async (_title, optionsOf) => {
    const options = optionsOf();
    const paused = await run(boss(), "go", options);
    const input = "session" in options ? [] : plain(paused.state);
    const done = await run(boss(), input, { ...options, approvals: decide(paused) });
    expect(done).toMatchObject({ status: "completed", pending: [] });
    expect(done.text).toContain("note is done");
    expect(effects).toEqual(["look", "pay 5", "note"]);
    expect(done.state.nested).toBeUndefined();
  });

  test("goes on with the refusal where it is denied", async () => {
    const paused = await run(boss(), "go");
    const done = await run(boss(), plain(paused.state), {
      approvals: decide(paused, "deny", { reason: "Too much." }),
    });
    expect(done.status).toBe("completed");
    expect(effects).toEqual(["look", "note"]);
    expect(done.text).toContain("Too much.");
  });

  test.each(keepers)("waits as often as it has to, with %s", async (_title, optionsOf) => {
    const options = optionsOf();
    const agent = (): Agent =>
      boss([
        new Agent({
          name: "Clerk",
          model: calls(pay, "look", pay),
          tools: [does("look"), does("pay", { approval: true })],
        }).asTool(),
      ]);
    let paused = await run(agent(), "go", options);
    const input = (): [] | RunState => ("session" in options ? [] : plain(paused.state));
    paused = await run(agent(), input(), { ...options, approvals: decide(paused) });
    expect(paused.pending).toMatchObject([{ toolCallId: "id_2", toolName: "pay" }]);
    const done = await run(agent(), input(), { ...options, approvals: decide(paused) });
    expect(done.status).toBe("completed");
    expect(effects).toEqual(["pay 5", "look", "pay 5"]);
    expect(new Set(keys).size).toBe(3);
  });

  test("is called with the arguments that a person wrote", async () => {
    const paused = await run(boss(), "go");
    await run(boss(), plain(paused.state), {
      approvals: decide(paused, "approve", { arguments: { amount: 1 } }),
    });
    expect(effects).toEqual(["look", "pay 1", "note"]);
  });

  test("stays open without a decision, and nothing is done again", async () => {
    const paused = await run(boss(), "go");
    const again = await run(boss(), plain(paused.state));
    expect(again).toMatchObject({ status: "paused", turns: 0, pending: paused.pending });
    expect(plain(again.state)).toEqual({ ...plain(paused.state) });
    expect(effects).toEqual(["look"]);
  });

  test("whose decision cannot be carried out fails the run before anything is executed, with a state to go on from", async () => {
    const paused = await run(boss(), "go");
    const wrong = run(boss(), plain(paused.state), {
      approvals: decide(paused, "approve", { arguments: { amount: "much" } }),
    });
    const error: { message: string; state?: RunState } = await wrong.catch((thrown) => thrown);
    expect(error.message).toMatch(/arguments that options.approvals gives to pay are wrong/);
    expect(effects).toEqual(["look"]);
    expect(error.state).toMatchObject({ agent: "Boss", pending: paused.pending });
    const done = await run(boss(), plain(error.state as RunState), { approvals: decide(paused) });
    expect(done.status).toBe("completed");
    expect(effects).toEqual(["look", "pay 5", "note"]);
  });

  test("refuses a decision that was not asked for, and one made twice", async () => {
    const paused = await run(boss(), "go");
    const [decision] = decide(paused);
    if (!decision) throw new Error("no decision");
    await expect(
      run(boss(), plain(paused.state), { approvals: [{ ...decision, approvalId: "x" }] }),
    ).rejects.toThrow(/"x", which is not pending \(pending: .*pay/);
    await expect(run(boss(), plain(paused.state), { approvals: [decision, decision] })).rejects.toThrow(
      /twice/,
    );
    expect(effects).toEqual(["look"]);
  });

  test("that was changed in the state is refused, and a signature covers it", async () => {
    const paused = await run(boss(), "go");
    const changed = JSON.stringify(paused.state).replaceAll(
      String.raw`{\"amount\":5}`,
      String.raw`{\"amount\":9}`,
    );
    await expect(run(boss(), JSON.parse(changed), { approvals: decide(paused) })).rejects.toThrow(
      /has changed since approval/,
    );
    const listed = plain(paused.state);
    const shown = { ...listed, pending: listed.pending.map((call) => ({ ...call, arguments: "{}" })) };
    await expect(run(boss(), shown, { approvals: decide(paused) })).rejects.toThrow(
      /has changed since approval/,
    );
    const stateSecret = "0123456789abcdef";
    const signed = await run(boss(), "go", { stateSecret });
    const forged = JSON.stringify(signed.state).replace("look is done", "look is fun!");
    await expect(run(boss(), JSON.parse(forged), { stateSecret, approvals: decide(signed) })).rejects.toThrow(
      /state was changed/,
    );
    expect(effects).toEqual(["look", "look"]);
  });

  test("is asked about in a plain event, once, with the call that it is within", async () => {
    const events = await Array.fromAsync(stream(boss(), "go"));
    const requests = events.filter((event) => event.type === "approval-request");
    expect(requests).toMatchObject([
      {
        agent: "Clerk",
        toolCall: { toolName: "pay" },
        input: { amount: 5 },
        parentToolCallId: "id_0",
      },
    ]);
    expect(JSON.stringify(events).match(/"approval-request"/g)).toHaveLength(1);
    const again = await Array.fromAsync(stream(boss(), plain((await run(boss(), "go")).state)));
    expect(again.filter((event) => event.type === "approval-request")).toMatchObject([
      { agent: "Clerk", input: { amount: 5 }, parentToolCallId: "id_0" },
    ]);
  });

  test("is given up with the run that is cancelled while it waits for others", async () => {
    const controller = new AbortController();
    const slow = tool({
      name: "slow",
      input: empty,
      execute: async () => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        controller.abort();
        await new Promise(() => {});
      },
    });
    const model = new ScriptedModel([
      { toolCalls: [{ toolName: "clerk", arguments: { input: "x" } }, { toolName: "slow" }] },
    ]);
    const agent = new Agent({ name: "Boss", model, tools: [clerk().asTool(), slow] });
    const outcome = await run(agent, "go", { signal: controller.signal });
    expect(outcome).toMatchObject({ status: "cancelled", pending: [] });
    expect(outcome.messages).toHaveLength(3);
    expect(outcome.state.nested).toBeUndefined();
  });

  test("is dropped where the conversation goes on with a new message", async () => {
    const session = memorySession();
    await run(boss(), "go", { session });
    const outcome = await run(boss(), "never mind", { session });
    expect(outcome.state.nested).toBeUndefined();
    expect((await readSession(session)).state?.nested).toBeUndefined();
  });

  test("is shown by its session", async () => {
    const session = memorySession();
    const paused = await run(boss(), "go", { session });
    const { state } = await readSession(session);
    expect(state?.pending).toEqual(paused.pending);
    expect(state?.nested).toEqual(plain(paused.state.nested));
  });

  test("waits beside a call that is done, which is not repeated", async () => {
    const agent = (): Agent =>
      new Agent({
        name: "Boss",
        model: new FunctionModel(({ messages }) =>
          messages.length > 1
            ? "All done."
            : {
                toolCalls: [
                  { toolCallId: "one", toolName: "clerk", arguments: { input: "x" } },
                  { toolCallId: "two", toolName: "count" },
                  { toolCallId: "three", toolName: "clerk", arguments: { input: "y" } },
                ],
              },
        ),
        tools: [clerk().asTool(), does("count")],
      });
    const paused = await run(agent(), "go");
    expect(paused.pending.map(({ parentToolCallId }) => parentToolCallId)).toEqual(["one", "three"]);
    const [first, second] = decide(paused);
    if (!first || !second) throw new Error("two decisions are missing");
    const halfway = await run(agent(), plain(paused.state), { approvals: [second] });
    expect(halfway.pending.map(({ parentToolCallId }) => parentToolCallId)).toEqual(["one"]);
    const done = await run(agent(), plain(halfway.state), { approvals: [first] });
    expect(done.status).toBe("completed");
    expect(effects.toSorted()).toEqual(
      ["count", "look", "look", "note", "note", "pay 5", "pay 5"].toSorted(),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("goes on with the agent that it handed off to", async () => {
    const cashier = new Agent({
      name: "Cashier",
      model: new FunctionModel(({ messages }) =>
        messages.at(-1)?.role === "tool" && messages.length > 4
          ? "Paid."
          : { toolCalls: [{ toolCallId: "p", ...pay }] },
      ),
      tools: [does("pay", { approval: true })],
    });
    const desk = (): Agent =>
      new Agent({ name: "Clerk", model: calls("transfer_to_cashier"), handoffs: [cashier] });
    const paused = await run(boss([desk().asTool()]), "go");
    expect(paused.pending).toMatchObject([{ agent: "Cashier", toolName: "pay" }]);
    const done = await run(boss([desk().asTool()]), plain(paused.state), { approvals: decide(paused) });
    expect(done).toMatchObject({ status: "completed" });
    expect(done.text).toContain("Paid.");
    expect(effects).toEqual(["pay 5"]);
  });

  test("uses the context of the run that goes on, and keeps what it has changed of it", async () => {
    class Database {
      readonly isLive = true;
    }
    const seen: unknown[] = [];
    const show = tool({
      name: "show",
      input: empty,
      execute: (_input, { context }: ToolContext<{ db?: Database; user?: string }>) => {
        seen.push([context.db?.isLive, context.user]);
        return "shown";
      },
    });
    const rename = tool({
      name: "rename",
      input: empty,
      execute: () => result({ value: "renamed", context: { user: "Bo" } }),
    });
    const inner = (): Agent<{ db?: Database; user?: string }> =>
      new Agent({
        name: "Clerk",
        model: calls("rename", pay, "show"),
        tools: [rename, does("pay", { approval: true }), show],
      });
    const outer = (): Agent => new Agent({ name: "Boss", model: calls("clerk"), tools: [inner().asTool()] });
    const context = { db: new Database(), user: "Ada" };
    const paused = await run(outer(), "go", { context });
    await run(outer(), plain(paused.state), { context, approvals: decide(paused) });
    expect(seen).toEqual([[true, "Bo"]]);
    expect(JSON.stringify(paused.state.nested)).not.toContain("isLive");
  });
});

describe("deeper", () => {
  const middle = (): Agent => new Agent({ name: "Middle", model: calls("clerk"), tools: [clerk().asTool()] });
  const top = (): Agent => new Agent({ name: "Boss", model: calls("middle"), tools: [middle().asTool()] });

  test.each(keepers)("an agent in an agent in an agent goes on, with %s", async (_title, optionsOf) => {
    const options = optionsOf();
    const paused = await run(top(), "go", options);
    expect(paused.pending).toMatchObject([{ agent: "Clerk", toolName: "pay", parentToolCallId: "id_0" }]);
    const input = "session" in options ? [] : plain(paused.state);
    const done = await run(top(), input, { ...options, approvals: decide(paused) });
    expect(done.status).toBe("completed");
    expect(done.text).toContain("note is done");
    expect(effects).toEqual(["look", "pay 5", "note"]);
    expect(new Set(keys).size).toBe(3);
  });

  test("a wrong decision fails the outermost run, whose state goes on", async () => {
    const paused = await run(top(), "go");
    const error: { message: string; state?: RunState } = await run(top(), plain(paused.state), {
      approvals: decide(paused, "approve", { arguments: { amount: "much" } }),
    }).catch((thrown) => thrown);
    expect(error.message).toMatch(/gives to pay are wrong/);
    expect(error.state?.agent).toBe("Boss");
    const done = await run(top(), plain(error.state as RunState), { approvals: decide(paused) });
    expect(done.status).toBe("completed");
    expect(effects).toEqual(["look", "pay 5", "note"]);
  });
});

test("a state whose nested is something else is refused", async () => {
  const paused = await run(boss(), "go");
  for (const nested of [
    {},
    [3],
    [{ toolCallId: "id_0" }],
    [{ toolCallId: "id_0", steps: [{ step: "x", state: {} }] }],
  ]) {
    const state = { ...plain(paused.state), nested } as unknown as RunState;
    await expect(run(boss(), state)).rejects.toThrow(/state's nested.* must be /);
  }
});
