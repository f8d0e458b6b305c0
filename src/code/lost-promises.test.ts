/** Promises that a program uses as if they were what they come to are corrected; those that it may look at are not. */
import { expect, test } from "vitest";
import { tool } from "skein";
import { quickJs } from "./quick-js.ts";
import { textOf } from "./test-run.ts";
import { shopCalls, shopTools } from "./test-shop.ts";

const count = "tools['count-all']()";
const isPromise = "This value is a promise.";
const hasPromise = "This value has a promise in it.";

test.each([
  ["return tools.getUser({ id: 1 }) ?? 'none';", isPromise],
  ["const user = tools.getUser({ id: 1 });\nreturn user || 'none';", isPromise],
  [`return [${count}].join(', ');`, hasPromise],
  [`return [1, ${count}].join(', ');`, hasPromise],
  ["return [1, 2].map((id) => tools.getUser({ id })).toString();", hasPromise],
  [`return ${count}.toString();`, isPromise],
  [`return JSON.stringify({ total: ${count} });`, hasPromise],
  [`return JSON.stringify({ a: { b: [${count}] } });`, hasPromise],
  [`console.log({ total: ${count} });`, hasPromise],
  [`return Number(${count});`, isPromise],
  [`return Boolean(${count});`, isPromise],
  [`return String(${count});`, isPromise],
  [`return -${count};`, isPromise],
  ["return { ...tools.getUser({ id: 1 }) };", isPromise],
  ["return 'name' in tools.getUser({ id: 1 });", isPromise],
])("%s is corrected, and calls no tool", async (program, words) => {
  shopCalls.length = 0;
  const text = await textOf(program, shopTools, {});
  expect(text).toContain(words);
  expect(shopCalls).toEqual([]);
});

const get = (body: string) => `const get = (id: number) => { ${body} };\nreturn (await get(1))?.name;`;
const record = "const users: Record<number, ReturnType<typeof tools.getUser>> = {};";
const map = "const users = new Map<number, ReturnType<typeof tools.getUser>>();";

test.each([
  `${map}\n${get("let user = users.get(id); if (!user) { user = tools.getUser({ id }); users.set(id, user); } return user;")}`,
  `${map}\n${get("return users.get(id) ?? tools.getUser({ id });")}`,
  `${map}\n${get("return Boolean(users.get(id)) ? users.get(id) : tools.getUser({ id });")}`,
  `${record}\n${get("if (!users[id]) users[id] = tools.getUser({ id }); return users[id];")}`,
  `${record}\n${get("return users[id] ||= tools.getUser({ id });")}`,
  `${record}\n${get("return users[id] ?? tools.getUser({ id });")}`,
  `${record}\n${get("let user = users[id]; if (!user) user = users[id] = tools.getUser({ id }); return user;")}`,
  "const { name } = { ...(await tools.getUser({ id: 1 })) };\nreturn name;",
  "const calls = { one: (id: number) => tools.getUser({ id }) };\nconsole.log(Object.keys(calls).join());\nreturn (await calls.one(1))?.name;",
])("%s is right", async (program) => {
  expect(await textOf(program, shopTools, {})).toContain("Ada");
});

const calls: number[] = [];
const save = tool({
  name: "save",
  input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  execute: ({ n }) => {
    calls.push(Number(n));
    return "saved";
  },
});

const ticks = (count: number) => `for (let i = 0; i < ${count}; i++) await 0;`;

test.each([
  [
    "const p = (async () => { await 0; await 0; await 0; await tools.save({ n: 1 }); await tools.save({ n: 2 }); })();",
    2,
  ],
  [
    "const p = [1, 2, 3, 4, 5].reduce(async (p, n) => { await p; await tools.save({ n }); }, Promise.resolve());",
    5,
  ],
  [
    `void (async () => { ${ticks(300)} await tools.save({ n: 1 }); ${ticks(300)} await tools.save({ n: 2 }); })();`,
    2,
  ],
])("a program waits for calls that it has lost: %s", async (program, count) => {
  calls.length = 0;
  expect(await textOf(`${program}\nreturn 'done';`, [save], {})).toBe("done");
  expect(calls).toEqual(Array.from({ length: count }, (_, index) => index + 1));
});

test("a program that fails says why, whatever it has lost", async () => {
  calls.length = 0;
  const lost = `const p = (async () => { ${ticks(5)} await tools.save({ n: 1 }); ${ticks(5)} await tools.save({ n: 2 }); })();`;
  const text = await textOf(`${lost}\nawait tools.save({ n: 0 });\nthrow new Error('Stop.');`, [save], {});
  expect(text).toContain("Stop.");
});

test("a call under way at the end of its program is an error that names the fix", async () => {
  const { signal } = new AbortController();
  const limits = { timeoutMs: 5_000, memoryMb: 64, maxChars: 1_000, signal };
  const program = { source: "host.call('[]'); return 'x';", call: () => Promise.resolve("[]"), ...limits };
  await expect(quickJs.execute(program)).rejects.toThrow(
    "The program ended before a call that it had not awaited. Await every promise.",
  );
});
