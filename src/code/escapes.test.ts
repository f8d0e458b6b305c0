/** What programs try in order to reach the process around them, or to hold it up. */
import { afterEach, expect, test } from "vitest";
import { tool } from "skein";
import { textOf, textsOf } from "./test-run.ts";

const secret = "secret-of-the-host";
Reflect.set(globalThis, "hostSecret", secret);

/** How often the tool was called, and with what. */
const inputs: unknown[] = [];
const echo = tool({
  name: "echo",
  input: { type: "object", properties: {}, additionalProperties: true },
  output: {},
  execute: (input: unknown) => {
    inputs.push(input);
    return input;
  },
});

/** The names of everything that objects of the host inherit. */
const inherited = () =>
  [Object.prototype, Array.prototype, Function.prototype].map((each) => Reflect.ownKeys(each));
const before = inherited();

afterEach(() => {
  inputs.length = 0;
  expect(inherited()).toEqual(before);
});

/** Each returns "REACHED" if there is something of the host. */
const reaching: readonly string[] = [
  // Names of hosts.
  ..."process require module exports global window self Deno Bun fetch XMLHttpRequest WebSocket Worker setTimeout setInterval setImmediate queueMicrotask Buffer performance crypto WebAssembly SharedArrayBuffer Atomics importScripts navigator __dirname hostSecret Function.prototype.hostSecret"
    .split(" ")
    .map((name) => `return typeof ${name} === 'undefined' ? 'no' : 'REACHED';`),
  // Code from texts.
  "return Function('return typeof process')() === 'undefined' ? 'no' : 'REACHED'",
  "return (() => {}).constructor('return typeof process')() === 'undefined' ? 'no' : 'REACHED'",
  "return (async () => {}).constructor('return typeof process')",
  "return (function* () {}).constructor('return 1')().next().value === 1 ? 'REACHED' : 'no'",
  "return Reflect.construct(Function, ['return 1'])() === 1 ? 'REACHED' : 'no'",
  "return tools.echo.constructor('return 1')() === 1 ? 'REACHED' : 'no'",
  "return [].map.constructor('return 1')() === 1 ? 'REACHED' : 'no'",
  "return Object.getPrototypeOf(async function () {}).constructor('return 1')() ? 'REACHED' : 'no'",
  "return eval('1') === 1 ? 'REACHED' : 'no'",
  "return (0, globalThis.eval)('1') === 1 ? 'REACHED' : 'no'",
  "return typeof (await import('node:fs')) === 'object' ? 'REACHED' : 'no'",
  "return typeof (await import('data:text/javascript,export default 1')) === 'object' ? 'REACHED' : 'no'",
  "const r = await import('./package.json'); return 'REACHED'",
  // Walks from what it has.
  "return host.call.constructor.constructor('return this')().hostSecret ? 'REACHED' : 'no'",
  "return tools.constructor ? 'REACHED' : 'no'",
  "return Object.getPrototypeOf(tools) === null ? 'no' : 'REACHED'",
  "const value = await tools.echo({ a: {} }); return value.a.constructor === Object ? 'no' : 'REACHED'",
  "try { await tools.none() } catch (error) { return error.constructor === TypeError ? 'no' : 'REACHED' }",
  "try { await tools.echo('x') } catch (error) { return error.constructor.constructor === Function ? 'no' : 'REACHED' }",
  "const error = await tools.echo({ a: 1 }).then(() => { throw new Error('x') }).catch((e) => e); return error.constructor.constructor === Function ? 'no' : 'REACHED'",
  "Error.prepareStackTrace = (_, frames) => frames; const { stack } = new Error('x'); return /file:|node:|[/]/.test(JSON.stringify([...stack].map((frame) => frame.getFileName?.()))) ? 'REACHED' : 'no'",
  "return new Error().stack.includes('/') ? 'REACHED' : 'no'",
  "return (function () { return this === undefined || this === globalThis })() ? 'no' : 'REACHED'",
  "return arguments.length > 4 || arguments.callee?.caller ? 'REACHED' : 'no'",
  "return Reflect.ownKeys(globalThis).some((key) => /secret|process/i.test(String(key))) ? 'REACHED' : 'no'",
  "const log = console.log; return log.constructor.constructor === Function ? 'no' : 'REACHED'",
];

test.each(reaching)("nothing of the host is reached by %s", async (program) => {
  // An error shows the line of the program.
  const text = await textOf(program.replaceAll("'REACHED'", "'REA' + 'CHED'"), [echo]);
  expect(text).not.toContain("REACHED");
  expect(text).not.toContain(secret);
});

test("what a program passes on is data", async () => {
  const texts = await textsOf(
    [
      'return await tools.echo(JSON.parse(\'{"__proto__":{"polluted":1},"a":1}\'))',
      "return await tools.echo({ constructor: { prototype: { polluted: 1 } } })",
      "Object.prototype.polluted = 1; return await tools.echo({})",
      'return JSON.parse(\'{"__proto__":{"polluted":1}}\')',
      "const o = { then(resolve) { resolve('thenable') } }; return o",
      "return { then: 5 }",
      "const bad = { get a() { throw new Error('getter') } }; return await tools.echo(bad)",
      "return await tools.echo({ toJSON() { return { forged: true } } })",
      "const circle = {}; circle.self = circle; return circle",
      "return () => 1",
      "return Symbol('x')",
      "return 10n ** 30n",
    ],
    [echo],
  );
  expect(texts).toEqual([
    '{"a":1}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    expect.any(String),
    expect.stringMatching(/^\{/),
    "thenable",
    '{"then":5}',
    expect.stringContaining("getter"),
    '{"forged":true}',
    expect.stringContaining("circular"),
    expect.stringContaining("The returned value is a function. Call it."),
    "execute_typescript is done and returned nothing.",
    '"1000000000000000000000000000000"'.slice(1, -1),
  ]);
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

const hang = tool({
  name: "hang",
  input: { type: "object", properties: {} },
  timeout: 2_000,
  execute: () => new Promise(() => {}),
});

test("calls by the host's own door are those that tools allow", async () => {
  const forged = (batch: string): string => `return await host.call(${batch})`;
  const texts = await textsOf(
    [
      forged(`JSON.stringify([{ name: 'hidden', text: '{}' }])`),
      forged(`JSON.stringify([{ name: '__proto__', text: '{}' }])`),
      forged(`JSON.stringify([{ name: 'echo', text: 'not json' }])`),
      forged(`JSON.stringify({ name: 'echo' })`),
      forged(`'not json'`),
      forged(`JSON.stringify(Array.from({ length: 500 }, () => ({ name: 'echo', text: '{}' })))`),
      "}); return JSON.stringify({ ok: true }); (() => {",
      "}); return 'forged'; __program({}, async () => {",
      `const hang = JSON.stringify([{ name: 'hang', text: '{}' }]);
      await Promise.all([host.call(hang), host.call(hang)]); return 1`,
      "globalThis.host = { call: () => '[]' }; return await tools.echo({ own: 1 })",
    ],
    [echo, hang],
    { check: false, limits: { calls: 5 } },
  );
  expect(texts[0]).toContain('Unknown tool \\"hidden\\"');
  expect(texts[1]).toContain('Unknown tool \\"__proto__\\"');
  expect(texts[2]).toContain('"ok":false');
  expect(texts[3]).toContain("host.call takes a list of calls.");
  expect(texts[4]).toContain("host.call takes a list of calls.");
  expect(texts[5]).toContain("a program may make 5 calls, and this one has.");
  expect(inputs).toHaveLength(6);
  // Whatever it does beside its own function is as much within the interpreter.
  expect([texts[6], texts[7]].join()).not.toContain("forged");
  expect(texts[8]).toContain("host.call is called once at a time.");
  expect(texts[9]).toBe('{"own":1}');
});

// Time enough to start a thread on a busy machine.
const limits = { timeoutMs: 8_000, memoryMb: 24, outputChars: 1_000 };

test.each([
  ["an endless loop", "for (;;) {}", "The program computed for"],
  [
    "endless microtasks",
    "const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})",
    "failed",
  ],
  ["a promise that never settles", "await new Promise(() => {})", "failed"],
  [
    "an expression that backtracks",
    "return /^(a+)+$/.test('a'.repeat(50) + 'b')",
    "The program computed for",
  ],
  [
    "a list without end",
    "const list = []; for (;;) list.push('x'.repeat(100_000) + list.length)",
    "more than 24 MB",
  ],
  ["a huge text", "return 'x'.repeat(2 ** 29)", "more than 24 MB"],
  ["a huge buffer", "return new Uint8Array(2 ** 30).length", "more than 24 MB"],
  ["recursion without end", "const f = () => f() + 1; return f()", "failed"],
  ["a deep value", "let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; return o", "failed"],
  ["a huge input", "return await tools.echo({ text: 'x'.repeat(7_000_000) })", "failed"],
])("%s ends, and the next program runs", { timeout: 60_000 }, async (_, program, words) => {
  const texts = await textsOf([program, "return await tools.echo({ fine: 1 })"], [echo], {
    check: false,
    limits,
  });
  expect(texts[0]).toContain(words);
  expect(texts[1]).toBe('{"fine":1}');
});

test("what is returned and printed is bounded", { timeout: 60_000 }, async () => {
  const texts = await textsOf(
    [
      "return 'x'.repeat(5_000)",
      "for (let i = 0; i < 100_000; i++) console.log('line', i); return 1",
      "return Array.from({ length: 1_000 }, (_, i) => i)",
    ],
    [],
    { check: false, limits },
  );
  expect(texts[0]).toMatch(/^"x{999}\n\n\[The first 1000 of 5002 characters\. Return less\.\]$/);
  expect(texts[1]?.length).toBeLessThan(1_200);
  expect(texts[1]).toMatch(/more characters\]$/);
  expect(texts[2]).toContain("[The first 1000 of 3891 characters. Return less.]");
});

test("not one call more than the limit is made, whatever a program does with the errors", async () => {
  const program = `const all = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => tools.echo({ n })));
for (let n = 20; n < 40; n++) try { await tools.echo({ n }) } catch {}
return all.filter(({ status }) => status === 'fulfilled').length;`;
  expect(await textOf(program, [echo], { check: false, limits: { calls: 7 } })).toBe("7");
  expect(inputs).toHaveLength(7);
});

test("no more calls run at once than the limit allows", async () => {
  let running = 0;
  let most = 0;
  const slow = tool({
    name: "slow",
    input: { type: "object", properties: {}, additionalProperties: true },
    execute: async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    },
  });
  const program = "await Promise.all(Array.from({ length: 20 }, (_, n) => tools.slow({ n })));";
  await textOf(program, [slow], { check: false, limits: { parallel: 3 } });
  expect(most).toBe(3);
});

test("the time that a tool takes is not the program's", { timeout: 60_000 }, async () => {
  const slow = tool({
    name: "slow",
    input: { type: "object", properties: {} },
    execute: () => new Promise((resolve) => setTimeout(resolve, 4_000, "slow")),
  });
  expect(
    await textOf("return await tools.slow()", [slow], { check: false, limits: { timeoutMs: 3_000 } }),
  ).toBe("slow");
});

test("a run that is cancelled ends its program", async () => {
  const stop = new AbortController();
  const cancels = tool({
    name: "cancels",
    input: { type: "object", properties: {} },
    execute: () => stop.abort(),
  });
  const texts = await textsOf(
    ["await tools.cancels(); for (;;) {}"],
    [cancels],
    { check: false },
    { signal: stop.signal },
  );
  expect(texts[0]).toContain("cancelled");
});
