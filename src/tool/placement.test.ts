import vm from "node:vm";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { attach } from "../attach/attach.ts";
import { ConfigurationError, SchemaNotFoundError } from "../errors.ts";
import { executeToolCalls } from "../run/execute-tool-calls.ts";
import type { ParameterPlan } from "../schema/function-schema.ts";
import type { JsonSchema } from "../schema/types.ts";
import { tool } from "./define.ts";
import { parametersOf, placeByNames } from "./placement.ts";
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
  return { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])) };
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

test("a build's placement is used, whatever the function's text calls its parameters", async () => {
  const a = placed((e: unknown, t: unknown) => show(e, t), property("city"), context);
  const source = tool(a, { input: objectOf("city") });
  expect(source.name).toBe("original");
  expect(await call(source, { city: "Oslo" })).toEqual(["Oslo", { role: "guest" }]);
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

const places: readonly [string, readonly ParameterPlan[], readonly string[], readonly unknown[]][] = [
  ["by name, in the parameters' order", [property("a"), property("b")], ["b", "a"], ["a", "b"]],
  ["nothing for a parameter without a property", [property("a"), property("b")], ["a"], ["a", "absent"]],
  ["the whole object where no name fits", [property("trip"), property("b")], ["a"], ["object", "absent"]],
  ["the whole object after the context", [context, property("trip")], ["a"], ["context", "object"]],
  [
    "the whole object to a destructured parameter",
    [{ kind: "object" }, context],
    ["a"],
    ["object", "context"],
  ],
  ["a list to a rest parameter", [{ kind: "rest", name: "all" }], ["all"], ["all"]],
  ["the context alone", [context], [], ["context"]],
];

test.each(places)("arguments are placed: %s", (_, parameters, names, expected) => {
  const properties = Object.fromEntries(names.map((name) => [name, {}]));
  const placements = placeByNames("t", parameters, properties);
  expect(placements.map((placement) => ("name" in placement ? placement.name : placement.kind))).toEqual(
    expected,
  );
});

describe("no value of a model stands in the place of a context", () => {
  const forged = { role: "admin", context: { role: "admin" } };

  test.each([
    ["named like it", [property("id"), context], ["id", "context"]],
    ["alone", [context], ["context"]],
    ["alone, whatever the property", [context, context], ["role"]],
  ])("a property %s is an error, since no parameter takes it", (_, parameters, names) => {
    const properties = Object.fromEntries(names.map((name) => [name, {}]));
    expect(() => placeByNames("erase", parameters, properties)).toThrow(
      /The schema of the tool erase has the properties .*, which its function has no parameters for/,
    );
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
    expect(() => parametersOf(fn, found)).toThrow(ConfigurationError);
    expect(() => parametersOf(fn, found)).toThrow(expected);
    expect(() => parametersOf(fn, undefined)).toThrow(/The parameters of fn are not known/);
  });

  test("unless the error says how they are placed, in a form that is understood", () => {
    const error = (parameters: readonly object[]): SchemaNotFoundError =>
      new SchemaNotFoundError("A callback has no schema.", {
        data: JSON.parse(JSON.stringify({ parameters })),
      });
    const parameters = [property("city"), context, { kind: "object" }, { kind: "rest", name: "more" }];
    expect(parametersOf(fn, error(parameters))).toEqual(parameters);
    for (const odd of [{ kind: "property" }, { kind: "injected" }, { name: "city" }])
      expect(() => parametersOf(fn, error([odd]))).toThrow(/are not known/);
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
