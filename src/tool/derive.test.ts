import vm from "node:vm";
import { describe, expect, test } from "vitest";
import { attach } from "../schema/attach/attach.ts";
import type { FunctionSchema } from "../schema/function-schema.ts";
import { knownSchema } from "../schema/attach/schemas.ts";
import { functionTool, tool } from "./define.ts";
import { derivePolicy, originOf } from "./derived-policy.ts";
import { deriveTools, findAll, findSchemas } from "./derive.ts";
import { describeFunction } from "./function-name.ts";
import type { ToolContext } from "./tool-context.ts";
import type { ToolFunction } from "./tool-function.ts";
import type { FunctionToolOptions, Tool } from "./types.ts";

const input = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;

/** A function as a build attaches its schema. */
function built(fn: ToolFunction, more: Partial<FunctionSchema> = {}): ToolFunction {
  const parameters = [{ kind: "property", name: "city" }];
  return attach(fn, JSON.stringify({ name: "find", inputSchema: input, parameters, ...more }));
}

async function derive(fn: ToolFunction, options: FunctionToolOptions<never, never> = {}): Promise<Tool> {
  const [derived] = await deriveTools([functionTool(fn, options, undefined)]);
  if (!derived) throw new Error("a function gave no tool");
  return derived;
}

// Made at run time: no file has its types.
const unreadable = (name: string): (() => string) =>
  vm.runInThisContext(`(function ${name}() { return ""; })`);

describe("the tool of a function", () => {
  test("has what its schema says, and nothing else", async () => {
    const plain = await derive(built((city: string) => city));
    expect(Object.keys(plain)).toEqual(["name", "inputSchema", "annotations", "policy", "execute"]);
    expect(plain).toMatchObject({ name: "find", annotations: {}, policy: {} });
    const full = await derive(
      built((city: string) => city, {
        description: "Finds.",
        outputSchema: { type: "string" },
        deprecated: true,
        warnings: ["is odd"],
      }),
      { tags: ["a"], timeout: 5 },
    );
    expect(full).toMatchObject({
      description: "Finds.",
      outputSchema: { jsonSchema: { type: "string" } },
      annotations: { deprecated: true, tags: ["a"] },
      policy: { timeout: 5 },
      warnings: ["is odd"],
    });
  });

  test("is described by its options before its comment, and not at all by an empty text", async () => {
    const find = built((city: string) => city, { description: "Finds." });
    expect((await derive(find, { description: "Seeks." })).description).toBe("Seeks.");
    expect(await derive(find, { description: "" })).not.toHaveProperty("description");
    expect((await derive(find, { deprecated: false })).annotations).toEqual({ deprecated: false });
  });

  test("is named by its options, else by its schema, with its namespace", async () => {
    const find = built(function wrapper(city: string) {
      return city;
    });
    expect((await derive(find)).name).toBe("find");
    expect((await derive(find, { namespace: "map" })).name).toBe("map_find");
    expect((await derive(find, { name: "seek", namespace: "map" })).name).toBe("map_seek");
    const unnamed = built(
      function wrapper(city: string) {
        return city;
      },
      { name: "" },
    );
    expect((await derive(unnamed)).name).toBe("wrapper");
    await expect(derive(built((city: string) => city, { name: "" }))).rejects.toMatchObject({
      code: "invalid-tool",
      message: expect.stringMatching(
        /^The function \(city\) => city has no name\. Name it, or write tool\(fn, \{ name: "\.\.\." \}\)\.$/,
      ),
    });
  });

  test("is called with its arguments, its context and its this", async () => {
    const context = { toolCallId: "1" } as ToolContext;
    const parameters = [{ kind: "context" }, { kind: "property", name: "city" }] as const;
    function find(this: unknown, ...args: readonly unknown[]): unknown {
      return [this, ...args];
    }
    const source = { ...functionTool(built(find, { parameters }), {}, undefined), self: { of: "kit" } };
    const [tool] = await deriveTools([source]);
    expect(tool?.execute?.({ city: "Oslo" }, context)).toEqual([{ of: "kit" }, context, "Oslo"]);
  });

  test("sends its arguments to a thread without the context, if it is offloaded", async () => {
    const text = "export default (...args) => JSON.stringify(args);";
    const offload = { module: `data:text/javascript,${encodeURIComponent(text)}` };
    const parameters = [{ kind: "property", name: "city" }, { kind: "context" }] as const;
    const tool = await derive(
      built(() => "not called", { parameters }),
      { offload },
    );
    const { signal } = new AbortController();
    expect(await tool.execute?.({ city: "Oslo" }, { signal } as ToolContext)).toBe('["Oslo",null]');
  });

  test("turns its input into what its types say", async () => {
    const schema = { ...input, properties: { city: { type: "string", format: "date-time" } } };
    const { inputSchema } = await derive(
      built((city: Date) => city, { inputSchema: schema, revive: { "#/properties/city": "date" } }),
    );
    expect(inputSchema.validate({ city: "2026-01-02T03:04:05Z" })).toEqual({
      ok: true,
      value: { city: new Date("2026-01-02T03:04:05Z") },
    });
  });

  test("with a schema of its own needs a name, too", async () => {
    const placed = built((city: string) => city, { name: "", placementOnly: true });
    await expect(derive(placed, { input })).rejects.toMatchObject({
      code: "invalid-tool",
      message: 'The function (city) => city has no name. Set one with tool(fn, { name: "...", input }).',
    });
    const tool = await derive(placed, { name: "find", input, timeout: 5 });
    expect(Object.keys(tool)).toEqual(["name", "inputSchema", "annotations", "policy", "execute"]);
    expect(tool).toMatchObject({ name: "find", annotations: {}, policy: { timeout: 5 } });
    expect((await derive(placed, { name: "find", input, description: "" })).description).toBe("");
  });
});

describe("functions without a schema", () => {
  test("are found together with those that have one, in their order", async () => {
    const [first, second] = [built((city: string) => city), unreadable("second")];
    const sources = [second, first].map((fn) => functionTool(fn, {}, undefined));
    const [missing, found] = await findSchemas(sources);
    expect(missing).toMatchObject({ code: "schema-not-found" });
    expect(found).toMatchObject({ name: "find" });
    const all = await findAll(sources);
    expect([...all.keys()]).toEqual(sources);
    expect([...all.values()]).toEqual([missing, found]);
  });

  test("are one error, with the data of each", async () => {
    const sources = [unreadable("first"), unreadable("second")].map((fn) => functionTool(fn, {}, undefined));
    await expect(deriveTools(sources)).rejects.toMatchObject({
      code: "schema-not-found",
      message: expect.stringMatching(/^2 tools have no schema:\n.*first.*\n.*second/s),
      data: { errors: [expect.any(Object), expect.any(Object)] },
    });
  });
});

test("a schema that is found is remembered for the function, and for the place where it was passed on", async () => {
  /** Doubles a number. */
  const double = (n: number): number => n * 2;
  const source = functionTool(double, {}, undefined);
  const [found] = await findSchemas([source]);
  expect(found).toMatchObject({ name: "double", description: "Doubles a number." });
  expect(knownSchema(double)).toBe(found);
  expect((await findSchemas([source, source]))[1]).toBe(found);
  const passed = tool((n: number) => n * 3, { name: "triple" });
  const [first] = await findSchemas([passed]);
  expect((await findSchemas([passed]))[0]).toBe(first);
});

test("a function of several types is an error that says how to have one for each", async () => {
  const fn = (city: string): string => city;
  const schema = { name: "find", inputSchema: input, parameters: [], instance: true };
  attach(fn, JSON.stringify(schema));
  attach(fn, JSON.stringify({ ...schema, inputSchema: { type: "object", properties: {} } }));
  const [finding] = await findSchemas([{ fn }]);
  expect(finding).toMatchObject({
    code: "schema-not-found",
    data: { function: "fn" },
    message: expect.stringContaining("fn is used with several types"),
  });
});

test("a function is described by its name, or by the beginning of its code on one line", () => {
  expect(describeFunction(function pay() {})).toBe("pay");
  const anonymous = [(city: string): string => `A text that is longer than what is shown of it: ${city}`][0];
  if (!anonymous) throw new Error("it is there");
  expect(describeFunction(anonymous)).toMatch(/^\(city\) => `A text that is longer than .*…$/);
  expect(describeFunction(anonymous)).toHaveLength(61);
  expect(describeFunction([(): number => 1][0] ?? anonymous)).toBe("() => 1");
});

test("an option of a policy comes from the policy that it was first in", () => {
  const first = { timeout: 5, cache: { ttl: 1 } };
  const second = derivePolicy(first, { timeout: 7 });
  const third = derivePolicy(second, { retries: 1 });
  expect(third).toEqual({ timeout: 7, cache: first.cache, retries: 1 });
  expect(originOf(third, "cache")).toBe(first);
  expect(originOf(third, "timeout")).toBe(second);
  expect(originOf(third, "retries")).toBe(third);
  expect(originOf(first, "timeout")).toBe(first);
});
