import { type } from "arktype";
import { expect, test } from "vitest";
import { z } from "zod";
import { Agent, executeToolCalls, generate, run, schemaOf, tool, toolkit, type ToolContext } from "skein";
import { ScriptedModel } from "skein/testing";

/**
 * Get the current weather in a city.
 * @param city - City name, such as "Paris"
 * @param days - How many days ahead @minimum 0 @maximum 7
 */
async function getWeather(city: string, unit: "celsius" | "fahrenheit" = "celsius", days = 0) {
  return `18 degrees ${unit} in ${city} in ${days} days`;
}

/** Greets whoever is logged in. */
function greet(caller: ToolContext<{ user: string }>, greeting = "Hello") {
  return `${greeting}, ${caller.context.user}`;
}

/** Searches for rooms. */
function findRooms({ city, guests = 2 }: { city: string; guests?: number }) {
  return { city, guests };
}

/** Counts slowly. */
async function* countTo(limit: number) {
  for (let n = 1; n <= limit; n++) yield n;
  return limit;
}

/** Looks something up, with overloads that one schema cannot say. */
function lookUp(key: string): string;
function lookUp(key: number): string;
function lookUp(key: string | number): string {
  return String(key);
}

const call = (toolName: string, args: object) => ({
  toolCallId: toolName,
  toolName,
  arguments: JSON.stringify(args),
});

test("a function's signature and doc comment are its schema", async () => {
  expect(await schemaOf(getWeather)).toEqual({
    name: "getWeather",
    description: "Get the current weather in a city.",
    inputSchema: {
      type: "object",
      properties: {
        city: { type: "string", description: 'City name, such as "Paris"' },
        unit: { type: "string", enum: ["celsius", "fahrenheit"], default: "celsius" },
        days: { type: "number", description: "How many days ahead", minimum: 0, maximum: 7, default: 0 },
      },
      required: ["city"],
      additionalProperties: false,
    },
    outputSchema: { type: "string" },
  });
});

test("an agent calls plain functions with the arguments in their places and the context injected", async () => {
  const model = new ScriptedModel([
    {
      toolCalls: [
        { toolName: "getWeather", arguments: { days: "2", city: "Paris", unit: null } },
        { toolName: "greet", arguments: {} },
        { toolName: "findRooms", arguments: { city: "Rome" } },
        { toolName: "countTo", arguments: { limit: 2 } },
        { toolName: "getWeather", arguments: { city: "Oslo", days: 9 } },
      ],
    },
    "done",
  ]);
  const agent = new Agent({ name: "A", model, tools: [getWeather, greet, findRooms, countTo] });
  const outcome = await run(agent, "go", { context: { user: "Ada" } });
  const texts = outcome.messages.flatMap((m) => (m.role === "tool" ? [m.result.content[0]] : []));
  expect(texts.slice(0, 4)).toEqual(
    ["18 degrees celsius in Paris in 2 days", "Hello, Ada", '{"city":"Rome","guests":2}', "2"].map(
      (text) => ({ type: "text", text }),
    ),
  );
  expect(outcome.messages[5]).toMatchObject({ result: { outcome: "invalid-arguments" } });
  expect(JSON.stringify(model.requests[0]?.tools)).not.toContain("caller");
});

test("a function can have another name, description, and a schema of its own", async () => {
  const named = tool(getWeather, {
    name: "forecast",
    description: "Look ahead.",
    input: z.object({
      city: z.string().min(2),
      unit: z.enum(["celsius", "fahrenheit"]).default("fahrenheit"),
      days: z.number(),
    }),
  });
  const results = await executeToolCalls(
    [call("forecast", { city: "Oslo", days: 1 }), call("forecast", { city: "O", days: 1 })],
    [named],
  );
  expect(results).toMatchObject([
    { content: [{ text: "18 degrees fahrenheit in Oslo in 1 days" }] },
    { outcome: "invalid-arguments" },
  ]);
});

test("a schema whose properties have no parameters is an error that names them", async () => {
  const wrong = tool(getWeather, { input: z.object({ city: z.string(), region: z.string() }) });
  await expect(schemaOf(wrong)).rejects.toThrow(/getWeather.*region/s);
});

test("arktype and zod schemas type the input of a tool", async () => {
  const add = tool({ name: "add", input: type({ a: "number", b: "number" }), execute: ({ a, b }) => a + b });
  const twice = tool({ name: "twice", input: z.object({ n: z.coerce.number() }), execute: ({ n }) => n * 2 });
  const results = await executeToolCalls(
    [call("add", { a: 1, b: 2 }), call("twice", { n: "4" })],
    [add, twice],
  );
  expect(results.map((result) => result.structuredContent)).toEqual([3, 8]);
});

class Counter {
  #count = 0;
  readonly label = "counter";
  /** Adds to the count. */
  add(amount: number) {
    this.#count += amount;
    return this.#count;
  }
  protected hidden(secret: symbol) {
    return secret;
  }
  _internal() {
    return 0;
  }
}

test("a toolkit's tools are the public methods of an instance, with their state", async () => {
  const counter = toolkit(new Counter());
  const results = await executeToolCalls([call("add", { amount: 2 }), call("add", { amount: 3 })], [counter]);
  expect(results.map((result) => result.structuredContent)).toEqual([2, 5]);
  const model = new ScriptedModel(["ok"]);
  await run(new Agent({ name: "A", model, tools: [counter] }), "go");
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["add"]);
});

test("two toolkits with a method of one name: the second one's is prefixed", async () => {
  const model = new ScriptedModel(["ok"]);
  await run(new Agent({ name: "A", model, tools: [toolkit(new Counter()), toolkit(new Counter())] }), "go");
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["add", "Counter_add"]);
});

test("generate passes plain functions to a model and returns its calls, for executeToolCalls", async () => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "getWeather", arguments: { city: "Rome" } }] }]);
  const { toolCalls } = await generate(model, { messages: "weather?", tools: [getWeather] });
  expect(model.requests[0]?.tools?.[0]?.name).toBe("getWeather");
  const [result] = await executeToolCalls(toolCalls, [getWeather]);
  expect(result).toMatchObject({ toolCallId: "call_1", isError: false });
});

test("what a schema says only in part is a warning of the run", async () => {
  const outcome = await run(
    new Agent({ name: "A", model: new ScriptedModel(["ok"]), tools: [lookUp] }),
    "go",
  );
  expect(outcome.warnings).toEqual([
    expect.stringMatching(/^lookUp: .*2 overloads.*functions\.test\.ts:\d+/),
  ]);
});
