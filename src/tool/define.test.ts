import { describe, expect, test } from "vitest";
import { z } from "zod";
import { attach } from "../schema/attach/attach.ts";
import { annotationsOf, functionTool, namespaced, tool, toSchema } from "./define.ts";

const input = { type: "object", properties: {} } as const;
const execute = (): string => "done";

describe("a tool with a schema of its own", () => {
  test("has what it is defined with, and nothing else", () => {
    const plain = tool({ name: "pay", input });
    expect(Object.keys(plain)).toEqual(["name", "inputSchema", "annotations", "policy"]);
    expect(plain).toMatchObject({
      name: "pay",
      inputSchema: { jsonSchema: input },
      annotations: {},
      policy: {},
    });
    const full = tool({
      name: "pay",
      description: "Pays.",
      input,
      output: { type: "string" },
      tags: ["a"],
      timeout: 5,
      execute,
    });
    expect(full).toMatchObject({
      description: "Pays.",
      outputSchema: { jsonSchema: { type: "string" } },
      annotations: { tags: ["a"] },
      policy: { timeout: 5 },
      execute,
    });
    expect([Object.isFrozen(full), Object.isFrozen(full.annotations), Object.isFrozen(full.policy)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("has its namespace in front of its name", () => {
    expect(tool({ name: "pay", namespace: "bank", input }).name).toBe("bank_pay");
    expect([namespaced("pay", {}), namespaced("pay", { namespace: "" })]).toEqual(["pay", "_pay"]);
  });

  test.each([{}, { name: "" }, { name: 7 }])("needs a name: %j", (definition) => {
    expect(() => tool({ input, ...definition } as never)).toThrow(
      expect.objectContaining({
        code: "invalid-tool",
        message: expect.stringContaining("tool({ ... }) needs a name"),
      }),
    );
  });

  test("has no unknown option, and other frameworks' names are explained", () => {
    const define = (more: object) => () => tool({ name: "pay", input, ...more } as never);
    for (const [other, name] of [
      ["handler", "execute"],
      ["run", "execute"],
      ["parameters", "input"],
    ])
      expect(define({ [other ?? ""]: execute })).toThrow(`Did you mean "${name}"?`);
  });

  test("is executed or offloaded, not both", () => {
    const offload = { module: new URL("file:///a.ts") };
    expect(() => tool({ name: "pay", input, execute, offload })).toThrow(
      expect.objectContaining({
        code: "invalid-tool",
        message: "The tool pay has both execute and offload. Set one of them.",
      }),
    );
    expect(tool({ name: "pay", input, offload }).execute).toBeTypeOf("function");
  });

  test.each([
    [undefined, "the input of the tool pay is missing. Set a JSON Schema"],
    [null, "the input of the tool pay is a object."],
    ["text", "the input of the tool pay is a string."],
    [{ type: "string" }, "the input of the tool pay"],
  ])("cannot have the input %j", (wrong, words) => {
    expect(() => tool({ name: "pay", input: wrong as never })).toThrow(words);
  });
});

test("a schema of a library stays itself, and one that is data is compiled", () => {
  const library = toSchema(z.object({ n: z.coerce.number() }), "the input");
  expect(library.jsonSchema).toMatchObject({ type: "object", properties: { n: {} } });
  expect(toSchema({ type: "string" }, "the input").jsonSchema).toEqual({ type: "string" });
  expect(() => toSchema(7 as never, "the input")).toThrow(expect.objectContaining({ code: "invalid-tool" }));
});

describe("a function as a tool", () => {
  function pay(): void {}

  test("is called as its options say, or as it is named", () => {
    expect(tool(pay)).toMatchObject({ fn: pay, name: "pay", options: {}, policy: {} });
    expect(tool(pay, { name: "send" }).name).toBe("send");
    expect(tool(pay, { namespace: "bank" }).name).toBe("bank_pay");
    expect(tool(() => 1).name).toBeUndefined();
    expect(tool(() => 1, { namespace: "bank" }).name).toBeUndefined();
    const built = attach(() => 1, JSON.stringify({ name: "original", inputSchema: {}, parameters: [] }));
    expect(tool(built).name).toBe("original");
  });

  test("knows the call that passed it on, unless a build has attached its schema or there is none", () => {
    expect(tool(pay).origin).toMatchObject({ path: [0] });
    const built = attach(() => 1, JSON.stringify({ name: "original", inputSchema: {}, parameters: [] }));
    expect(tool(built)).not.toHaveProperty("origin");
    expect(functionTool(pay, {}, undefined)).not.toHaveProperty("origin");
  });

  test("keeps its options as they were, frozen", () => {
    const options = { timeout: 5, tags: ["a"] };
    const source = tool(pay, options);
    options.timeout = 7;
    expect(source).toMatchObject({ options: { timeout: 5, tags: ["a"] }, policy: { timeout: 5 } });
    expect([Object.isFrozen(source), Object.isFrozen(source.options)]).toEqual([true, true]);
    expect(() => tool(pay, { output: {} } as never)).toThrow('tool(pay, { ... }) has no option "output"');
    expect(() => tool(() => 1, { title: 7 } as never)).toThrow("title of tool(fn, { ... }) must be a text");
  });
});

test("annotations are what describes a tool, without what is left out", () => {
  const all = {
    title: "Pay",
    namespace: "bank",
    tags: ["a"],
    version: "1",
    deprecated: false,
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  };
  expect(annotationsOf({ ...all, timeout: 5 } as never)).toEqual(all);
  expect(Object.keys(annotationsOf({ title: undefined, version: "" } as never))).toEqual(["version"]);
});

test("a definition with options in a second argument is refused: an approval there would be lost", () => {
  const definition = { name: "pay", input: { type: "object" }, execute: () => "paid" } as const;
  expect(() => Reflect.apply(tool, undefined, [definition, { approval: true }])).toThrow(
    expect.objectContaining({ code: "invalid-tool", message: expect.stringContaining("in its one object") }),
  );
  expect([definition].map((each) => tool(each))).toMatchObject([{ name: "pay" }]);
});
