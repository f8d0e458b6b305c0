import { expect, test } from "vitest";
import { Agent, run, tool, type JsonSchema, type ToolResult } from "skein";
import { ScriptedModel, type ScriptedToolCall } from "skein/testing";

const city: JsonSchema = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required: ["city"],
  additionalProperties: false,
};

const getWeather = tool({
  name: "getWeather",
  input: city,
  execute: ({ city: place, days = 1 }) => `sunny in ${String(place)} for ${String(days)} days`,
});
const now = tool({ name: "now", input: { type: "object", properties: {} }, execute: () => "noon" });

/** A tool that returns what it is made with. */
const returns = (value: () => unknown) => tool({ name: "give", input: { type: "object" }, execute: value });

/** Runs one call and gives back what the model was told. The run must go on to its answer. */
async function tell(call: ScriptedToolCall, ...tools: ReturnType<typeof returns>[]): Promise<ToolResult> {
  const model = new ScriptedModel([{ toolCalls: [call] }, "done"]);
  const result = await run(
    new Agent({ name: "A", model, tools: tools.length > 0 ? tools : [getWeather, now] }),
    "go",
  );
  expect(result.status).toBe("completed");
  expect(result.text).toBe("done");
  model.assertComplete();
  const last = model.requests[1]?.messages.at(-1);
  if (last?.role !== "tool") throw new Error("the last message of the second request is not a tool message");
  return last.result;
}

const textOf = (result: ToolResult): string =>
  result.content.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");

test("an unknown tool is answered with the nearest names, and the run goes on", async () => {
  const result = await tell({ toolName: "getWether", arguments: { city: "Paris" } });
  expect(result).toMatchObject({ isError: true, outcome: "unknown-tool" });
  expect(textOf(result)).toContain("getWether");
  expect(textOf(result)).toContain("getWeather");
});

test("arguments that are not JSON are answered with what is wrong and where", async () => {
  const result = await tell({ toolName: "getWeather", arguments: '{"city": "Paris' });
  expect(result).toMatchObject({ isError: true, outcome: "invalid-arguments" });
  expect(textOf(result)).toMatch(/JSON/);
});

test.each(["", "  ", "null", "{}"])(
  "the arguments %j are none, for a tool that requires none",
  async (args) => {
    const result = await tell({ toolName: "now", arguments: args });
    expect(result).toMatchObject({
      isError: false,
      outcome: "success",
      content: [{ type: "text", text: "noon" }],
    });
  },
);

test("a missing argument is named", async () => {
  const result = await tell({ toolName: "getWeather", arguments: "" });
  expect(result.outcome).toBe("invalid-arguments");
  expect(textOf(result)).toContain("$.city");
});

test("an extra argument is named, with the ones there are", async () => {
  const result = await tell({ toolName: "getWeather", arguments: { city: "Paris", unit: "celsius" } });
  expect(result.outcome).toBe("invalid-arguments");
  expect(textOf(result)).toContain("unit");
  expect(textOf(result)).toContain("city");
});

test("a wrong type is answered with path, expected and received", async () => {
  const result = await tell({ toolName: "getWeather", arguments: { city: "Paris", days: "a few" } });
  expect(result.outcome).toBe("invalid-arguments");
  expect(textOf(result)).toMatch(/\$\.days.*integer.*a few/s);
});

test("an argument that can be mended without loss is mended", async () => {
  const result = await tell({ toolName: "getWeather", arguments: { city: "Paris", days: "3" } });
  expect(textOf(result)).toBe("sunny in Paris for 3 days");
});

test("null for an optional argument is its default", async () => {
  const result = await tell({ toolName: "getWeather", arguments: { city: "Paris", days: null } });
  expect(textOf(result)).toBe("sunny in Paris for 1 days");
});

test.each([
  [
    "an Error",
    () => {
      throw new Error("no such account");
    },
    /give failed: no such account/,
  ],
  [
    "a string",
    () => {
      throw "out of order";
    },
    /give failed: out of order/,
  ],
  [
    "an object",
    () => {
      throw { code: 7 };
    },
    /give failed: \{"code":7\}/,
  ],
  [
    "undefined",
    () => {
      throw undefined;
    },
    /give failed: undefined/,
  ],
  ["a rejected promise", () => Promise.reject(new Error("too late")), /give failed: too late/],
  ["a rejection with null", () => Promise.reject(null), /give failed: null/],
])("a tool that throws %s is an error message", async (_, execute, words) => {
  const result = await tell({ toolName: "give" }, returns(execute));
  expect(result).toMatchObject({ isError: true, outcome: "error" });
  expect(textOf(result)).toMatch(words);
});

class Account {
  readonly owner = "Ada";
  #balance = 3;
  get balance() {
    return this.#balance;
  }
}
const cyclic: Record<string, unknown> = { name: "ring" };
cyclic.self = cyclic;

test.each([
  ["undefined", undefined, "give is done and returned nothing."],
  ["null", null, "null"],
  ["a number", 42, "42"],
  ["a string", "plain", "plain"],
  ["an object", { a: [1, true] }, '{"a":[1,true]}'],
  ["a class instance", new Account(), '{"owner":"Ada"}'],
  ["a BigInt", 12345678901234567890n, '"12345678901234567890"'],
  ["a date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ["not a number", Number.NaN, '"NaN"'],
  ["a cyclic object", cyclic, '{"name":"ring","self":"[circular]"}'],
])("a tool that returns %s gives the model text", async (_, value, text) => {
  const result = await tell(
    { toolName: "give" },
    returns(() => value),
  );
  expect(result.isError).toBe(false);
  expect(result.content[0]).toEqual({ type: "text", text });
});

test("what could not be kept of a value is noted", async () => {
  const result = await tell(
    { toolName: "give" },
    returns(() => cyclic),
  );
  expect(textOf(result)).toContain("$.self refers back to an object that contains it");
});

test("a value whose toJSON throws is an error message", async () => {
  const result = await tell(
    { toolName: "give" },
    returns(() => ({
      toJSON() {
        throw new Error("sealed");
      },
    })),
  );
  expect(result).toMatchObject({ isError: true, outcome: "error" });
  expect(textOf(result)).toContain("sealed");
});

test("a tool that ignores its signal does not hold the turn beyond its deadline", async () => {
  const deaf = tool({
    name: "give",
    timeout: 20,
    input: { type: "object" },
    execute: () => new Promise(() => undefined),
  });
  const result = await tell({ toolName: "give" }, deaf);
  expect(result).toMatchObject({ isError: true, outcome: "timeout" });
  expect(textOf(result)).toContain("20 ms");
});

test("a tool that fails after its deadline causes no unhandled rejection, and its signal was aborted", async () => {
  let fail: (error: Error) => void = () => undefined;
  let signal: AbortSignal | undefined;
  const late = tool({
    name: "give",
    timeout: 10,
    input: { type: "object" },
    execute: (_, context) => {
      signal = context.signal;
      return new Promise((_resolve, reject) => (fail = reject));
    },
  });
  const result = await tell({ toolName: "give" }, late);
  expect(result.outcome).toBe("timeout");
  expect(signal?.aborted).toBe(true);
  fail(new Error("much too late"));
  await new Promise((resolve) => setTimeout(resolve, 5));
});
