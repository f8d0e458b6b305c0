import { expect, test } from "vitest";
import { Agent, result, run, tool, toolset, type Tool, type ToolContext } from "skein";
import { codeMode } from "skein/code";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { programmer, textOf, textsOf } from "./test-run.ts";

const input = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;
const empty = { type: "object", properties: {} } as const;
const double = tool({ name: "double", input, execute: ({ n }: { n: number }) => n * 2 });

/** The specs that a model sees of an agent's tools. */
async function specsOf(tools: Agent["tools"]) {
  let specs: readonly { readonly name: string; readonly description?: string }[] = [];
  const model = new FunctionModel((request) => {
    specs = request.tools ?? [];
    return "Done.";
  });
  await run(new Agent({ name: "A", model, tools }), "Go.");
  return specs;
}

test("a program calls tools, and what it returns is the result", async () => {
  expect(
    await textsOf(
      [
        "return await tools.double({ n: 4 });",
        "const all = await Promise.all([1, 2, 3].map((n) => tools.double({ n }))); return { all };",
        "const n: number = 1; return `text ${n as number}`;",
        "await tools.double({ n: 1 });",
        "return null;",
      ],
      [double],
    ),
  ).toEqual(["8", '{"all":[2,4,6]}', "text 1", "execute_typescript is done and returned nothing.", "null"]);
});

test("what it prints stands behind what it returns", async () => {
  const printing = 'console.log("sum", { a: [1] }, new Error("bad")); console.warn("next"); return 5;';
  expect(await textsOf([printing, 'console.log("only");'])).toEqual([
    '5\n\nPrinted:\nsum {"a":[1]} Error: bad\nnext',
    "The program returned nothing.\n\nPrinted:\nonly",
  ]);
});

test("a model sees the one tool, and a call of another is corrected as that of an unknown tool", async () => {
  const agentTools = [codeMode([double])];
  expect((await specsOf(agentTools)).map(({ name }) => name)).toEqual(["execute_typescript"]);
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "double", arguments: { n: 1 } }] }, "Done."]);
  const { messages } = await run(new Agent({ name: "A", model, tools: agentTools }), "Go.");
  const call = messages.find((message) => message.role === "tool");
  expect(call?.result).toMatchObject({ outcome: "unknown-tool", isError: true });
  expect(JSON.stringify(call?.result.content)).toContain("execute_typescript");
  expect(JSON.stringify(call?.result.content)).not.toContain("Did you mean");
});

test("direct tools are the model's, and not those of programs", async () => {
  const other = tool({ name: "other", input: empty, execute: () => 1 });
  const tools = codeMode([double, other], { direct: ["other"], check: false });
  expect((await specsOf([tools])).map(({ name }) => name)).toEqual(["execute_typescript", "other"]);
  expect(
    await textOf("return await tools.other({});", [double, other], { direct: ["other"], check: false }),
  ).toContain('Unknown tool "other". The tools are: double.');
});

test("a failure is thrown in the program, with the words that a model would read", async () => {
  const fails = tool({
    name: "fails",
    input: empty,
    execute: () => {
      throw new Error("out of stock");
    },
  });
  expect(
    await textsOf(
      [
        "try { await tools.fails({}) } catch (error) { return error.message }",
        "try { await tools.double({ n: 'x' }) } catch (error) { return error.message }",
        "console.log('before');\nconst order = await tools.double({ n: 1 });\nawait tools.fails({});",
        "const list = undefined;\n\nreturn list.length;",
        "throw 'text';",
      ],
      [double, fails],
    ),
  ).toEqual([
    "fails failed: out of stock",
    expect.stringContaining("$.n: expected a number, received a string"),
    "execute_typescript failed: fails failed: out of stock\nat line 3: await tools.fails({});\n\nPrinted:\nbefore\n" +
      "Calls that execute_typescript made were carried out all the same: double.",
    "execute_typescript failed: TypeError: cannot read property 'length' of undefined\nat line 3: return list.length;",
    "execute_typescript failed: It threw text",
  ]);
});

test("a call that is not awaited is made all the same, and its failure is the program's", async () => {
  const numbers: number[] = [];
  const note = tool({
    name: "note",
    input,
    execute: ({ n }: { n: number }) => {
      if (n < 0) throw new Error("negative");
      return numbers.push(n);
    },
  });
  const [plain, failing] = await textsOf(
    ["tools.note({ n: 1 }); return 'done';", "tools.note({ n: -1 }); return 'done';"],
    [note],
  );
  expect(plain).toBe("done");
  expect(numbers).toEqual([1]);
  expect(failing).toContain("note failed: negative");
});

test("a promise is not a value: the program learns where one stands", async () => {
  const texts = await textsOf(
    [
      "return { orders: tools.double({ n: 1 }) };",
      "return await tools.double({ n: tools.double({ n: 1 }) });",
    ],
    [double],
  );
  expect(texts[0]).toContain('The returned value has at "orders" a promise. Await it.');
  expect(texts[1]).toContain('The input of tools.double has at "n" a promise. Await it.');
});

test("what JSON would empty is refused, or written as words", async () => {
  const failing = tool({
    name: "failing",
    input: empty,
    execute: () => {
      throw new Error("no stock");
    },
  });
  const texts = await textsOf(
    [
      "return (await Promise.allSettled([tools.failing({})])).map(({ reason }) => reason);",
      "return [NaN, 1 / 0, 1];",
      "return tools.double;",
      "return await tools.double({ n: NaN });",
    ],
    [failing, double],
  );
  expect(texts[0]).toBe('[{"name":"Error","message":"failing failed: no stock"}]');
  expect(texts[1]).toBe('["NaN","Infinity",1]');
  expect(texts[2]).toContain("The returned value is a function. Call it.");
  expect(texts[3]).toContain('The input of tools.double has at "n" NaN, which no argument can be.');
});

test("arguments are one object", async () => {
  expect(await textOf("return await tools.double(4);", [double])).toContain(
    "TypeError: tools.double takes one object with its arguments by name.",
  );
});

test("the clock stands still, and random numbers are those of the call", async () => {
  const program = `const { now } = Date;
    return [now() === new Date().getTime(), Math.abs(now() - ${Date.now()}) < 60_000, new Date(0).toISOString(), Math.random(), Math.max(1, 2)]`;
  const [first = "", second = ""] = await textsOf([program, program]);
  expect(JSON.parse(first).toSpliced(3, 1)).toEqual([true, true, "1970-01-01T00:00:00.000Z", 2]);
  expect(JSON.parse(first)[3]).not.toBe(JSON.parse(second)[3]);
});

test("a tool is the same under another name: of a clash, a prefix, a rename", async () => {
  const own = tool({ name: "double", input, execute: () => "the agent's own" });
  const model = (name: string) =>
    new ScriptedModel([
      { toolCalls: [{ toolName: name, arguments: { code: "return await tools.double({ n: 2 })" } }] },
      "Done.",
    ]);
  const code = codeMode([double], { check: false });
  for (const [name, tools] of [
    ["execute_typescript", [own, code]],
    ["my_execute_typescript", [own, toolset(code).prefixed("my")]],
    ["execute_typescript", [toolset([toolset([code], "inner"), toolset([own], "more")], "outer")]],
    ["run_it", [toolset(code).renamed({ execute_typescript: "run_it", double: "twice" })]],
  ] as const) {
    const { messages } = await run(new Agent({ name: "A", model: model(name), tools }), "Go.");
    expect(messages[1]).toMatchObject({ result: { structuredContent: 4 } });
  }
});

test("what is hidden from models is hidden from their programs", async () => {
  const execute = () => ({ name: "Ada", password: "s3cret" });
  const output = { type: "object" } as const;
  const some = tool({ name: "some", input: empty, output, mask: ["password"], execute });
  const all = tool({ name: "all", input: empty, output, mask: true, execute });
  const old = tool({ name: "old", input: empty, output, deprecated: { use: "some" }, execute });
  const program = "return [await tools.some(), await tools.all(), await tools.old()];";
  expect(await textOf(program, [some, all, old])).toBe(
    '[{"name":"Ada","password":"[hidden]"},"[hidden]",{"name":"Ada","password":"[hidden]"}]',
  );
});

test("an agent that a tool hands off to gets its turn once the program has ended", async () => {
  const other = new Agent({ name: "Other", model: new ScriptedModel(["Hello from Other."]) });
  const transfer = tool({ name: "transfer", input: empty, execute: () => other });
  const { agent, text, messages } = await run(
    programmer(["return [await tools.transfer(), await tools.double({ n: 1 })];"], [transfer, double]),
    "Go.",
  );
  expect([agent.name, text]).toEqual(["Other", "Hello from Other."]);
  expect(messages[1]).toMatchObject({
    result: { structuredContent: ["Transferred to Other, which answers once the program has ended.", 2] },
  });
});

test("changes of the context by tools in a program apply", async () => {
  const add = tool({
    name: "add",
    input,
    execute: ({ n }: { n: number }, { context }: ToolContext) =>
      result({ context: { ...Object(context), [n]: n } }),
  });
  const { context } = await run(
    programmer(
      ["await tools.add({ n: 1 }); await Promise.all([tools.add({ n: 2 }), tools.add({ n: 3 })]);"],
      [add],
    ),
    "Go.",
    { context: {} },
  );
  expect(context).toEqual({ 1: 1, 2: 2, 3: 3 });
});

test("only tools that the caller may use are there", async () => {
  const secret = tool({ name: "secret", input: empty, allow: () => false, execute: () => 1 });
  expect(await textOf("return await tools.secret();", [double, secret])).toContain(
    'Unknown tool "secret". The tools are: double.',
  );
});

test("tools may have any name", async () => {
  const names = ["get-user", "constructor", "__proto__", "then", "1st", "a b"];
  const tools: Tool[] = names.map((name) => ({ ...double, name, execute: () => name }));
  const program = `return await Promise.all(${JSON.stringify(names)}.map((name) => tools[name]({ n: 1 })));`;
  expect(JSON.parse(await textOf(program, tools))).toEqual(names);
});

test("a tool with the name of the one that runs programs, or an unknown direct one, is a mistake of the program", async () => {
  const namesake = { ...double, name: "execute_typescript" };
  await expect(textOf("return 1", [namesake])).rejects.toThrow(
    'A tool of codeMode() is called "execute_typescript"',
  );
  expect(
    await textOf("return await tools.execute_typescript({ n: 1 })", [namesake], {
      name: "code",
      check: false,
    }),
  ).toBe("2");
  await expect(textOf("return 1", [double], { direct: ["dubble"] })).rejects.toThrow(
    'direct of codeMode() names "dubble", which is not one of its tools. There are: double.',
  );
});

test.each([
  [{ nmae: "x" }, 'codeMode() has no option "nmae". Did you mean "name"?'],
  [{ limits: { call: 1 } }, 'limits of codeMode() has no option "call". Did you mean "calls"?'],
  [{ limits: { calls: 0 } }, "calls of codeMode() must be a number of at least 1, not 0."],
  [{ interpreter: {} }, "interpreter of codeMode() must be an object with a method execute, not an object."],
  [{ search: "yes" }, 'search of codeMode() must be "auto", true or false, not "yes".'],
])("%j is refused", (options, message) => {
  expect(() => codeMode([double], options as object)).toThrow(message);
});

test("an interpreter of one's own gets the program, and calls tools", async () => {
  const batch = JSON.stringify([{ name: "double", text: '{"n":21}' }]);
  const text = await textOf("ignored", [double], {
    check: false,
    interpreter: {
      async execute({ call }) {
        const [{ value }] = JSON.parse(await call(batch));
        return JSON.stringify({ ok: true, text: String(value), length: 2, log: { text: "", length: 0 } });
      },
    },
  });
  expect(text).toBe("42");
});

test("the description declares the tools, and is the same for each run", async () => {
  const find = tool({
    name: "find",
    description: "Find users.",
    input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    output: { type: "array", items: { type: "object", properties: { id: { type: "integer" } } } },
    execute: () => [],
  });
  const [spec] = await specsOf([codeMode([find, double])]);
  expect(spec?.description).toContain(`declare const tools: {
  /** Find users. */
  find(input: { city: string }): Promise<{ id?: number }[]>;
  double(input: { n: number }): Promise<unknown>;
};`);
  expect(await specsOf([codeMode([find, double])])).toEqual([spec]);
});

test("a caller sees the declarations of the tools that it may use alone", async () => {
  const secret = tool({ name: "secret", input: empty, allow: () => false, execute: () => 1 });
  const failing = tool({
    name: "failing",
    input: empty,
    allow: () => {
      throw new Error("no answer");
    },
    execute: () => 1,
  });
  const [spec] = await specsOf([codeMode([double, secret, failing])]);
  expect(spec?.description).not.toMatch(/secret|failing/);
});

test("the shape of a result that is not declared comes back once", async () => {
  const list = tool({ name: "list", input: empty, execute: () => ({ items: [{ id: 1 }] }) });
  const program = "return (await tools.list()).items.length;";
  expect(await textsOf([program, program], [list])).toEqual([
    "1\n\nTypes of what tools returned, which have none declared:\nlist: { items: { id: number }[] }",
    "1",
  ]);
});

test("what a program and its tools are limited by is the agent's, too: a toolset of another kind is one of its tools", async () => {
  const set = toolset([double], "math").prefixed("math").withTimeout(5_000);
  const [spec] = await specsOf([codeMode([set, double])]);
  expect(spec?.description).toContain("  math_double(input: { n: number })");
  expect(
    await textOf("return (await tools.math_double({ n: 1 })) + (await tools.double({ n: 2 }))", [
      set,
      double,
    ]),
  ).toBe("6");
});

test("of a tool with a page a program gets what a model would read, and its type is not that of the page", async () => {
  const page = { value: { forThePage: "PAGE-ONLY" }, meta: { icon: "META-ONLY" } };
  const results = {
    text: { content: "18 degrees", ...page },
    long: { content: "18 degrees", value: { rows: ["PAGE-ONLY".repeat(200_000)] } },
    json: { content: '{"degrees":18}', value: { degrees: 18 } },
    plain: { value: { degrees: 18 } },
  };
  const output = { type: "object", properties: { forThePage: { type: "string" } } } as const;
  const tools = Object.entries(results).map(([name, returned]) =>
    tool({
      name,
      input: empty,
      output,
      ui: { resourceUri: "ui://w/v" },
      execute: () => result<object>(returned),
    }),
  );
  const all = "[await tools.text({}), await tools.long({}), await tools.json({}), await tools.plain({})]";
  expect(await textOf(`return ${all};`, tools)).toBe(
    '["18 degrees","18 degrees",{"degrees":18},{"degrees":18}]',
  );
  const [spec] = await specsOf([codeMode(tools)]);
  expect(spec?.description).not.toContain("forThePage");
});

test("a tool still gets the whole value of one with a page", async () => {
  const shown = tool({
    name: "shown",
    input: empty,
    ui: { resourceUri: "ui://w/v" },
    execute: () => result({ content: "18 degrees", value: { degrees: 18 } }),
  });
  const caller = tool({
    name: "caller",
    input: empty,
    execute: (_, context: ToolContext) => context.call("shown", {}),
  });
  expect(await textOf("return await tools.caller({});", [shown, caller])).toContain('{"degrees":18}');
});
