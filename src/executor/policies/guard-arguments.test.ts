import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  Agent,
  executeToolCalls,
  run,
  tool,
  UnknownArgumentError,
  type JsonSchema,
  type Tool,
  type ToolContext,
} from "skein";
import { ScriptedModel } from "skein/testing";
import { withArgumentDefaults } from "../../schema/argument-defaults.ts";
import { argumentGuard } from "./guard-arguments.ts";

type Arguments = Readonly<Record<string, unknown>>;

const text = { type: "string" };
const payment: JsonSchema = {
  type: "object",
  properties: {
    amount: { type: "number" },
    note: text,
    guest: { $ref: "#/$defs/Guest" },
    tags: { type: "array", items: { $ref: "#/$defs/Guest" } },
    extra: {},
    rates: { type: "object", additionalProperties: { type: "number" } },
    marks: { type: "object", patternProperties: { "^x-": { type: "object", properties: { a: {} } } } },
    way: {
      anyOf: [
        { type: "null" },
        { type: "object", properties: { card: text } },
        { properties: { iban: text } },
      ],
    },
  },
  required: ["amount"],
  $defs: { Guest: { type: "object", properties: { name: text, friend: { $ref: "#/$defs/Guest" } } } },
};

function guarded(input: unknown, schema: JsonSchema = payment): Arguments {
  const pay = tool({ name: "pay", input: schema, execute: () => "" });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a guard gives what it gets
  return argumentGuard(pay, "approval")(input) as Arguments;
}

/** The argument that an error calls unknown. */
function unknownArgument(read: () => unknown): unknown {
  try {
    read();
  } catch (error) {
    return error instanceof UnknownArgumentError ? error.data["argument"] : error;
  }
  return "was read";
}

test("an argument of the schema reads as it is, or as undefined where the call leaves it out", () => {
  const args = guarded({ amount: 5, guest: { name: "Ada" } });
  expect([args["amount"], args["note"], args["guest"]]).toEqual([5, undefined, { name: "Ada" }]);
});

test("what every object inherits can be read, so that a policy can write its arguments into a text", () => {
  const args = guarded({ amount: 5 });
  expect(`Pay ${args as unknown as string}?`).toBe("Pay [object Object]?");
  expect(args["hasOwnProperty"]).toBe(Object.prototype.hasOwnProperty);
});

test("an argument that the schema does not have throws, and names it, its tool and those there are", () => {
  expect(() => guarded({ amount: 5 })["amuont"]).toThrow(
    'The tool pay has no argument "amuont", which its approval reads. Did you mean "amount"? Available: amount, note,',
  );
  expect(() => guarded({ amount: 5 })["amuont"]).toThrow(
    expect.objectContaining({
      name: "UnknownArgumentError",
      code: "unknown-argument",
      data: expect.objectContaining({ tool: "pay", option: "approval", argument: "amuont" }),
    }),
  );
});

test("of many arguments the error names twenty", () => {
  const properties = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, text]));
  const read = (count: number) => () =>
    guarded({}, { type: "object", properties: properties(count), additionalProperties: false })["zzzz"];
  expect(read(20)).toThrow(/ p18, p19\.$/);
  expect(read(21)).toThrow(/ p18, p19, …\.$/);
  expect(read(0)).toThrow(/Available: none\.$/);
});

test("an argument that only the model has thought of throws, too", () => {
  expect(unknownArgument(() => guarded({ amount: 5_000, amuont: 0 })["amuont"])).toBe("amuont");
  expect(unknownArgument(() => guarded({ amount: 5_000, constructor: 0 })["constructor"])).toBe(
    "constructor",
  );
});

test("where only the function knows a default, what is there can be read, copied and asked for", () => {
  const unknown = { isUnknown: true } as const;
  const pay = tool({ name: "pay", input: payment, execute: () => "" });
  const inputSchema = withArgumentDefaults(pay.inputSchema, {
    amount: unknown,
    tags: { properties: { 0: unknown, 1: unknown } },
  });
  const guard = argumentGuard({ ...pay, inputSchema }, "approval");
  const input = { amount: 5, tags: [{ name: "Ada" }] };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a guard gives what it gets
  const args = guard(input) as typeof input;
  expect([Object.hasOwn(args, "amount"), "amount" in args, { ...args }.amount]).toEqual([true, true, 5]);
  expect(args.tags[0]?.name).toBe("Ada");
  expect(() => args.tags[1]).toThrow('reads the argument "tags.1"');
});

const nested: readonly [string, (args: never) => unknown, unknown][] = [
  ["a property", (args: { guest: { name: string } }) => args.guest.name, "Ada"],
  ["a misspelled property", (args: { guest: { nmae: string } }) => args.guest.nmae, "guest.nmae"],
  ["the same, reached by a reference", (args: Deep) => args.guest.friend.nmae, "guest.friend.nmae"],
  ["an item", (args: { tags: { name: string }[] }) => args.tags[1]?.name, "Max"],
  ["an item that is not there", (args: { tags: string[] }) => args.tags[7], undefined],
  ["a misspelled property of an item", (args: Deep) => args.tags.map(({ nmae }) => nmae), "tags.0.nmae"],
  [
    "a number with more behind it",
    (args: Record<string, Deep>) => args["tags"]?.["1st" as never],
    "tags.1st",
  ],
  [
    "a number with more before it",
    (args: Record<string, Deep>) => args["tags"]?.["no1" as never],
    "tags.no1",
  ],
  ["a misspelled property of a list", (args: Deep) => args.tags.lenght, "tags.lenght"],
  ["any property where any JSON may stand", (args: Deep) => args.extra.any.thing, 1],
  ["an absent property where any JSON may stand", (args: Deep) => args.extra.other, undefined],
  ["any key of a record", (args: Deep) => [args.rates.eur, args.rates.usd], [1, undefined]],
  ["a key of a pattern", (args: Deep) => [args.marks["x-a"]?.a, args.marks["x-b"]], [1, undefined]],
  ["a key that fits no pattern", (args: Deep) => args.marks["y-a"], "marks.y-a"],
  ["a misspelled property under a pattern", (args: Deep) => args.marks["x-a"]?.b, "marks.x-a.b"],
  ["a property of one branch", (args: Deep) => [args.way.card, args.way.iban], ["1", undefined]],
  ["a property of no branch", (args: Deep) => args.way.cash, "way.cash"],
];

interface Deep {
  guest: { friend: { nmae: string } };
  tags: { nmae: string }[] & { lenght: number };
  extra: { any: { thing: number }; other: number };
  rates: { eur: number; usd: number };
  marks: Record<string, { a: number; b: number }>;
  way: { card: string; iban: string; cash: string };
}

test.each(nested)("a nested read is guarded as far as the schema says: %s", (_, read, expected) => {
  const args = guarded({
    amount: 5,
    guest: { name: "Ada", friend: { name: "Bea" } },
    tags: [{ name: "Ada" }, { name: "Max" }],
    extra: { any: { thing: 1 } },
    rates: { eur: 1 },
    marks: { "x-a": { a: 1 } },
    way: { card: "1" },
  });
  let value: unknown;
  const problem = unknownArgument(() => (value = Reflect.apply(read, undefined, [args])));
  expect(problem === "was read" || problem === undefined ? value : problem).toEqual(expected);
});

test("a schema that says nothing of properties takes any, and one that says there are none has none", () => {
  expect(guarded({}, { type: "object" })["any"]).toBeUndefined();
  expect(
    guarded({}, { type: "object", additionalProperties: true, properties: { a: {} } })["b"],
  ).toBeUndefined();
  for (const closed of [
    { properties: {} },
    { additionalProperties: false },
    { unevaluatedProperties: false },
  ])
    expect(unknownArgument(() => guarded({}, { type: "object", ...closed })["any"])).toBe("any");
});

test("properties are found in allOf, conditions, references and branches together", () => {
  const schema = {
    type: "object",
    properties: { a: {} },
    allOf: [{ properties: { b: {} } }, { $ref: "#/$defs/c" }],
    oneOf: [{ required: ["a"] }, { properties: { d: {} } }],
    if: { properties: { a: { const: 1 } } },
    else: { properties: { e: {} } },
    dependentSchemas: { a: { properties: { f: {} } } },
    $defs: { c: { properties: { c: {} } } },
  };
  const args = guarded({}, schema);
  for (const name of ["a", "b", "c", "d", "e", "f"]) expect(args[name]).toBeUndefined();
  expect(unknownArgument(() => args["g"])).toBe("g");
});

test("what looks at all of the arguments sees what the tool gets", async () => {
  const input = { amount: 5, unlisted: { deep: [1] }, tags: [{ name: "Ada" }] };
  const args = guarded(input);
  expect(JSON.stringify(args)).toBe(JSON.stringify(input));
  expect({ ...args }).toEqual(input);
  expect(Object.entries(args)).toEqual(Object.entries(input));
  expect(inspect(args)).toBe(inspect(input));
  expect(await Promise.resolve(args)).toBe(args);
  expect(Object.prototype.toString.call(args)).toBe("[object Object]");
  expect(["amount" in args, "note" in args, "amuont" in args]).toEqual([true, false, false]);
  expect(Object.hasOwn(args, "unlisted") && args["unlisted"]).toEqual({ deep: [1] });
  expect(Array.isArray(args["tags"])).toBe(true);
});

test("arguments cannot be changed, nor can what is within them", () => {
  const input = { amount: 5, guest: { name: "Ada" }, tags: [{ name: "Ada" }] };
  const args = guarded(input);
  const changes: readonly (() => unknown)[] = [
    () => Reflect.set(args, "amount", 1),
    () => Object.assign(args, { amount: 1 }),
    () => Object.assign(Object(args["guest"]), { name: "Max" }),
    () => Reflect.deleteProperty(args, "amount"),
    () => Object.freeze(args),
    () => Object.setPrototypeOf(args, null),
    () => Array.prototype.push.call(args["tags"], 1),
  ];
  for (const change of changes)
    expect(change).toThrow("arguments of the tool pay are read-only in its approval");
  expect(input).toEqual({ amount: 5, guest: { name: "Ada" }, tags: [{ name: "Ada" }] });
});

test("dates, maps and the like are copies", () => {
  const input = {
    amount: new Date(0),
    extra: new Map([["a", { b: 1 }]]),
    note: new URL("https://skein.test/"),
  };
  const args = guarded(input);
  if (args["amount"] instanceof Date) args["amount"].setFullYear(2000);
  if (args["extra"] instanceof Map) args["extra"].clear();
  expect(args).toMatchObject({ amount: new Date(0), note: new URL("https://skein.test/") });
  expect(input.extra.get("a")).toEqual({ b: 1 });
});

test("what a library's schema makes of its input is read by its own names", async () => {
  const seen: unknown[] = [];
  const transfer = tool({
    name: "transfer",
    input: z
      .object({ amount: z.string() })
      .transform(({ amount }) => Object.freeze({ cents: Number(amount) })),
    serialize: (args) => {
      seen.push(
        args.cents,
        unknownArgument(() => Reflect.get(args, "cnets")),
      );
      return "";
    },
    execute: ({ cents }) => cents,
  });
  const call = { toolCallId: "1", toolName: "transfer", arguments: '{"amount":"500"}' };
  expect(await executeToolCalls([call], [transfer])).toMatchObject([{ structuredContent: 500 }]);
  expect(seen).toEqual([500, "cnets"]);
});

const executed: unknown[] = [];

/** A tool whose policies read what it does not have. */
function careless(policy: object): Tool<{ amount: number }, unknown, unknown> {
  return tool({
    name: "pay",
    input: { type: "object", properties: { amount: { type: "number" } } },
    execute: ({ amount }: { amount: number }, _: ToolContext) => executed.push(amount),
    ...policy,
  });
}

test("an approval that reads an unknown argument asks a person, with a warning", async () => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "pay", arguments: { amount: 5_000 } }] }]);
  const pay = careless({ approval: ({ amuont }: { amuont: number }) => amuont > 50 });
  const paused = await run(new Agent({ name: "Clerk", model, tools: [pay] }), "Pay");
  expect([paused.status, executed]).toEqual(["paused", []]);
  expect(paused.warnings).toEqual([
    'A person has to decide, because the approval function of the tool pay failed: The tool pay has no argument "amuont", which its approval reads. Did you mean "amount"? Available: amount.',
  ]);
});

test.each([
  ["serialize", { serialize: ({ acount }: { acount: string }) => acount }],
  ["cache.key", { cache: { key: ({ acount }: { acount: string }) => acount } }],
])("%s that reads an unknown argument is an error of the call, and a warning", async (option, policy) => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "pay", arguments: { amount: 1 } }] }, "Sorry."]);
  const { messages, warnings } = await run(
    new Agent({ name: "Clerk", model, tools: [careless(policy)] }),
    "Pay",
  );
  expect(executed).toEqual([]);
  expect(messages.find(({ role }) => role === "tool")).toMatchObject({ result: { outcome: "error" } });
  expect(warnings).toEqual([
    `The tool pay has no argument "acount", which its ${option} reads. Did you mean "amount"? Available: amount.`,
  ]);
});

const typed: readonly [string, (args: Typed) => unknown, unknown][] = [
  ["a map", (args) => [args.rates.get("a"), args.rates.get("b"), args.rates.size], [1, undefined, 1]],
  ["a misspelled member of a map", (args) => args.rates.szie, "rates.szie"],
  ["a set", (args) => [args.tags.has("a"), [...args.tags].length], [true, 1]],
  ["a misspelled member of a set", (args) => args.tags.lenght, "tags.lenght"],
  [
    "a date",
    (args) => [args.day.getTime(), args.day < new Date(1), JSON.stringify(args.day)],
    [0, true, '"1970-01-01T00:00:00.000Z"'],
  ],
  ["a misspelled member of a date", (args) => args.day.getTme, "day.getTme"],
  [
    "a URL",
    (args) => [args.page.host, args.page.searchParams.get("q"), `${args.page}`],
    ["a.test", "1", "https://a.test/?q=1"],
  ],
  ["a misspelled member of a URL", (args) => args.page.hots, "page.hots"],
  ["bytes", (args) => [args.bytes[0], args.bytes[9], args.bytes.length], [1, undefined, 2]],
  ["a misspelled member of bytes", (args) => args.bytes.lenght, "bytes.lenght"],
];

interface Typed {
  rates: Map<string, number> & { szie: number };
  tags: Set<string> & { lenght: number };
  day: Date & { getTme: number };
  page: URL & { hots: number };
  bytes: Uint8Array & { lenght: number };
}

test.each(typed)("a value of a class has the members of its class alone: %s", (_, read, expected) => {
  const args = guarded(
    {
      rates: new Map([["a", 1]]),
      tags: new Set(["a"]),
      day: new Date(0),
      page: new URL("https://a.test/?q=1"),
      bytes: new Uint8Array([1, 2]),
    },
    { type: "object", properties: { rates: {}, tags: {}, day: {}, page: {}, bytes: {} } },
  );
  let value: unknown;
  const problem = unknownArgument(() => (value = Reflect.apply(read, undefined, [args])));
  expect(problem === "was read" ? value : problem).toEqual(expected);
  expect(
    [args["rates"], args["tags"], args["day"], args["page"], args["bytes"]].map(
      (each) => Object(each).constructor,
    ),
  ).toEqual([Map, Set, Date, URL, Uint8Array]);
  expect(args["rates"]).toBeInstanceOf(Map);
  expect(structuredClone(args["day"])).toEqual(new Date(0));
});

test("a copy of the arguments is a plain object: only reads of the arguments themselves are guarded", () => {
  const { amount, ...rest } = guarded({ amount: 5, guest: { name: "Ada" } });
  expect([amount, rest["amuont"]]).toEqual([5, undefined]);
  // What is within the copy is guarded still, and no clone is taken of what is.
  expect(unknownArgument(() => Object(rest["guest"]).nmae)).toBe("guest.nmae");
  expect(() => structuredClone(guarded({ amount: 5 }))).toThrow("could not be cloned");
});

describe("what a policy gets beside the arguments has a context and an agent, and nothing else", () => {
  const context = { role: "guest", nested: {} };

  test("a key of the context that is not there is undefined: it may be optional", async () => {
    const seen: unknown[] = [];
    const pay = careless({
      allow: (scope: { context: { role: string; nested?: { deep?: string } }; agent?: object }) => {
        seen.push({ ...scope }, scope.context.nested?.deep, scope.agent);
        return scope.context.role === "guest";
      },
    });
    const call = { toolCallId: "1", toolName: "pay", arguments: '{"amount":1}' };
    const [result] = await executeToolCalls([call], [pay], { context });
    expect(result?.outcome).not.toBe("unknown-tool");
    expect(seen).toEqual([{ context, agent: undefined }, undefined, undefined]);
  });

  test("a misspelled one of its own refuses, or asks a person, with a warning", async () => {
    const reads = ({ contxt }: { contxt?: { isBlocked: boolean } }): boolean => !contxt?.isBlocked;
    const model = (): ScriptedModel =>
      new ScriptedModel([{ toolCalls: [{ toolName: "pay", arguments: { amount: 5 } }] }, "Sorry."]);
    const allowed = careless({ allow: reads });
    const refused = await run(new Agent({ name: "Clerk", model: model(), tools: [allowed] }), "Pay", {
      context,
    });
    const warning = 'The scope of the tool pay has no "contxt", which its';
    expect(refused.warnings).toContainEqual(
      expect.stringContaining(`${warning} allow reads. Did you mean "context"? Available: context, agent.`),
    );
    const approved = careless({ approval: (_: object, scope: object) => !reads(scope) });
    const paused = await run(new Agent({ name: "Clerk", model: model(), tools: [approved] }), "Pay", {
      context,
    });
    expect(paused.status).toBe("paused");
    expect(paused.warnings).toContainEqual(expect.stringContaining(`${warning} approval reads.`));
  });
});
