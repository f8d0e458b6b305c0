import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  Agent,
  executeToolCalls,
  run,
  tool,
  type FunctionTool,
  type JsonObject,
  type RunEvent,
  type Tool,
} from "skein";
import { ScriptedModel } from "skein/testing";

const paid: unknown[] = [];
beforeEach(() => void paid.splice(0));

function record(...payment: unknown[]): string {
  paid.push(payment);
  return "paid";
}

const standard = 1_000;
const shared = { amount: 1 };
let limit = 1_000;

interface Order {
  to: string;
  /** @default 1000 */
  amount?: number;
}

function pay(to: string, amount = standard): string {
  return record(to, amount);
}
const traced: typeof pay = (...args) => pay(...args);
function payDestructured({ to, amount = 1000 }: Order): string {
  return record(to, amount);
}
function payWithin(
  to: string,
  { limits: { amount = 1000 } = {} }: { limits?: { amount?: number } } = {},
): string {
  return record(to, amount);
}
function payOverloaded(to: string, amount?: number): string;
function payOverloaded(to: string, amount = 1000): string {
  return record(to, amount);
}
function payBigint(to: string, amount = 1_000n): string {
  return record(to, amount);
}
function payAt(to: string, at = new Date("2026-01-31"), tags = new Set(["a"])): string {
  return record(to, at, [...tags]);
}
function payUpTo(to: string, amount = limit): string {
  return record(to, amount);
}
function payUpToWithin({ to, amount = limit }: Order): string {
  return record(to, amount);
}
function payShared(to: string, order = shared): string {
  return record(to, order.amount);
}
function payOrder(order: Order): string {
  return record(order.to, order.amount ?? 1000);
}
/** @param order - What to pay. */
function payWhole(to: string, { amount = 1000 }: { amount?: number }): string {
  return record(to, amount);
}
function payNeeded(to: string, amount: number): string {
  return record(to, amount);
}
function payNullable(to: string, amount: number | null = 1000): string {
  return record(to, amount);
}
const amountKey = "amount";
function payComputed({ to, [amountKey]: amount = 1000 }: Order): string {
  return record(to, amount);
}
/** @param amounts - What to pay. */
function payFirst(to: string, [amount = 1000]: number[] = []): string {
  return record(to, amount);
}
/** @param amounts - What to pay. */
function payRest(to: string, ...[amount = 1000]: number[]): string {
  return record(to, amount);
}
/** @param amounts - What to pay. */
function payFirstUpTo(to: string, [amount = limit]: number[]): string {
  return record(to, amount);
}
interface Bank {
  pay(to: string, amount?: number): string;
}
class OpenBank implements Bank {
  pay(to: string, amount = 1000): string {
    return record(to, amount);
  }
}
const bank: Bank = new OpenBank();

const input = {
  type: "object",
  properties: { to: { type: "string" }, amount: { type: "number", default: 10 } },
  required: ["to"],
} as const;

interface Answer {
  readonly status: string;
  readonly warnings: readonly string[];
  /** The arguments shown for approval. */
  readonly inputs: readonly unknown[];
}

async function ask(paying: FunctionTool | Tool, args: JsonObject = { to: "E" }): Promise<Answer> {
  const agent = new Agent({ name: "Clerk", tools: { pay: paying } });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "pay", arguments: args }] }, "Done."]);
  const inputs: unknown[] = [];
  const onEvent = (event: RunEvent): void => {
    if (event.type === "approval-request") inputs.push(event.input);
  };
  const { status, warnings } = await run(agent, "Pay", { model, onEvent });
  return { status, warnings, inputs };
}

interface Amount {
  amount: number;
}
const isLarge = ({ amount }: Amount): boolean => amount > 100;

const guarded: readonly (readonly [string, FunctionTool | Tool, object])[] = [
  ["a parameter's", tool(pay, { approval: isLarge }), { to: "E", amount: 1000 }],
  ["that of a function of the same type", tool(traced, { approval: isLarge }), { to: "E", amount: 1000 }],
  [
    "a destructured property's",
    tool(payDestructured, { approval: ({ amount = 0 }) => amount > 100 }),
    { to: "E", amount: 1000 },
  ],
  [
    "a nested property's",
    tool(payWithin, {
      approval: ({ options }: { options: { limits: Amount } }) => options.limits.amount > 100,
    }),
    { to: "E", options: { limits: { amount: 1000 } } },
  ],
  [
    "an implementation's, below its overload",
    tool(payOverloaded, { approval: isLarge }),
    { to: "E", amount: 1000 },
  ],
  [
    "a bigint",
    tool(payBigint, { approval: ({ amount }: { amount: bigint }) => amount > 100n }),
    { to: "E", amount: 1000n },
  ],
  [
    "a date and a set",
    tool(payAt, {
      approval: ({ at, tags }: { at: Date; tags: Set<string> }) => at.getTime() > 0 && tags.has("a"),
    }),
    { to: "E", at: new Date("2026-01-31"), tags: new Set(["a"]) },
  ],
  [
    "a property's whose name is a constant",
    tool(payComputed, { approval: ({ amount = 0 }) => amount > 100 }),
    { to: "E", amount: 1000 },
  ],
  [
    "an item's",
    tool(payFirst, { approval: ({ amounts: [amount = 0] }: { amounts: number[] }) => amount > 100 }),
    { to: "E", amounts: [1000] },
  ],
  [
    "the rest's",
    tool(payRest, { approval: ({ amounts: [amount = 0] }: { amounts: number[] }) => amount > 100 }),
    { to: "E", amounts: [1000] },
  ],
  [
    "a schema's, and the function's own within it",
    tool(payWhole, {
      input: {
        type: "object",
        properties: { to: { type: "string" }, order: { type: "object", default: {} } },
        required: ["to"],
      },
      approval: ({ order }: { order: Amount }) => order.amount > 100,
    }),
    { to: "E", order: { amount: 1000 } },
  ],
  [
    "the function's own, whatever its schema states",
    tool(pay, { input, approval: isLarge }),
    { to: "E", amount: 1000 },
  ],
  [
    "a schema's, where the function has none and needs the argument",
    tool(payNeeded, { input, approval: ({ amount }: Amount) => amount > 5 }),
    { to: "E", amount: 10 },
  ],
  [
    "the function's own below a library's schema",
    tool(pay, { input: z.object({ to: z.string(), amount: z.number().optional() }), approval: isLarge }),
    { to: "E", amount: 1000 },
  ],
  [
    "a library's schema's",
    tool(pay, { input: z.object({ to: z.string(), amount: z.number().default(500) }), approval: isLarge }),
    { to: "E", amount: 500 },
  ],
];

test.each(guarded)("a policy sees the default that the function would have: %s", async (_, paying, seen) => {
  const { status, inputs, warnings } = await ask(paying);
  expect([status, paid, warnings]).toEqual(["paused", [], []]);
  // A person is shown the value that will be used.
  expect(inputs).toEqual([seen]);
});

test("a default is for what is left out: null is a value where the type has it", async () => {
  expect((await ask(tool(pay, { approval: isLarge }), { to: "E", amount: null })).status).toBe("paused");
  const isNull = tool(payNullable, { approval: ({ amount }: { amount: number | null }) => amount !== null });
  expect((await ask(isNull, { to: "E", amount: null })).status).toBe("completed");
  expect(paid).toEqual([["E", null]]);
});

test("what a policy saw is what the function gets, new for each call", async () => {
  const calls = ["1", "2"].map((toolCallId) => ({ toolCallId, toolName: "payAt", arguments: '{"to":"E"}' }));
  const seen: unknown[] = [];
  const serialize = ({ at }: { at: Date }): string => {
    seen.push(at.toISOString());
    return "";
  };
  await executeToolCalls(calls, [tool(payAt, { serialize })]);
  const at = new Date("2026-01-31");
  expect([paid, seen]).toEqual([
    [
      ["E", at, ["a"]],
      ["E", at, ["a"]],
    ],
    [at.toISOString(), at.toISOString()],
  ]);
});

test("an approved call, and one with other arguments, runs with the defaults that were shown", async () => {
  const agent = new Agent({ name: "Clerk", tools: { pay: tool(payDestructured, { approval: true }) } });
  const calls = [{ toolCalls: [{ toolName: "pay", arguments: { to: "E" } }] }, "Done."];
  for (const edited of [undefined, { to: "F" }]) {
    const model = new ScriptedModel(calls);
    const { state, pending } = await run(agent, "Pay", { model });
    const approvals = pending.map(({ approvalId = "" }) => ({
      approvalId,
      decision: "approve" as const,
      ...(edited && { arguments: edited }),
    }));
    expect((await run(agent, state, { model, approvals })).status).toBe("completed");
  }
  expect(paid).toEqual([
    ["E", 1000],
    ["F", 1000],
  ]);
});

test("keys are made of the default, too", async () => {
  const keys: string[] = [];
  const key = ({ amount }: Amount): string => {
    keys.push(String(amount));
    return String(amount);
  };
  await ask(tool(pay, { serialize: key, cache: { key } }));
  expect(keys).toEqual(["1000", "1000"]);
});

describe("a default that only the function knows fails closed", () => {
  const reads: readonly (readonly [string, (args: Readonly<Record<string, unknown>>) => boolean])[] = [
    ["a read", ({ amount }) => Number(amount) > 100],
    ["a read with a default of its own", ({ amount = 0 }) => Number(amount) > 100],
    ["in", (args) => "amount" in args],
    ["Object.hasOwn", (args) => Object.hasOwn(args, "amount")],
    ["a rest", ({ to: _, ...rest }) => Number(rest["amount"]) > 100],
    ["a copy", (args) => Number({ ...args }["amount"]) > 100],
    ["JSON.stringify", (args) => JSON.stringify(args).includes("amount")],
  ];

  test.each(reads)("a person has to decide, with a warning: %s", async (_, approval) => {
    for (const fn of [payUpTo, payUpToWithin]) {
      const { status, warnings } = await ask(tool<Record<string, unknown>>(fn, { approval }));
      expect([status, paid]).toEqual(["paused", []]);
      expect(warnings).toEqual([
        'A person has to decide, because the approval function of the tool pay failed: The approval of the tool pay reads the argument "amount", which the call leaves out, and whose default only its function knows. Write a constant default, or none.',
      ]);
    }
  });

  test("an argument that is there is read as ever, and so are others", async () => {
    expect((await ask(tool(payUpTo, { approval: isLarge }), { to: "E", amount: 5 })).status).toBe(
      "completed",
    );
    const toE = tool(payUpTo, { approval: ({ to }: { to: string }) => to !== "E" });
    limit = 7;
    expect((await ask(toE)).status).toBe("completed");
    expect(paid).toEqual([
      ["E", 5],
      ["E", 7],
    ]);
  });

  test("reading an item after the end of a list counts, too", async () => {
    const reads = [
      ({ amounts: [amount = 0] }: { amounts: number[] }) => amount > 100,
      ({ amounts }: { amounts: number[] }) => Number(amounts[0]) > 100,
      ({ amounts }: { amounts: number[] }) => amounts.some((amount) => amount > 100),
    ];
    for (const approval of reads)
      expect((await ask(tool(payFirstUpTo, { approval }), { to: "E", amounts: [] })).status).toBe("paused");
    expect(paid).toEqual([]);
  });

  test("reading an object that the program shares, and may have changed, counts, too", async () => {
    const approval = ({ order }: { order: Amount }): boolean => order.amount > 100;
    shared.amount = 5_000;
    expect((await ask(tool(payShared, { approval }))).status).toBe("paused");
    expect(paid).toEqual([]);
  });

  test("a key cannot be made", async () => {
    const key = ({ amount }: Amount): string => String(amount);
    for (const policy of [{ serialize: key }, { cache: { key } }]) await ask(tool(payUpTo, policy));
    expect(paid).toEqual([]);
  });
});

describe("a default that a schema or a comment only states is not applied", () => {
  const definition = {
    name: "pay",
    input,
    execute: ({ to, amount = 1000 }: { to: string; amount?: number }) => record(to, amount),
  };

  test("an approval that reads what is left out asks a person, with a warning that says how to ask first", async () => {
    const { status, warnings } = await ask(
      tool({ ...definition, approval: ({ amount = 0 }) => amount > 100 }),
    );
    expect([status, paid]).toEqual(["paused", []]);
    expect(warnings).toEqual([
      'A person has to decide, because the approval function of the tool pay failed: The approval of the tool pay reads the argument "amount", which the call leaves out, and whose default only its schema states. Ask first whether it is there: "amount" in args.',
    ]);
    const within = tool(payOrder, { approval: ({ order }: { order: Amount }) => order.amount > 100 });
    expect((await ask(within, { order: { to: "E" } })).status).toBe("paused");
    expect(paid).toEqual([]);
  });

  test("it may be stated by what the schema refers to", async () => {
    const amounts = [
      { $ref: "#/$defs/Amount" },
      { allOf: [{ $ref: "#/$defs/Amount" }] },
      { anyOf: [{ $ref: "#/$defs/Amount" }, { type: "null" }] },
    ];
    for (const amount of amounts) {
      const schema = {
        ...input,
        properties: { ...input.properties, amount },
        $defs: { Amount: { type: "number", default: 1000 } },
      };
      const paying = tool({ ...definition, input: schema, approval: (args) => Number(args["amount"]) > 100 });
      expect((await ask(paying)).status).toBe("paused");
    }
    expect(paid).toEqual([]);
  });

  test("a declaration without a body may hide one: an approval that reads it asks a person", async () => {
    const { status, warnings } = await ask(tool(bank.pay, { approval: isLarge }));
    expect([status, paid]).toEqual(["paused", []]);
    expect(warnings).toEqual([
      'A person has to decide, because the approval function of the tool pay failed: The approval of the tool pay reads the argument "amount", which the call leaves out, and whose default, if its function has one, its declaration does not show. Ask first whether it is there: "amount" in args.',
    ]);
    const toE = tool(bank.pay, { approval: ({ to }: { to: string }) => to !== "E" });
    expect((await ask(toE)).status).toBe("completed");
    expect(paid).toEqual([["E", 1000]]);
  });

  test("one that asks first decides for itself", async () => {
    const approval = (args: { to: string; amount?: number }): boolean =>
      "amount" in args && args.amount > 5_000;
    expect((await ask(tool({ ...definition, approval }))).status).toBe("completed");
    expect(paid).toEqual([["E", 1000]]);
  });

  test("a key is made of what is there", async () => {
    const keys: unknown[] = [];
    const serialize = ({ amount }: { amount?: number }): string => {
      keys.push(amount);
      return "";
    };
    await ask(tool({ ...definition, serialize }));
    expect([keys, paid]).toEqual([[undefined], [["E", 1000]]]);
  });
});
