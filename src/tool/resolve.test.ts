import vm from "node:vm";
import { describe, expect, test } from "vitest";
import { Agent } from "../index.ts";
import { tool } from "./define.ts";
import { isFunctionTool, isToolset, isToolSource } from "./is-source.ts";
import { copySources, staticName, toolEntries } from "./resolve.ts";
import type { Tool, Toolset, ToolSources } from "./types.ts";

const input = { type: "object", properties: {} } as const;
const complete: Tool = tool({ name: "complete", input });
const set: Toolset = { name: "set", tools: () => [] };
function pay(): void {}
const nameless = (): (() => number) => () => 1;

describe("the entries of a list", () => {
  test("say where each stands", () => {
    const entries = toolEntries([pay, tool(pay, { name: "send" }), complete, set], "the agent A");
    expect(entries.map(({ place }) => place)).toEqual([
      "tools[0] of the agent A (the function pay)",
      "tools[1] of the agent A",
      "tools[2] of the agent A",
      "tools[3] of the agent A",
    ]);
    expect(entries.map(staticName)).toEqual(["pay", "send", "complete", undefined]);
    expect(entries[2]?.source).toBe(complete);
    expect(entries[3]?.source).toBe(set);
    expect(toolEntries([complete])[0]?.place).toBe("tools[0]");
    expect(toolEntries()).toEqual([]);
  });

  test("of a record have its names", () => {
    const entries = toolEntries({ a: pay, b: tool(pay, { timeout: 5 }), c: complete }, "the agent A");
    expect(entries.map(({ place }) => place)).toEqual([
      "tools.a of the agent A (the function a)",
      "tools.b of the agent A",
      "tools.c of the agent A",
    ]);
    expect(entries.map(staticName)).toEqual(["a", "b", "c"]);
    expect(entries[1]?.source).toMatchObject({ fn: pay, options: { name: "b", timeout: 5 } });
    expect(entries[2]?.source).toEqual({ ...complete, name: "c" });
    expect(complete.name).toBe("complete");
  });

  test("know the call that passed the list on", () => {
    const origin = { calledAt: { stack: "here" }, path: [0, "tools"] };
    expect(toolEntries([pay], "", origin)[0]?.source).toMatchObject({
      origin: { calledAt: origin.calledAt, path: [0, "tools", 0], length: 1 },
    });
    const [first] = toolEntries({ a: pay }, "", origin);
    expect(first?.source).toMatchObject({ origin: { path: [0, "tools", "a"] } });
    expect(first?.source).not.toHaveProperty("origin.length");
    expect(toolEntries([pay])[0]?.source).not.toHaveProperty("origin");
  });
});

test.each<[unknown, string]>([
  ["pay", 'The tools of the agent A are "pay". Pass a list or a record of tools.'],
  [null, "The tools of the agent A are null."],
  [[undefined], "tools[0] of the agent A is undefined: is it imported in a circle?"],
  [[complete, [pay]], "tools[1] of the agent A is a list: spread it, ...list."],
  [
    [{ type: "hosted-tool", provider: "openai", name: "webSearch", definition: { type: "web_search" } }],
    'tools[0] of the agent A is openai.tools.webSearch(), which the provider executes: pass it to its model, openai.responses("...", { providerTools: [openai.tools.webSearch()] }).',
  ],
  [
    [new Agent({ name: "B", model: "openai:x" })],
    "is an agent: list it under handoffs, or write agent.asTool().",
  ],
  [[{ inputSchema: {} }], "is a tool of the AI SDK: write tool({ name, input: inputSchema, execute })"],
  [[null], "tools[0] of the agent A is null: a tool is a function, tool(...) or toolkit(new Kit())."],
  [["pay"], 'tools[0] of the agent A is "pay": a tool is a function'],
  [{ a: 7 }, "tools.a of the agent A is 7: a tool is a function"],
  [[{}], "tools[0] of the agent A is an object: a tool is a function"],
  [
    [nameless()],
    'tools[0] of the agent A is a function without a name. Name it, or write tool(fn, { name: "..." }).',
  ],
  [[{ ...complete, execute: 7 }], 'execute of the tool "complete" must be a function'],
])("%o is refused, and the error says what to write", (sources, words) => {
  const read = (): unknown => toolEntries(sources as ToolSources, "the agent A");
  expect(read).toThrow(
    expect.objectContaining({ code: "invalid-tool", message: expect.stringContaining(words) }),
  );
});

test("a function without a name may get one where it was passed on", () => {
  const origin = { calledAt: {}, path: [] };
  expect(toolEntries([nameless()], "", origin).map(staticName)).toEqual([undefined]);
  expect(toolEntries({ one: nameless() }).map(staticName)).toEqual(["one"]);
});

describe("two tools of one name", () => {
  const origin = { calledAt: {}, path: [] };
  const clash = (sources: ToolSources, more?: typeof origin) => () => toolEntries(sources, "", more);
  const wrapped = [1, 2].map(
    (n) =>
      function late(...args: unknown[]) {
        return [n, args];
      },
  );
  const plain = [1, 2].map(
    (n) =>
      function late(first: unknown) {
        return [n, first];
      },
  );

  test("are an error that names both places", () => {
    expect(clash([pay, complete, tool(pay)])).toThrow(
      expect.objectContaining({
        code: "name-clash",
        data: { name: "pay", places: ["tools[0] (the function pay)", "tools[2]"] },
      }),
    );
    expect(clash([set, set])).not.toThrow();
  });

  test("may be those of one wrapper, whose own name is any: which they are is known once their schemas are", () => {
    expect(clash(wrapped, origin)).not.toThrow();
    expect(clash(wrapped)).toThrow("Two tools are called");
    expect(clash(plain, origin)).toThrow("Two tools are called");
    const [one, two] = wrapped;
    if (!one || !two) throw new Error("both are there");
    expect(clash([one, one], origin)).toThrow("Two tools are called");
    expect(clash([one, tool(two, { name: "late" })], origin)).toThrow("Two tools are called");
    expect(clash([tool(one, { name: "late" }), two], origin)).toThrow("Two tools are called");
    expect(clash([one, tool({ name: "late", input })], origin)).toThrow("Two tools are called");
    const other = function late(...args: unknown[]): unknown {
      return args;
    };
    expect(clash([one, other], origin)).toThrow("Two tools are called");
  });
});

describe("a copy of the sources", () => {
  test("is frozen, and does not follow the list", () => {
    const list = [pay, complete];
    const copy = copySources(list);
    list.pop();
    expect(copy).toEqual([pay, complete]);
    expect(Object.isFrozen(copy)).toBe(true);
    expect(copySources(copy)).toBe(copy);
    expect(copySources(list)).not.toBe(copySources(list));
    expect(copySources()).toEqual([]);
  });

  test("has copies of what is data, and the rest as it is", () => {
    class Own {
      name = "own";
      inputSchema = complete.inputSchema;
      annotations = {};
      policy = {};
    }
    const open = { ...complete };
    const own = new Own();
    const copy = copySources({ open, own, frozen: complete, pay });
    expect(copy).toEqual({ open, own, frozen: complete, pay });
    const { open: copied } = copy as Record<string, unknown>;
    expect(copied).not.toBe(open);
    expect(Object.isFrozen(copied)).toBe(true);
    expect(copy).toMatchObject({ own: expect.toSatisfy((value) => value === own) });
    expect(copy).toMatchObject({ frozen: expect.toSatisfy((value) => value === complete) });
    const [first] = copySources([set]) as readonly unknown[];
    expect(first).toBe(set);
    expect(Object.isFrozen(set)).toBe(false);
  });
});

test("what can be listed is a function that is not a class, a tool, or a toolset", () => {
  class Kit {
    pay(): void {}
  }
  const classy = function classify(): void {};
  for (const value of [pay, classy, tool(pay), complete, set]) expect(isToolSource(value)).toBe(true);
  for (const value of [
    Kit,
    null,
    undefined,
    "a",
    {},
    { fn: 1 },
    { tools: [] },
    { name: "a" },
    { inputSchema: {} },
  ])
    expect(isToolSource(value)).toBe(false);
  expect([isFunctionTool(tool(pay)), isFunctionTool(complete), isToolset(set), isToolset(complete)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

describe("a function that passes on whatever it gets is known by its code", () => {
  const origin = { calledAt: {}, path: [] };
  /** Two functions of that code, both called `late`. */
  const twins = (code: string): (() => unknown)[] =>
    [1, 2].map(() => vm.runInThisContext(`(() => { const late = ${code}; return late; })()`));

  test.each([
    "(...args) => args",
    "async (...args) => args",
    "async( ... args ) => args",
    "function (...$args) {}",
    "function late(...args) {}",
    "function* late(...args) {}",
    "function * late (...args) {}",
    "async function late(...args) {}",
  ])("%s", (code) => {
    expect(toolEntries(twins(code), "", origin)).toHaveLength(2);
  });

  test.each([
    "(first, ...args) => 1",
    "(...[a]) => a",
    "args => 1",
    "function late(args) {}",
    "(a = (...b) => b) => a",
  ])("%s does not", (code) => {
    expect(() => toolEntries(twins(code), "", origin)).toThrow('Two tools are called "late"');
  });
});
