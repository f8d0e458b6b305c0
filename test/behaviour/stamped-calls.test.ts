/** A middleware may write something new into arguments each time, such as a time: a call is still the one that began, or was shown. */
import { Agent, type JsonObject, type Middleware, run, type RunOptions, type RunResult, tool } from "skein";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { calls, decide, does, effects, keepers, keys, plain } from "./test-nested.ts";

const open = {
  type: "object",
  properties: { stamp: { type: "number" }, amount: { type: "number" } },
} as const;

function change(edit: (args: JsonObject, toolName: string, count: number) => JsonObject): Middleware {
  let count = 0;
  return {
    tool: (call, _info, next) => {
      const args: JsonObject = JSON.parse(call.arguments);
      return next({ ...call, arguments: JSON.stringify(edit(args, call.toolName, (count += 1))) });
    },
  };
}

/** Something new each time. */
const stamping = (): Middleware => change((args, _name, count) => ({ ...args, stamp: count }));
/** Something only the first time that it gets a call of a tool. */
const once = (): Middleware => {
  const seen = new Set<string>();
  return change((args, name) => {
    if (seen.has(name)) return args;
    seen.add(name);
    return { ...args, stamp: 7 };
  });
};
/** Another tool, too. */
const renaming = (): Middleware => {
  const stamp = stamping();
  return {
    tool: (call, info, next) =>
      stamp.tool!({ ...call, toolName: call.toolName.replace(/^old_/, "") }, info, next),
  };
};

const middlewares: readonly (readonly [string, () => Middleware])[] = [
  ["something new each time", stamping],
  ["something only the first time", once],
  ["another tool, and something new", renaming],
];

const table = keepers.flatMap(([keeper, optionsOf]) =>
  middlewares.map(([title, middleware]) => [title, keeper, middleware, optionsOf] as const),
);

/** Passes its own input on: to a call with an effect, and to one that waits. */
const passing = (name: string, inner: string, gate: string, executed: unknown[] = []) =>
  tool({
    name,
    input: open,
    execute: async (input: JsonObject, context) => {
      executed.push(input);
      await context.call(inner, { ...input });
      return context.call(gate, {});
    },
  });

async function toEnd(agent: Agent, options: RunOptions): Promise<{ result: RunResult; pauses: RunResult[] }> {
  let result = await run(agent, "go", options);
  const pauses: RunResult[] = [];
  while (result.status === "paused" && pauses.length < 4) {
    pauses.push(result);
    const input = options.session ? [] : plain(result.state);
    result = await run(agent, input, { ...options, approvals: decide(result) });
  }
  return { result, pauses };
}

describe("a middleware that writes into arguments", () => {
  test.each(table)(
    "%s, with %s: a call within a tool is made once",
    async (_t, _k, middleware, optionsOf) => {
      const inputs: unknown[] = [];
      const agent = new Agent({
        name: "Shop",
        model: calls({ toolName: "old_outer", arguments: { amount: 1 } }),
        tools: [
          passing("outer", "charge", "gate", inputs),
          passing("old_outer", "charge", "gate", inputs),
          tool({
            name: "charge",
            input: open,
            execute: (_, { idempotencyKey }) => keys.push(idempotencyKey),
          }),
          does("gate", { approval: true }),
        ],
      });
      const { result, pauses } = await toEnd(agent, { ...optionsOf(), middleware: [middleware()] });
      expect([result.status, result.warnings, pauses.length]).toEqual(["completed", [], 1]);
      expect(keys).toHaveLength(2);
      expect(inputs).toHaveLength(2);
      expect(inputs[1]).toEqual(inputs[0]);
      expect(effects).toEqual(["gate"]);
    },
  );

  test.each(table)(
    "%s, with %s: a call two tools deep is made once",
    async (_t, _k, middleware, optionsOf) => {
      const charges: unknown[] = [];
      const agent = new Agent({
        name: "Shop",
        model: calls({ toolName: "outer", arguments: { amount: 1 } }),
        tools: [
          tool({
            name: "outer",
            input: open,
            execute: async (input: JsonObject, context) => context.call("old_middle", { ...input }),
          }),
          passing("middle", "charge", "gate"),
          passing("old_middle", "charge", "gate"),
          tool({ name: "charge", input: open, execute: (input: JsonObject) => charges.push(input) }),
          does("gate", { approval: true }),
        ],
      });
      const { result, pauses } = await toEnd(agent, { ...optionsOf(), middleware: [middleware()] });
      expect([result.status, result.warnings, pauses.length]).toEqual(["completed", [], 1]);
      expect([charges.length, effects]).toEqual([1, ["gate"]]);
    },
  );

  test.each(table)("%s, with %s: what was approved is executed", async (_t, _k, middleware, optionsOf) => {
    const paid: unknown[] = [];
    const paying = (name: string) =>
      tool({
        name,
        input: open,
        approval: true,
        execute: (input: JsonObject, context) => paid.push(input) && context.call("gate", {}),
      });
    const agent = new Agent({
      name: "Shop",
      model: calls({ toolName: "old_pay", arguments: { amount: 1 } }, { toolName: "wrap", arguments: {} }),
      tools: [
        paying("pay"),
        paying("old_pay"),
        does("gate", { approval: true }),
        tool({
          name: "wrap",
          input: open,
          execute: (_, context) => context.call("old_pay", { amount: 2 }),
        }),
      ],
    });
    const { result, pauses } = await toEnd(agent, { ...optionsOf(), middleware: [middleware()] });
    expect([result.status, result.warnings]).toEqual(["completed", []]);
    const shown = pauses.map(({ pending }) => pending.map(({ input }) => input));
    expect(paid).toEqual([shown[0]?.[0], shown[0]?.[0], shown[2]?.[0], shown[2]?.[0]]);
    expect(effects).toEqual(["gate", "gate"]);
  });

  test.each(table)(
    "%s, with %s: an agent as a tool continues with the input that it got",
    async (_t, _k, middleware, optionsOf) => {
      const inputs: unknown[] = [];
      const helper = new Agent({
        name: "old_helper",
        model: calls("note", { toolName: "pay", arguments: { amount: 5 } }),
        tools: [does("note"), does("pay", { approval: true })],
      });
      const agent = new Agent({
        name: "Boss",
        model: calls({ toolName: "outer", arguments: { amount: 3 } }),
        tools: [
          tool({
            name: "outer",
            input: open,
            execute: (input: JsonObject, context) => {
              inputs.push(input);
              return context.runAgent(helper, JSON.stringify(input));
            },
          }),
        ],
      });
      const { result, pauses } = await toEnd(agent, { ...optionsOf(), middleware: [middleware()] });
      expect([result.status, result.warnings, pauses.length]).toEqual(["completed", [], 1]);
      expect(effects).toEqual(["note", "pay 5"]);
      expect(inputs[1]).toEqual(inputs[0]);
    },
  );

  test.each(keepers)(
    "with %s: a call whose value is masked is made again as it was",
    async (_keeper, optionsOf) => {
      const charges: unknown[] = [];
      const agent = new Agent({
        name: "Shop",
        model: calls({ toolName: "outer", arguments: { amount: 1 } }),
        tools: [
          passing("outer", "charge", "gate"),
          tool({
            name: "charge",
            input: open,
            mask: true,
            execute: (input: JsonObject, { idempotencyKey }) => charges.push([idempotencyKey, input]),
          }),
          does("gate", { approval: true }),
        ],
      });
      const { result } = await toEnd(agent, { ...optionsOf(), middleware: [stamping()] });
      expect([result.status, charges.length]).toEqual(["completed", 2]);
      expect(charges[1]).toEqual(charges[0]);
    },
  );

  test("an edit of stamped arguments is asked for once more, as it was stamped, and then carried out", async () => {
    const paid: unknown[] = [];
    const pay = tool({
      name: "pay",
      input: open,
      approval: true,
      execute: (input: JsonObject) => paid.push(input),
    });
    const agent = new Agent({
      name: "Shop",
      model: calls({ toolName: "pay", arguments: { amount: 1 } }),
      tools: [pay],
    });
    const options = { middleware: [stamping()] };
    const first = await run(agent, "go", options);
    const second = await run(agent, plain(first.state), {
      ...options,
      approvals: decide(first, "approve", { arguments: { amount: 9 } }),
    });
    expect(second.pending).toMatchObject([{ input: { amount: 9, stamp: 2 } }]);
    const third = await run(agent, plain(second.state), { ...options, approvals: decide(second) });
    expect([third.status, paid]).toEqual(["completed", [{ amount: 9, stamp: 2 }]]);
  });

  test("a call of a tool that is tried again is the same call", async () => {
    let attempts = 0;
    const outer = tool({
      name: "outer",
      input: open,
      retries: { times: 3, delay: 1 },
      execute: async (input: JsonObject, context) => {
        await context.call("charge", { ...input });
        attempts += 1;
        if (attempts === 1) throw Object.assign(new Error("busy"), { isTransient: true });
        return context.call("gate", {});
      },
    });
    const charge = tool({
      name: "charge",
      input: open,
      execute: (_, { idempotencyKey }) => keys.push(idempotencyKey),
    });
    const agent = new Agent({
      name: "Shop",
      model: calls({ toolName: "outer", arguments: { amount: 1 } }),
      tools: [outer, charge, does("gate", { approval: true })],
    });
    const { result } = await toEnd(agent, { middleware: [stamping()] });
    expect(result.status).toBe("completed");
    expect(new Set(keys.filter((key) => key.includes("charge"))).size).toBe(1);
  });

  test("a further call of a tool that has begun has its own arguments", async () => {
    const inputs: unknown[] = [];
    const outer = tool({
      name: "outer",
      input: open,
      execute: (input: JsonObject, context) => {
        inputs.push(input);
        return input["amount"] === 1 ? context.call("gate", {}) : "more";
      },
    });
    const more: Middleware = {
      async tool(call, _info, next) {
        const result = await next(call);
        if (call.toolName === "outer" && result.outcome === "success")
          await next({ ...call, arguments: '{"amount":2}' });
        return result;
      },
    };
    const model = calls({ toolName: "outer", arguments: { amount: 1 } });
    const agent = new Agent({ name: "Shop", model, tools: [outer, does("gate", { approval: true })] });
    const { result } = await toEnd(agent, { middleware: [more, stamping()] });
    expect(result.status).toBe("completed");
    expect(inputs).toEqual([
      { amount: 1, stamp: 1 },
      { amount: 1, stamp: 1 },
      { amount: 2, stamp: expect.any(Number) },
    ]);
  });
});

describe("an input that is computed each time it is read", () => {
  test.each(keepers)(
    "with %s: the tool of a call that has begun gets what it got",
    async (_keeper, optionsOf) => {
      let count = 0;
      const inputs: unknown[] = [];
      const outer = tool({
        name: "outer",
        input: z.object({ order: z.string().default(() => `order ${(count += 1)}`) }),
        execute: async (input, context) => {
          inputs.push(input);
          await context.call("charge", input);
          return context.call("gate", {});
        },
      });
      const middle = tool({
        name: "middle",
        input: open,
        execute: (_, context) => context.call("outer", {}),
      });
      const charge = tool({
        name: "charge",
        input: z.object({ order: z.string() }),
        execute: ({ order }) => effects.push(order),
      });
      const agent = new Agent({
        name: "Shop",
        model: calls({ toolName: "outer", arguments: {} }, { toolName: "middle", arguments: {} }),
        tools: [outer, middle, charge, does("gate", { approval: true })],
      });
      const { result, pauses } = await toEnd(agent, optionsOf());
      expect([result.status, result.warnings, pauses.length]).toEqual(["completed", [], 2]);
      expect(inputs).toEqual([inputs[0], inputs[0], inputs[2], inputs[2]]);
      expect(effects.filter((each) => each.startsWith("order"))).toHaveLength(2);
    },
  );
});
