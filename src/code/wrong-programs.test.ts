/** Mistakes that models make in programs are corrected before any tool is called: 12 kinds, five of each at least. */
import { expect, test } from "vitest";
import { run } from "skein";
import { programmer } from "./test-run.ts";
import { shopCalls, shopTools } from "./test-shop.ts";

/** A program, the line and column, what the correction says, and the tool that it declares. */
type Wrong = readonly [program: string, place: string, words: string, declares?: string];

const users = "const users = await tools.findUsers({ city: 'Oslo' });\n";
const orders = "const { orders } = await tools.listOrders({ userId: 1 });\n";

const wrong: Readonly<Record<string, readonly Wrong[]>> = {
  "wrong property of a result": [
    [`${users}return users[0].nmae;`, "2:17", "'nmae' does not exist", "findUsers"],
    [
      "return (await tools.findUsers({ city: 'Oslo' })).map((u) => u.email);",
      "1:63",
      "'email' does not exist",
      "findUsers",
    ],
    ["return (await tools['count-all']()).total;", "1:37", "'total' does not exist", "count-all"],
    [`${orders}return orders.map(({ amount }) => amount);`, "2:22", "'amount' does not exist", "listOrders"],
    [
      `${orders}return orders.reduce((sum, o) => sum + o.totals, 0);`,
      "2:42",
      "Did you mean 'total'?",
      "listOrders",
    ],
    [
      `${users}const key = 'age';\nreturn users.map((u) => u[key]);`,
      "3:25",
      "can't be used to index",
      "findUsers",
    ],
    [`${users}return users[0]['nmae'];`, "2:8", "can't be used to index", "findUsers"],
  ],
  "a result used as another shape": [
    [
      "const { data } = await tools.findUsers({ city: 'Oslo' });\nreturn data;",
      "1:9",
      "'data' does not exist",
      "findUsers",
    ],
    [
      "const orders = await tools.listOrders({ userId: 1 });\nreturn orders.map((o) => o.total);",
      "2:15",
      "'map' does not exist",
      "listOrders",
    ],
    [
      "const orders = await tools.listOrders({ userId: 1 });\nfor (const o of orders) console.log(o);",
      "2:17",
      "must have a '[Symbol.iterator]()' method",
      "listOrders",
    ],
    [
      "const res = await tools.findUsers({ city: 'Oslo' });\nreturn await res.json();",
      "2:18",
      "'json' does not exist",
      "findUsers",
    ],
    [
      "return JSON.parse(await tools.findUsers({ city: 'Oslo' }));",
      "1:19",
      "not assignable to parameter of type 'string'",
      "findUsers",
    ],
    [
      "const found = await tools.lookUp({ word: 'a' });\nreturn found.items;",
      "2:8",
      "'found' is of type 'unknown'",
      "lookUp",
    ],
    [
      "interface User { id: string }\nconst users: User[] = await tools.findUsers({ city: 'Oslo' });\nreturn users;",
      "2:7",
      "Types of property 'id' are incompatible. Type 'number' is not assignable to type 'string'",
      "findUsers",
    ],
    [
      `${users}return users.reduce((sum, u) => sum + u.name, 0);`,
      "2:33",
      "Type 'string' is not assignable to type 'number'",
      "findUsers",
    ],
  ],
  "wrong argument name": [
    ["return await tools.findUsers({ town: 'Oslo' });", "1:32", "'town' does not exist", "findUsers"],
    ["return await tools.getUser({ id: 1, name: 'Ada' });", "1:37", "'name' does not exist", "getUser"],
    [
      "return await tools.listOrders({ user_id: 1 });",
      "1:33",
      "Did you mean to write 'userId'?",
      "listOrders",
    ],
    [
      "return await tools.listOrders({ userId: 1, filter: { from: '2024' } });",
      "1:54",
      "'from' does not exist",
      "listOrders",
    ],
    [
      "const { findUsers } = tools;\nreturn await findUsers({ town: 'Oslo' });",
      "2:26",
      "'town' does not exist",
      "findUsers",
    ],
  ],
  "wrong argument type": [
    ["return await tools.findUsers({ city: 1 });", "1:32", "'number' is not assignable", "findUsers"],
    ["\n\nreturn await tools.getUser({ id: '1' });", "3:30", "'string' is not assignable", "getUser"],
    [
      "return await tools.findUsers({ city: 'Oslo', limit: null });",
      "1:46",
      "'null' is not assignable",
      "findUsers",
    ],
    [
      "return await tools.listOrders({ userId: 1, filter: { states: 'paid' } });",
      "1:54",
      "'string' is not assignable",
      "listOrders",
    ],
    [
      `${users}return await tools.findUsers({ city: users[0].city });`,
      "2:32",
      "Type 'string | null' is not assignable",
      "findUsers",
    ],
    [
      "const r = { orders: await tools.listOrders({ userId: 1 }) };\nreturn await tools.getUser({ id: r.orders });",
      "2:30",
      "is not assignable to type 'number'",
      "getUser",
    ],
  ],
  "missing argument": [
    ["return await tools.findUsers({});", "1:30", "'city' is missing", "findUsers"],
    ["return await tools.setState({ id: 1 });", "1:29", "'state' is missing", "setState"],
    ["return await tools.getUser();", "1:20", "Expected 1 arguments", "getUser"],
    [
      "const rest = { limit: 3 };\nreturn await tools.findUsers({ ...rest });",
      "2:30",
      "'city' is missing",
      "findUsers",
    ],
    [
      "return await Promise.all([1, 2].map((id) => tools.setState({ id })));",
      "1:60",
      "'state' is missing",
      "setState",
    ],
  ],
  "unknown tool": [
    [
      "return await tools.findUser({ city: 'Oslo' });",
      "1:20",
      "Unknown tool 'findUser'. Did you mean 'findUsers'?",
      "findUsers",
    ],
    ["return await tools.find_users({ city: 'Oslo' });", "1:20", "Did you mean 'findUsers'?", "findUsers"],
    ["return await tools['list_orders']({ userId: 1 });", "1:20", "Did you mean 'listOrders'?", "listOrders"],
    ["return await tools.countAll();", "1:20", "Did you mean 'count-all'?", "count-all"],
    [
      "return await findUsers({ city: 'Oslo' });",
      "1:14",
      "Cannot find name 'findUsers'. Call tools.findUsers.",
      "findUsers",
    ],
    [
      "return await tools.call('findUsers', { city: 'Oslo' });",
      "1:20",
      "The tools are: findUsers, getUser, listOrders, setState, count-all, lookUp.",
    ],
  ],
  "missing await": [
    [
      "const users = tools.findUsers({ city: 'Oslo' });\nreturn users.length;",
      "2:14",
      "forget to use 'await'?",
      "findUsers",
    ],
    ["tools.setState({ id: 1, state: 'open' });\nreturn 1;", "1:1", "This call is not awaited", "setState"],
    [
      "const main = async () => await tools.findUsers({ city: 'Oslo' });\nmain();",
      "2:1",
      "This call is not awaited",
      "findUsers",
    ],
    [
      "for (const u of tools.findUsers({ city: 'Oslo' })) console.log(u);",
      "1:17",
      "forget to use 'await'?",
      "findUsers",
    ],
    ["if (tools['count-all']()) return 1;", "1:5", "forget to use 'await'?", "count-all"],
    [
      "if (!tools.setState({ id: 1, state: 'open' })) return 1;",
      "1:6",
      "This value is a promise",
      "setState",
    ],
    [
      "const n = tools['count-all']();\nreturn n > 3 ? 'many' : 'few';",
      "2:8",
      "forget to use 'await'?",
      "count-all",
    ],
    [
      "const { orders } = tools.listOrders({ userId: 1 });\nreturn orders;",
      "1:9",
      "forget to use 'await'?",
      "listOrders",
    ],
    ["return `${tools['count-all']()} users`;", "1:11", "This value is a promise", "count-all"],
    [
      "const n = tools['count-all']();\nconsole.log('n: ' + n);",
      "2:21",
      "This value is a promise",
      "count-all",
    ],
    ["console.log(tools.getUser({ id: 1 }));", "1:13", "This value is a promise", "getUser"],
    ["return JSON.stringify(tools.getUser({ id: 1 }));", "1:23", "This value is a promise", "getUser"],
  ],
  "promises of a list": [
    [
      `${users}users.forEach(async (u) => { await tools.listOrders({ userId: u.id }); });\nreturn 'done';`,
      "2:15",
      "forEach does not wait for promises",
      "listOrders",
    ],
    [
      "const all = [];\n[1, 2].forEach((id) => tools.getUser({ id }));\nreturn all;",
      "2:16",
      "forEach does not wait for promises",
      "getUser",
    ],
    [
      `${users}return users.filter(async (u) => (await tools.listOrders({ userId: u.id })).next === null);`,
      "2:21",
      "filter takes each promise as true",
      "listOrders",
    ],
    [
      `${users}return users.some((u) => tools.getUser({ id: u.id }));`,
      "2:19",
      "some takes each promise as true",
      "getUser",
    ],
    ["return [1, 2].map((id) => tools.getUser({ id }));", "1:8", "await Promise.all(...)", "getUser"],
    [
      `${users}return { users, orders: users.map(async (u) => tools.listOrders({ userId: u.id })) };`,
      "2:8",
      "returns a promise within a value",
      "listOrders",
    ],
    [
      `${users}const all = users.map(async (u) => tools.listOrders({ userId: u.id }));\nreturn all.flatMap((o) => o.orders);`,
      "3:29",
      "forget to use 'await'?",
      "listOrders",
    ],
    [
      "await Promise.all([1, 2].map((id) => { tools.getUser({ id }); }));",
      "1:40",
      "This call is not awaited",
      "getUser",
    ],
  ],
  "possibly null": [
    ["return (await tools.getUser({ id: 1 })).name;", "1:8", "possibly 'null'", "getUser"],
    ["const { name } = await tools.getUser({ id: 1 });\nreturn name;", "1:9", "| null'", "getUser"],
    [`${users}return users[0].city.length;`, "2:8", "possibly 'null'", "findUsers"],
    [
      "return (await tools.findUsers({ city: 'Oslo' })).find((u) => u.id > 1).name;",
      "1:8",
      "possibly 'undefined'",
      "findUsers",
    ],
    [`${orders}return orders[0].note.length;`, "2:8", "possibly 'undefined'", "listOrders"],
    [
      "const { next } = await tools.listOrders({ userId: 1 });\nreturn next.length;",
      "2:8",
      "possibly 'null'",
      "listOrders",
    ],
  ],
  "a value that is not one of the choices": [
    [
      "return await tools.setState({ id: 1, state: 'shut' });",
      "1:38",
      `'"shut"' is not assignable`,
      "setState",
    ],
    ["return await tools.setState({ id: 1, state: 'OPEN' });", "1:38", `Did you mean '"open"'?`, "setState"],
    [
      "return await tools.listOrders({ userId: 1, filter: { states: ['payed'] } });",
      "1:63",
      `'"payed"' is not assignable`,
      "listOrders",
    ],
    [
      "for (const state of ['open', 'closed']) await tools.setState({ id: 1, state });",
      "1:71",
      "'string' is not assignable",
      "setState",
    ],
    [`${orders}return orders[0].state === 'done';`, "2:8", "have no overlap", "listOrders"],
    ["return (await tools['count-all']()) === '3';", "1:8", "have no overlap", "count-all"],
    [
      `${orders}switch (orders[0].state) { case 'done': return 1; }`,
      "2:33",
      "is not comparable to type",
      "listOrders",
    ],
  ],
  "positional arguments": [
    ["return await tools.findUsers('Oslo');", "1:30", "'string' is not assignable", "findUsers"],
    ["return await tools.findUsers({ city: 'Oslo' }, 5);", "1:48", "Expected 1 arguments", "findUsers"],
    ["return await tools.setState(1, 'open');", "1:32", "Expected 1 arguments", "setState"],
    ["return await tools.findUsers(['Oslo']);", "1:30", "'city' is missing", "findUsers"],
    ["return await Promise.all([1, 2].map(tools.getUser));", "1:37", "'number' is not assignable", "getUser"],
    ["return await tools.findUsers(city='Oslo');", "1:30", "Cannot find name 'city'", "findUsers"],
  ],
  "something of the host": [
    ["const fs = require('fs');", "1:12", "Cannot find name 'require'. Programs have no modules"],
    ["import { z } from 'zod';\nreturn 1;", "1:1", "Programs have no modules: no import"],
    ["const fs = await import('node:fs');\nreturn fs;", "1:25", "Programs have no modules"],
    ["export default async function main() { return 1; }", "1:1", "no import, and no export"],
    ["await fetch('https://example.com');", "1:7", "Programs have the language, tools and console alone."],
    ["return process.env.HOME;", "1:8", "Cannot find name 'process'. Programs have no modules"],
    ["setTimeout(() => {}, 1);", "1:1", "Programs have the language, tools and console alone."],
    [`${users}console.table(users);`, "2:9", "console has log, info, warn, error and debug.", "findUsers"],
    ["return new Intl.NumberFormat('en').format(1);", "1:17", "Cannot find name 'Intl'. Programs have"],
  ],
  "habits of Python": [
    ["print('a')", "1:1", "Cannot find name 'print'"],
    ["return len(await tools.findUsers({ city: 'Oslo' }));", "1:8", "Cannot find name 'len'", "findUsers"],
    [`${users}for u in users:\n  print(u)`, "2:5", "'(' expected", "findUsers"],
    ["const none = None;", "1:14", "Cannot find name 'None'"],
    [`${users}users.append({});`, "2:7", "'append' does not exist", "findUsers"],
    [
      "users = await tools.findUsers({ city: 'Oslo' });\nreturn 1;",
      "1:1",
      "Cannot find name 'users'",
      "findUsers",
    ],
    ["# Get the users\nreturn 1;", "1:1", "Invalid character"],
  ],
  "syntax, of the language or of types that have a meaning": [
    ["return await tools.findUsers({ city: 'Oslo' };", "1:46", "')' expected", "findUsers"],
    ["enum State { Open }\nreturn State.Open;", "1:6", "not allowed"],
    ["const a: = 1;", "1:10", "Type expected"],
    ["class A { constructor(private x: number) {} }\nreturn new A(1);", "1:23", "not allowed"],
    ["const x = 1;\nx = 2;\nreturn x;", "2:1", "because it is a constant"],
    ["```ts\nreturn 1;\n```", "1:1", "Write the program alone"],
  ],
};

const cases = Object.entries(wrong).flatMap(([kind, programs]) =>
  programs.map(([program, place, words, declares = ""]) => ({ kind, program, place, words, declares })),
);

test("there are 60 programs or more, of 12 kinds or more, five of each", () => {
  expect(cases.length).toBeGreaterThanOrEqual(60);
  expect(Object.keys(wrong).length).toBeGreaterThanOrEqual(12);
  expect(Math.min(...Object.values(wrong).map(({ length }) => length))).toBeGreaterThanOrEqual(5);
});

test.each(cases)(
  "$kind: $program is corrected, and calls no tool",
  async ({ program, place, words, declares }) => {
    shopCalls.length = 0;
    const { messages } = await run(programmer([program], shopTools, {}), "Go.");
    const message = messages.find(({ role }) => role === "tool");
    const result = message?.role === "tool" ? message.result : undefined;
    expect(result).toMatchObject({ outcome: "invalid-arguments", isError: true });
    const text = (result?.content ?? []).map((part) => ("text" in part ? part.text : "")).join("\n");
    const [line, column] = place.split(":");
    expect(text).toContain(`- $.code: line ${line}, column ${column}: `);
    expect(text).toContain(words);
    const [, declaration = ""] = /The declaration: tools([^(]*)\(/.exec(text) ?? [];
    expect(declaration).toBe(declares === "count-all" ? '["count-all"]' : declares && `.${declares}`);
    expect(shopCalls).toEqual([]);
  },
);
