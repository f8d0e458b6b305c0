/** Mistakes in programs are corrected before any tool is called. */
import { expect, test, vi } from "vitest";
import { run, tool } from "skein";
import { programmer, textsOf } from "./test-run.ts";

const calls: string[] = [];
const userSchema = {
  type: "object",
  properties: { id: { type: "integer" }, name: { type: "string" }, city: { type: ["string", "null"] } },
  required: ["id", "name", "city"],
  additionalProperties: false,
} as const;

const define = (name: string, input: object, output: object, value: unknown) =>
  tool({
    name,
    input: { type: "object", ...input },
    output: { ...output },
    execute: () => {
      calls.push(name);
      return value;
    },
  });

const ada = { id: 1, name: "Ada", city: null };
const tools = [
  define(
    "findUsers",
    { properties: { city: { type: "string" }, limit: { type: "integer" } }, required: ["city"] },
    { type: "array", items: userSchema },
    [ada],
  ),
  define(
    "getUser",
    { properties: { id: { type: "integer" } }, required: ["id"] },
    { anyOf: [userSchema, { type: "null" }] },
    ada,
  ),
  define(
    "setState",
    {
      properties: { id: { type: "integer" }, state: { enum: ["open", "closed"] } },
      required: ["id", "state"],
    },
    { type: "boolean" },
    true,
  ),
  define("count-all", { properties: {} }, { type: "integer" }, 3),
];

/** Programs by the kind of their mistake: the line and column, what the correction says, and the tool that it declares. */
const wrong: Readonly<
  Record<string, readonly (readonly [program: string, place: string, words: string, declares?: string])[]>
> = {
  "wrong property of a result": [
    [
      "const [u] = await tools.findUsers({ city: 'Oslo' });\nreturn u.nmae;",
      "line 2, column 10",
      "'nmae' does not exist",
      "findUsers",
    ],
    [
      "return (await tools.findUsers({ city: 'Oslo' })).map((u) => u.email);",
      "line 1, column 63",
      "'email' does not exist",
      "findUsers",
    ],
    [
      "return (await tools['count-all']()).total;",
      "line 1, column 37",
      "'total' does not exist",
      "count-all",
    ],
  ],
  "wrong property by a text": [
    [
      "const [u] = await tools.findUsers({ city: 'Oslo' });\nreturn u['nmae'];",
      "line 2, column 8",
      "can't be used to index",
      "findUsers",
    ],
  ],
  "wrong argument name": [
    [
      "return await tools.findUsers({ town: 'Oslo' });",
      "line 1, column 32",
      "'town' does not exist",
      "findUsers",
    ],
    [
      "return await tools.getUser({ id: 1, name: 'Ada' });",
      "line 1, column 37",
      "'name' does not exist",
      "getUser",
    ],
  ],
  "wrong argument type": [
    [
      "return await tools.findUsers({ city: 1 });",
      "line 1, column 32",
      "'number' is not assignable to type 'string'",
      "findUsers",
    ],
    [
      "\n\nreturn await tools.getUser({ id: '1' });",
      "line 3, column 30",
      "'string' is not assignable to type 'number'",
      "getUser",
    ],
  ],
  "missing argument": [
    ["return await tools.findUsers({});", "line 1, column 30", "'city' is missing", "findUsers"],
    ["return await tools.setState({ id: 1 });", "line 1, column 29", "'state' is missing", "setState"],
    ["return await tools.getUser();", "line 1, column 20", "Expected 1 arguments", "getUser"],
  ],
  "unknown tool": [
    ["return await tools.findUser({ city: 'Oslo' });", "line 1, column 20", "Did you mean 'findUsers'?"],
    ["return await findUsers({ city: 'Oslo' });", "line 1, column 14", "Cannot find name 'findUsers'"],
  ],
  "missing await": [
    [
      "const users = tools.findUsers({ city: 'Oslo' });\nreturn users.length;",
      "line 2, column 14",
      "forget to use 'await'?",
      "findUsers",
    ],
    [
      "tools.setState({ id: 1, state: 'open' });\nreturn 1;",
      "line 1, column 1",
      "This call is not awaited",
      "setState",
    ],
    [
      "for (const u of tools.findUsers({ city: 'Oslo' })) console.log(u);",
      "line 1, column 17",
      "forget to use 'await'?",
      "findUsers",
    ],
    ["if (tools['count-all']()) return 1;", "line 1, column 5", "forget to use 'await'?", "count-all"],
  ],
  "possibly null": [
    ["return (await tools.getUser({ id: 1 })).name;", "line 1, column 8", "possibly 'null'", "getUser"],
    [
      "const [u] = await tools.findUsers({ city: 'Oslo' });\nreturn u.city.length;",
      "line 2, column 8",
      "possibly 'null'",
      "findUsers",
    ],
    [
      "return (await tools.findUsers({ city: 'Oslo' })).find((u) => u.id > 1).name;",
      "line 1, column 8",
      "possibly 'undefined'",
      "findUsers",
    ],
  ],
  "value that is not one of the choices": [
    [
      "return await tools.setState({ id: 1, state: 'shut' });",
      "line 1, column 38",
      `'"shut"' is not assignable`,
      "setState",
    ],
  ],
  "comparison that is never true": [
    ["return (await tools['count-all']()) === '3';", "line 1, column 8", "no overlap", "count-all"],
  ],
  "positional arguments": [
    ["return await tools.findUsers('Oslo');", "line 1, column 30", "'string' is not assignable", "findUsers"],
    [
      "return await tools.findUsers({ city: 'Oslo' }, 5);",
      "line 1, column 48",
      "Expected 1 arguments, but got 2",
      "findUsers",
    ],
  ],
  "something of the host": [
    [
      "const fs = require('fs');",
      "line 1, column 12",
      "Cannot find name 'require'. Programs have no modules",
    ],
    ["await fetch('https://example.com');", "line 1, column 7", "Cannot find name 'fetch'"],
    ["import fs from 'fs';\nreturn 1;", "line 1, column 1", "import declaration"],
    ["setTimeout(() => {}, 1);", "line 1, column 1", "Cannot find name 'setTimeout'"],
  ],
  "syntax, of the language or of types that have a meaning": [
    ["return await tools.findUsers({ city: 'Oslo' };", "line 1, column 46", "')' expected", "findUsers"],
    ["enum State { Open }\nreturn State.Open;", "line 1, column 6", "not allowed"],
    ["const a: = 1;", "line 1, column 10", "Type expected"],
  ],
};

const cases = Object.entries(wrong).flatMap(([kind, programs]) =>
  programs.map((each) => ({
    kind,
    program: each[0],
    place: each[1],
    words: each[2],
    declares: each[3] ?? "",
  })),
);

test.each(cases)(
  "$kind: $program is corrected, and calls no tool",
  async ({ program, place, words, declares }) => {
    calls.length = 0;
    const { messages } = await run(programmer([program], tools, {}), "Go.");
    const message = messages.find(({ role }) => role === "tool");
    const result = message?.role === "tool" ? message.result : undefined;
    expect(result).toMatchObject({ outcome: "invalid-arguments", isError: true });
    const text = JSON.stringify(result?.content);
    expect(text).toContain(`$.code: ${place}: `);
    expect(text).toContain(JSON.stringify(words).slice(1, -1));
    expect(text).toMatch(new RegExp(declares === "" ? "" : `The declaration: tools[.[\\\\"]*${declares}`));
    expect(calls).toEqual([]);
  },
);

const right: readonly string[] = [
  "return 1;",
  "const users = await tools.findUsers({ city: 'Oslo' });\nreturn users.map((u) => u.name);",
  "const users: { name: string }[] = await tools.findUsers({ city: 'Oslo', limit: 3 }); return users.length;",
  "return (await tools.getUser({ id: 1 }))?.name ?? 'none';",
  "const u = await tools.getUser({ id: 1 }); if (!u) return; return u.city?.toUpperCase();",
  "return await Promise.all([1, 2].map((id) => tools.getUser({ id })));",
  "const all = []; for (const id of [1, 2]) all.push(await tools.getUser({ id })); return all;",
  "const byId = new Map<number, string>(); for (const u of await tools.findUsers({ city: 'x' })) byId.set(u.id, u.name); return [...byId];",
  "async function one(id: number) { return tools.getUser({ id }); }\nreturn (await one(1))!.name;",
  "const add = (a, b) => a + b; return add(1, 2);",
  "try { await tools['count-all'](); } catch (error) { console.log(error.message, (error as Error).name); }",
  "try { return await tools['count-all'](); } catch (error: any) { return error.message; }",
  "await tools.setState({ id: 1, state: 'open' });",
  "const state = [true, false].map((open) => open ? 'open' as const : 'closed'); return state;",
  "interface Row { a: number }\ntype Rows = Row[];\nconst rows: Rows = [{ a: 1 }];\nreturn rows satisfies Row[];",
  'const parsed: any = JSON.parse(\'{"a":{"b":1}}\'); return parsed.a.b;',
  "class Counter { n = 0; add() { return ++this.n; } }\nreturn new Counter().add();",
  "return (await tools.findUsers({ city: 'x' })).toSorted((a, b) => a.id - b.id).at(-1)?.id;",
  "return [new Date().getFullYear() > 2000, Math.round(1.5), 'a'.replaceAll('a', 'b')];",
  "return Object.fromEntries((await tools.findUsers({ city: 'x' })).map((u) => [u.id, u]));",
  "const counts = {}; for (const u of await tools.findUsers({ city: 'x' })) counts[u.name] = (counts[u.name] ?? 0) + 1; return counts;",
  "const pick = ({ id }) => id; return (await tools.findUsers({ city: 'x' })).map(pick);",
  "let last; for (const u of await tools.findUsers({ city: 'x' })) last = u; return last?.name;",
  "// a comment at the end\nreturn 1; // of a line",
];

test("programs without a mistake run as they are", async () => {
  const texts = await textsOf(right, tools, {});
  expect(texts.filter((text) => /failed|was not called/.test(text))).toEqual([]);
});

test("the same mistake again is one that the model made before, and the next program runs", async () => {
  const texts = await textsOf(
    [
      "return await tools.getUser({ ids: 1 });",
      "return await tools.getUser({ ids: 1 });",
      "return await tools['count-all']();",
    ],
    tools,
    {},
  );
  expect(texts[0]).not.toContain("You made this mistake before.");
  expect(texts[1]).toContain("You made this mistake before.");
  expect(texts[2]).toBe("3");
});

test("tools that come and go are checked as they are", async () => {
  const other = define("other", { properties: {} }, { type: "string" }, "other");
  expect(await textsOf(["return await tools.other();"], [other], {})).toEqual(["other"]);
  expect((await textsOf(["return await tools.other();"], tools, {}))[0]).toContain("'other' does not exist");
  expect(await textsOf(["return await tools.other();"], [other], {})).toEqual(["other"]);
});

test("without TypeScript, programs run unchecked, and one warning says it", async () => {
  vi.doMock("#reflection", () => ({ openProgramChecker: () => Promise.resolve(undefined) }));
  vi.resetModules();
  const fresh = await import("./test-run.ts");
  const agent = fresh.programmer(["return await tools.findUsers({ town: 1 });", "return 2;"], tools, {});
  const { warnings, messages } = await run(agent, "Go.");
  expect(warnings).toEqual([expect.stringContaining("Programs of skein/code run unchecked")]);
  expect(messages.filter(({ role }) => role === "tool")).toHaveLength(2);
  vi.doUnmock("#reflection");
});
