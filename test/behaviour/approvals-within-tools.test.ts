/** Tools that call others which need approval: they wait, and repeat nothing. */
import { Agent, type Middleware, run, tool, type ToolContext } from "skein";
import { FunctionModel } from "skein/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { calls, clerk, decide, does, effects, empty, keepers, keys, plain } from "./test-nested.ts";

describe("a tool that calls others", () => {
  /** What the tool's own code did. */
  let ran: string[] = [];
  beforeEach(() => {
    ran = [];
  });

  function calling(work: (context: ToolContext) => Promise<unknown>, options: object = {}): () => Agent {
    const job = (): ReturnType<typeof tool> =>
      tool({ name: "job", input: empty, ...options, execute: (_input: unknown, context) => work(context) });
    return () =>
      new Agent({
        name: "Boss",
        model: calls({ toolName: "job", arguments: {} }),
        tools: [
          job(),
          does("look"),
          does("pay", { approval: true }),
          does("note"),
          does("secret", { mask: true }),
        ],
      });
  }

  const orderly = calling(async (context) => {
    ran.push("job");
    const first = await context.call("look", {});
    const second = await context.call("pay", { amount: 3 });
    const third = await context.call("note", {});
    return [first, second, third];
  });

  test.each(keepers)(
    "waits for the approval of one, and repeats none, with %s",
    async (_title, optionsOf) => {
      const options = optionsOf();
      const paused = await run(orderly(), "go", options);
      expect(paused.pending).toEqual([
        {
          toolCallId: expect.stringMatching(/^id_0\/pay\/[0-9a-f]{16}$/),
          toolName: "pay",
          arguments: '{"amount":3}',
          input: { amount: 3 },
          approvalId: expect.any(String),
          agent: "Boss",
          parentToolCallId: "id_0",
        },
      ]);
      const input = "session" in options ? [] : plain(paused.state);
      const done = await run(orderly(), input, { ...options, approvals: decide(paused) });
      expect(done).toMatchObject({ status: "completed" });
      expect(done.text).toContain("look is done");
      expect(effects).toEqual(["look", "pay 3", "note"]);
      expect(ran).toEqual(["job", "job"]);
    },
  );

  test("sees a refusal as the error of that call", async () => {
    const careful = calling(async (context) => {
      const paid = await context.call("pay", { amount: 3 }).catch((error: Error) => error.message);
      return `Paid: ${String(paid)}`;
    });
    const paused = await run(careful(), "go");
    expect(paused.status).toBe("paused");
    const done = await run(careful(), plain(paused.state), {
      approvals: decide(paused, "deny", { reason: "No." }),
    });
    expect(done.text).toContain("it was not approved. The reason given: No.");
    expect(effects).toEqual([]);
  });

  test("waits even if it catches the wait, and does nothing after it", async () => {
    const hasty = calling(async (context) => {
      const paid = await context.call("pay", { amount: 3 }).catch(() => "failed");
      await context.call("note", {}).catch(() => undefined);
      return paid;
    });
    const paused = await run(hasty(), "go");
    expect(paused.status).toBe("paused");
    expect(effects).toEqual([]);
    const done = await run(hasty(), plain(paused.state), { approvals: decide(paused) });
    expect(done.status).toBe("completed");
    expect(effects).toEqual(["pay 3", "note"]);
  });

  test("waits for two agents at once, and keeps the answer of a third", async () => {
    const quick = (): Agent => new Agent({ name: "Quick", model: calls("look"), tools: [does("look")] });
    const fan = calling(async (context) =>
      Promise.all([
        context.runAgent(clerk("One"), "x"),
        context.runAgent(quick(), "x"),
        context.runAgent(clerk("Two"), "x"),
      ]),
    );
    const paused = await run(fan(), "go");
    // They run side by side: either may be the first to wait.
    const agents = paused.pending.map(({ agent }) => agent);
    expect(new Set(agents)).toEqual(new Set(["One", "Two"]));
    expect(effects.toSorted()).toEqual(["look", "look", "look"]);
    const [one, two] = ["One", "Two"].map((name) => decide(paused)[agents.indexOf(name)]);
    if (!one || !two) throw new Error("two decisions are missing");
    const halfway = await run(fan(), plain(paused.state), { approvals: [two] });
    expect(halfway.pending.map(({ agent }) => agent)).toEqual(["One"]);
    const done = await run(fan(), plain(halfway.state), { approvals: [one] });
    expect(done.status).toBe("completed");
    expect(effects.toSorted()).toEqual(["look", "look", "look", "note", "note", "pay 5", "pay 5"]);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("asks again where it makes the call with other arguments than were approved", async () => {
    let amount = 3;
    const fickle = calling((context) => context.call("pay", { amount }));
    const paused = await run(fickle(), "go");
    amount = 300;
    const again = await run(fickle(), plain(paused.state), { approvals: decide(paused) });
    expect(again).toMatchObject({ status: "paused", pending: [{ arguments: '{"amount":300}' }] });
    expect(effects).toEqual([]);
  });

  test.each(keepers)(
    "shows a call as a middleware changed it, and makes it so, with %s",
    async (_title, optionsOf) => {
      const doubling: Middleware = {
        tool(call, _info, next) {
          if (call.toolName !== "pay") return next(call);
          const { amount }: { amount: number } = JSON.parse(call.arguments);
          return next({ ...call, arguments: JSON.stringify({ amount: amount * 2 }) });
        },
      };
      const options = { ...optionsOf(), middleware: [doubling] };
      const paused = await run(orderly(), "go", options);
      expect(paused.pending).toMatchObject([{ toolName: "pay", arguments: '{"amount":6}' }]);
      const input = "session" in options ? [] : plain(paused.state);
      const done = await run(orderly(), input, { ...options, approvals: decide(paused) });
      expect(done.status).toBe("completed");
      expect(effects).toEqual(["look", "pay 6", "note"]);
    },
  );

  test("that is tried again does not use an approval twice", async () => {
    let attempts = 0;
    const flaky = calling(
      async (context) => {
        const paid = await context.call("pay", { amount: 3 });
        attempts++;
        if (attempts < 3) throw Object.assign(new Error("busy"), { isTransient: true });
        return paid;
      },
      { retries: { times: 5, delay: 1 } },
    );
    const paused = await run(flaky(), "go");
    const done = await run(flaky(), plain(paused.state), { approvals: decide(paused) });
    expect(done.status).toBe("completed");
    expect({ attempts, effects }).toEqual({ attempts: 3, effects: ["pay 3"] });
  });

  test("and needs approval itself is approved once", async () => {
    const guarded = calling((context) => context.call("pay", { amount: 3 }), { approval: true });
    const first = await run(guarded(), "go");
    expect(first.pending).toMatchObject([{ toolName: "job" }]);
    const second = await run(guarded(), plain(first.state), { approvals: decide(first) });
    expect(second.pending).toMatchObject([{ toolName: "pay", parentToolCallId: "id_0" }]);
    const done = await run(guarded(), plain(second.state), { approvals: decide(second) });
    expect(done.status).toBe("completed");
    expect(effects).toEqual(["pay 3"]);
  });

  test("waits through a tool that it calls, which calls another", async () => {
    const inner = tool({
      name: "inner",
      input: empty,
      execute: async (_input: unknown, context) => {
        await context.call("note", {});
        return context.runAgent(clerk(), "x");
      },
    });
    const job = tool({
      name: "job",
      input: empty,
      execute: async (_input: unknown, context) => [
        await context.call("look", {}),
        await context.call("inner", {}),
      ],
    });
    const agent = (): Agent =>
      new Agent({
        name: "Boss",
        model: calls({ toolName: "job", arguments: {} }),
        tools: [job, inner, does("look"), does("note")],
      });
    const paused = await run(agent(), "go");
    expect(paused.pending).toMatchObject([{ agent: "Clerk", toolName: "pay", parentToolCallId: "id_0" }]);
    const done = await run(agent(), plain(paused.state), { approvals: decide(paused) });
    expect(done.status).toBe("completed");
    expect(effects).toEqual(["look", "note", "look", "pay 5", "note"]);
  });

  test("keeps the failure of an agent, which is not run again", async () => {
    const broken = new Agent({
      name: "Broken",
      model: new FunctionModel(() => {
        ran.push("broken");
        return { toolCalls: [{ toolName: "nothing" }] };
      }),
    });
    const work = calling(async (context) => {
      const answer = await context
        .runAgent(broken, "x", { maxTurns: 1 })
        .catch((error: Error) => error.message);
      await context.call("pay", { amount: 3 });
      return answer;
    });
    const paused = await run(work(), "go");
    const done = await run(work(), plain(paused.state), { approvals: decide(paused) });
    expect(done.text).toContain("Broken reached its limit of 1 model call");
    expect(ran).toEqual(["broken"]);
  });

  test("cannot wait after ten thousand calls", async () => {
    const work = calling(async (context) => {
      for (let count = 0; count < 10_000; count++) await context.call("note", {});
      return context.call("pay", { amount: 3 });
    });
    const done = await run(work(), "go");
    expect(done.status).toBe("completed");
    expect(done.text).toContain("cannot wait: it has made more than 10000 calls");
    expect(effects).not.toContain("pay 3");
  });

  test("keeps no masked value: that call is made again, with the same idempotency key", async () => {
    const work = calling(async (context) => {
      await context.call("secret", {});
      return context.call("pay", { amount: 3 });
    });
    const paused = await run(work(), "go");
    expect(JSON.stringify(paused.state)).not.toContain("secret is done");
    const done = await run(work(), plain(paused.state), { approvals: decide(paused) });
    expect(done.status).toBe("completed");
    expect(effects).toEqual(["secret", "secret", "pay 3"]);
    expect(keys[0]).toBe(keys[1]);
  });
});
