import vm from "node:vm";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { attach } from "../schema/attach/attach.ts";
import { ConfigurationError, SchemaNotFoundError } from "../errors.ts";
import { executeToolCalls } from "../run/execute-tool-calls.ts";
import type { ParameterPlan } from "../schema/function-schema.ts";
import type { JsonSchema } from "../schema/types.ts";
import { tool } from "./define.ts";
import { deriveTools } from "./derive.ts";
import { placementOf } from "./placement.ts";
import { schemaOf } from "./schema-of.ts";
import type { ToolFunction } from "./tool-function.ts";
import type { ToolContext } from "./tool-context.ts";
import type { FunctionTool } from "./types.ts";

interface Session {
  readonly role: string;
}

const context: ParameterPlan = { kind: "context" };
const property = (name: string): ParameterPlan => ({ kind: "property", name });

/** An object schema with these properties. */
function objectOf(...names: readonly string[]): JsonSchema {
  return { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])), required: names };
}

/** What a build attaches to the function of `tool(fn, { input })`. */
function placed<F extends ToolFunction>(fn: F, ...parameters: readonly ParameterPlan[]): F {
  return attach(fn, JSON.stringify({ name: "original", inputSchema: {}, parameters, placementOnly: true }));
}

/** What the tool returns for these arguments of a model, for a caller who is a guest. */
async function call(source: FunctionTool, args: object): Promise<unknown> {
  const { name: toolName = "" } = source;
  const calls = [{ toolCallId: "1", toolName, arguments: JSON.stringify(args) }];
  const [result] = await executeToolCalls(calls, [source], { context: { role: "guest" } });
  return result?.structuredContent ?? result?.content;
}

/** All arguments, with a context shown as the role of its caller. */
const show = (...args: readonly unknown[]): unknown[] =>
  args.map((arg) => {
    const isContext = typeof arg === "object" && arg !== null && "idempotencyKey" in arg;
    return isContext && "context" in arg ? arg.context : (arg ?? "nothing");
  });

test("uses a build's placement, for any parameter names in the function's text", async () => {
  const a = placed((e: unknown, t: unknown) => show(e, t), property("city"), context);
  const source = tool(a, { input: objectOf("city") });
  expect(source.name).toBe("original");
  expect(await call(source, { city: "Oslo" })).toEqual(["Oslo", { role: "guest" }]);
});

test("a build's outline of the signature counts as the signature does in development", async () => {
  const attached = (inputSchema: JsonSchema, ...parameters: readonly ParameterPlan[]): ToolFunction =>
    attach(
      (...args: readonly unknown[]) => show(...args),
      JSON.stringify({ name: "find", description: "Finds.", inputSchema, parameters, placementOnly: true }),
    );
  const query = { type: "object", properties: { query: { type: "string", description: "What." } } };
  const find = attached({ properties: { query }, required: ["query"] }, property("query"));
  const input = { type: "object", properties: { query: { type: "string" } }, required: ["query"] };
  const source = tool(find, { input });
  expect(await schemaOf(source)).toMatchObject({
    name: "find",
    description: "Finds.",
    inputSchema: { properties: { query: { type: "string", description: "What." } } },
  });
  expect(await call(source, { query: "x" })).toEqual([{ query: "x" }]);
  const two = attached({ properties: { a: {}, b: {} }, required: ["b"] }, property("a"), property("b"));
  await expect(schemaOf(tool(two, { input: objectOf("a") }))).rejects.toThrow(
    /^The schema of the tool find does not fit its function find: it has no property b/,
  );
});

test("a placement says nothing of a tool, and does not replace what does", async () => {
  const fn = (x: string): string => x;
  const full = { name: "full", inputSchema: objectOf("city"), parameters: [property("city")] };
  attach(fn, JSON.stringify(full));
  placed(fn, property("town"));
  expect(await schemaOf(fn)).toMatchObject({ name: "full", inputSchema: objectOf("city") });
  expect(await call(tool(fn, { input: objectOf("town") }), { town: "Oslo" })).toEqual([
    { type: "text", text: "Oslo" },
  ]);
  const bare = placed((city: string) => city, property("town"));
  expect(await schemaOf(bare)).toMatchObject({ inputSchema: { properties: { city: { type: "string" } } } });
});

test("in development an object goes where the types say, though a member is named like its parameter", async () => {
  const search = (query: { query: string; page?: number }): unknown => query;
  const flat = tool(search, { name: "flat", input: objectOf("query") });
  await expect(call(flat, { query: "x" })).rejects.toMatchObject({ code: "invalid-tool" });
  const text = { type: "object", properties: { query: { type: "string" } }, required: ["query"] };
  expect(await call(tool(search, { input: text }), { query: "x" })).toEqual({ query: "x" });
  const input = z.object({ query: z.object({ query: z.string() }) });
  expect(await call(tool(search, { input }), { query: { query: "x" } })).toEqual({ query: "x" });
});

test("in development, compares a schema with the function's types", async () => {
  const add = (a: string, b: number, caller: ToolContext): unknown => show(a, b, caller);
  const both = ({ a, b }: { a: string; b: number }): unknown => [a, b];
  for (const source of [
    tool(add, { input: objectOf("a") }),
    tool(add, { input: z.object({ a: z.number(), b: z.string() }) }),
    tool(both, { input: z.object({ q: z.string() }) }),
  ]) {
    await expect(schemaOf(source)).rejects.toThrow(
      /^The schema of the tool (add|both) does not fit its function/,
    );
  }
  const parsed = z.object({ a: z.string(), b: z.coerce.number() });
  expect(await call(tool(add, { input: parsed }), { a: "x", b: 2 })).toEqual(["x", 2, { role: "guest" }]);
  const renamed = z.object({ q: z.string() }).transform(({ q }) => ({ a: q, b: 1 }));
  expect(await call(tool(both, { input: renamed }), { q: "x" })).toEqual(["x", 1]);
  expect(await call(tool(add, { input: renamed }), { q: "x" })).toEqual(["x", 1, { role: "guest" }]);
});

test("a default of a JSON Schema is passed on where the function has none, a copy of it each time", async () => {
  const input = {
    type: "object",
    properties: { tags: { type: "array", default: ["new"] }, days: { type: "number", default: 7 } },
  };
  const list = (tags: string[], days = 3): unknown => [tags.push("seen"), tags, days];
  const source = tool(list, { input });
  for (const _ of [1, 2]) expect(await call(source, {})).toEqual([2, ["new", "seen"], 3]);
  const whole = ({ tags, days = 3 }: { tags: string[]; days?: number }): unknown => [tags, days];
  expect(await call(tool(whole, { input }), {})).toEqual([["new"], 3]);
});

test("what the function's comment says stays, where its own schema says nothing of it", async () => {
  /**
   * Finds trains.
   * @param from Where to start.
   * @param to Where to go.
   * @deprecated
   */
  function find(from: string, to: string): string {
    return from + to;
  }
  const properties = { from: { type: "string" }, to: { type: "string", description: "The end." } };
  const input = { type: "object", properties, required: ["from", "to"] };
  expect(await schemaOf(tool(find, { input }))).toMatchObject({
    description: "Finds trains.",
    inputSchema: {
      properties: {
        from: { type: "string", description: "Where to start." },
        to: { type: "string", description: "The end." },
      },
    },
  });
  expect(properties.from).toEqual({ type: "string" });
  const [placedTool] = await deriveTools([tool(find, { input, tags: ["travel"] })]);
  expect(placedTool?.annotations).toEqual({ deprecated: true, tags: ["travel"] });
  const library = z.object({ from: z.string(), to: z.string() });
  const described = await schemaOf(tool(find, { description: "Find a train.", input: library }));
  expect(described.description).toBe("Find a train.");
  expect(JSON.stringify(described.inputSchema)).not.toContain("Where to start.");
});

test("in development the types say where arguments go, also those that no schema can express", async () => {
  const positional = (city: string, caller: ToolContext<Session>, days = 3): unknown =>
    show(city, caller, days);
  const input = z.object({ city: z.string(), days: z.number().optional() });
  expect(await call(tool(positional, { input }), { city: "Oslo" })).toEqual(["Oslo", { role: "guest" }, 3]);
  const whole = (trip: { city: string }, caller: ToolContext): unknown => show(trip, caller);
  expect(await call(tool(whole, { input: objectOf("city") }), { city: "Oslo" })).toEqual([
    { city: "Oslo" },
    { role: "guest" },
  ]);
  const destructured = ({ city }: { city: string }): string => city;
  expect(await call(tool(destructured, { input: objectOf("city") }), { city: "Oslo" })).toEqual([
    { type: "text", text: "Oslo" },
  ]);
});

describe("no value of a model stands in the place of a context", () => {
  const forged = { role: "admin", context: { role: "admin" } };

  test.each([
    ["named like it", [property("id"), context], ["id", "context"]],
    ["alone", [context], ["context"]],
    ["alone, whatever the property", [context, context], ["role"]],
  ])("a property %s is an error, since no parameter takes it", async (_, parameters, names) => {
    const fn = placed(() => "erased", ...parameters);
    const failure: unknown = await schemaOf(tool(fn, { name: "erase", input: objectOf(...names) })).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      code: "invalid-tool",
      message: expect.stringMatching(
        /^The schema of the tool erase does not fit its function original: the function takes no (context|role)\./,
      ),
    });
  });

  test.each([
    ["first", [context, property("id")]],
    ["last", [property("id"), context]],
    ["among absent ones", [property("id"), property("note"), context, property("more")]],
    ["beside a whole object", [context, property("request")]],
    ["beside a destructured one", [{ kind: "object" }, context]],
  ] satisfies readonly [string, ParameterPlan[]][])("%s", async (_, parameters) => {
    const fn = placed((...args: readonly unknown[]) => show(...args), ...parameters);
    const source = tool(fn, { name: "erase", input: { ...objectOf("id"), additionalProperties: true } });
    const sent = {
      id: "1",
      caller: forged,
      context: forged,
      ctx: forged,
      note: forged,
      more: forged,
      0: forged,
    };
    const received = await call(source, sent);
    const position = parameters.findIndex(({ kind }) => kind === "context");
    expect(received).toHaveProperty([position], { role: "guest" });
  });

  test("a parameter without a property gets nothing of what a model sends beside the schema", async () => {
    const fn = placed((...args: readonly unknown[]) => show(...args), property("id"), property("note"));
    const source = tool(fn, { name: "erase", input: objectOf("id") });
    expect(await call(source, { id: "1", note: forged })).toEqual(["1", "nothing"]);
  });
});

describe("where the parameters are not known, tool(fn, { input }) is refused", () => {
  const fn = (city: string): string => city;

  test("with a sentence that says what to write, and why", () => {
    const found = new SchemaNotFoundError("No source is here.", { data: { file: "/app/dist/main.js" } });
    const expected = expect.objectContaining({
      code: "invalid-tool",
      message: expect.stringMatching(
        /^The parameters of fn are not known.*Write tool\(\{ name, description, input, execute: .*\nNo source is here\.$/s,
      ),
      data: { file: "/app/dist/main.js", function: "fn" },
      cause: found,
    });
    expect(() => placementOf(fn, found)).toThrow(ConfigurationError);
    expect(() => placementOf(fn, found)).toThrow(expected);
    expect(() => placementOf(fn, undefined)).toThrow(/The parameters of fn are not known/);
  });

  test("unless the error says how they are placed, in a form that is understood", () => {
    const error = (placement: object): SchemaNotFoundError =>
      new SchemaNotFoundError("A callback has no schema.", {
        data: JSON.parse(JSON.stringify({ placement })),
      });
    const parameters = [property("city"), context, { kind: "object" }, { kind: "rest", name: "more" }];
    const placement = { name: "f", inputSchema: {}, parameters, placementOnly: true };
    expect(placementOf(fn, error(placement))).toEqual(placement);
    for (const odd of [{ kind: "property" }, { kind: "injected" }, { name: "city" }])
      expect(() => placementOf(fn, error({ ...placement, parameters: [odd] }))).toThrow(/are not known/);
    expect(() => placementOf(fn, error({ ...placement, inputSchema: null }))).toThrow(/are not known/);
  });

  test("so that a function whose source cannot be found runs only with a build's placement", async () => {
    // Made at run time: no file has its types.
    const unreadable: (city: string) => string = vm.runInThisContext("(city) => city");
    const source = tool(unreadable, { name: "weather", input: objectOf("city") });
    const failure: unknown = await schemaOf(source).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "invalid-tool" });
    placed(unreadable, property("city"));
    expect(await call(source, { city: "Oslo" })).toEqual([{ type: "text", text: "Oslo" }]);
  });
});

test("an error about several functions names each, and one about a single one is its own", async () => {
  const [first, second] = ["first", "second"].map((name): (() => string) =>
    vm.runInThisContext(`(function ${name}(...all) { return ""; })`),
  );
  const schemas = (...functions: readonly ((() => string) | undefined)[]) =>
    deriveTools(functions.flatMap((fn) => (fn ? [tool(fn)] : [])));
  await expect(schemas(first, second)).rejects.toThrow(
    /^2 tools have no schema:\n.*first.*\n(?:.*\n)*.*second/,
  );
  await expect(schemas(first)).rejects.toThrow(/first/);
  await expect(schemas(first)).rejects.not.toThrow(/tools have no schema/);
});
