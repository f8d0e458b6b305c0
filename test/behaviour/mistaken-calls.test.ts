import { describe, expect, test } from "vitest";
import { Agent, compileSchema, executeToolCalls, run, tool } from "../../src/index.ts";
import {
  cached,
  fallback,
  logged,
  rateLimited,
  retry,
  withSettings,
} from "../../src/providers/wrappers/index.ts";
import { NetworkError } from "../../src/errors.ts";
import { FunctionModel, ScriptedModel } from "../../src/testing/index.ts";

const model = new ScriptedModel([]);
const echo = tool({ name: "echo", input: { type: "object" }, execute: (input) => JSON.stringify(input) });
const call = { toolCallId: "c1", toolName: "echo", arguments: "{}" };

/** A function of any type, as JavaScript calls it. */
const untyped =
  (fn: (...args: never[]) => unknown, ...args: unknown[]) =>
  (): unknown =>
    Reflect.apply(fn, undefined, args);

function nested(levels: number): object {
  let value = {};
  for (let level = 0; level < levels; level++) value = { value };
  return value;
}

describe("wrappers of models name a wrong option", () => {
  const mistakes: readonly (readonly [string, () => unknown])[] = [
    ["delay", untyped(retry, model, { delay: "100" })],
    ["times", untyped(retry, model, { times: "3" })],
    ["retries", untyped(retry, model, { retries: 3 })],
    ["on", untyped(fallback, [model], { on: true })],
    ["cooldown", untyped(fallback, [model], { cooldown: "5" })],
    ["key", untyped(cached, model, { key: "x" })],
    ["store", untyped(cached, model, { store: {} })],
    ["ttl", untyped(cached, model, { ttl: "5" })],
    ["maxEntries", untyped(cached, model, { maxEntries: Number.NaN })],
    ["log", untyped(logged, model)],
    ["requestsPerMinute", untyped(rateLimited, model, { requestsPerMinute: "1" })],
    ["settings", untyped(withSettings, model)],
  ];

  test.each(mistakes)("%s", (option, make) => {
    expect(make).toThrow(expect.objectContaining({ code: "invalid-option", data: { option } }));
  });

  // Made when the test runs: a promise that is rejected before that ends the whole suite.
  test.each<[string, () => unknown]>([
    ["a text", () => "100"],
    ["NaN", () => Number.NaN],
    ["-1", () => -1],
    ["Infinity", () => Infinity],
    ["a promise", () => Promise.resolve(1)],
    ["a promise that is rejected", () => Promise.reject(new Error("late"))],
  ])("a delay that is %s ends the run with what it must be", async (_, delayOf) => {
    const failing = new FunctionModel(() => {
      throw new NetworkError("down", { provider: "p", modelId: "m" });
    });
    const delay: object = { delay: delayOf };
    const agent = new Agent({ name: "A", model: retry(failing, delay) });
    await expect(run(agent, "Hello")).rejects.toThrow("delay of retry() must return milliseconds");
  });
});

describe("executeToolCalls() names a wrong argument", () => {
  const mistakes: readonly (readonly [string, string, unknown[]])[] = [
    ["a call that is null", "calls[0] is null, not a tool call", [[null], [echo]]],
    ["calls that are not a list", "The calls must be a list", [null, [echo]]],
    ["a call without an id", "calls[1] is a tool call whose toolCallId is not a text", [[call, {}], [echo]]],
    [
      "arguments that are not text",
      "calls[0] is a tool call whose arguments is not a text",
      [[{ ...call, arguments: {} }], [echo]],
    ],
    [
      "onProgress",
      "onProgress of executeToolCalls() must be a function",
      [[call], [echo], { onProgress: "x" }],
    ],
    ["an unknown option", 'has no option "foo"', [[call], [echo], { foo: 1 }]],
    ["concurrency", "concurrency must be a number of at least 1", [[call], [echo], { concurrency: 0 }]],
    ["options that are null", "The options of executeToolCalls() are null", [[call], [echo], null]],
    ["tools that are null", "The tools are null", [[call], null]],
    ["a deep context", "nested deeper than", [[call], [echo], { context: nested(100_000) }]],
  ];

  test.each(mistakes)("%s", async (_title, message, args) => {
    await expect(untyped(executeToolCalls, ...args)()).rejects.toThrow(message);
    await expect(untyped(executeToolCalls, ...args)()).rejects.toHaveProperty("code");
  });
});

describe("a history names its wrong message", () => {
  const user = { role: "user", content: "Hello" };
  const histories: readonly (readonly [string, unknown[]])[] = [
    [
      "messages[1] has toolCalls[0], which is null",
      [user, { role: "assistant", content: [], toolCalls: [null] }],
    ],
    [
      "messages[1] has toolCalls that are not a list",
      [user, { role: "assistant", content: "", toolCalls: "x" }],
    ],
    [
      "messages[1] has toolCalls[0], which is a tool call whose",
      [user, { role: "assistant", content: "", toolCalls: [{}] }],
    ],
    [
      "toolCalls[0], which is a tool call whose arguments",
      [user, { role: "assistant", content: [], toolCalls: [{ ...call, arguments: {} }] }],
    ],
    [
      "content[1] of messages[0] is not a part",
      [{ role: "user", content: [{ type: "text", text: "a" }, null] }],
    ],
    ["content[0] of messages[1] is not a part", [user, { role: "assistant", content: [5] }]],
    [
      'content[0] of messages[0] is a part of the type "image" whose url is not a text. It has no field "image". Did you mean "url"?',
      [{ role: "user", content: [{ type: "image", image: "https://acme.test/a.png" }] }],
    ],
    [
      'content[1] of messages[0] has the type "image_url"',
      [
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "image_url", image_url: {} },
          ],
        },
      ],
    ],
    [
      'content[0] of messages[1] has the type "output_text"',
      [user, { role: "assistant", content: [{ type: "output_text", text: "a" }] }],
    ],
    [
      "content[0] of the result in messages[1] is a part of the type",
      [user, { role: "tool", result: { toolCallId: "c1", content: [{ type: "text" }] } }],
    ],
    ["messages[1] has no content", [user, { role: "tool", result: { toolCallId: "c1" } }]],
    [
      "content[0] of the result in messages[1] is not a part",
      [user, { role: "tool", result: { toolCallId: "c1", content: [null] } }],
    ],
  ];

  test.each(histories)("%s", async (message, history) => {
    const agent = new Agent({ name: "A", model: new ScriptedModel([{ text: "Hi" }]), tools: [echo] });
    await expect(untyped(run, agent, history)()).rejects.toThrow(message);
    await expect(untyped(run, agent, history)()).rejects.toMatchObject({ code: "invalid-input" });
  });
});

describe("a tool that no function of Skein completed is named, with what it lacks", () => {
  const inputSchema = compileSchema({ type: "object" });
  const complete = { name: "t", inputSchema, annotations: {}, policy: {}, execute: () => 1 };
  const tools: readonly (readonly [string, object])[] = [
    ["annotations", { ...complete, annotations: undefined }],
    ["annotations", { ...complete, annotations: null }],
    ["policy", { ...complete, policy: undefined }],
    ["inputSchema", { ...complete, inputSchema: { type: "object" } }],
    ["outputSchema", { ...complete, outputSchema: { type: "object" } }],
    ["execute", { ...complete, execute: "x" }],
    ["name", { ...complete, name: 5 }],
  ];

  test.each(tools)("%s", async (member, raw) => {
    const listed = { name: "set", tools: () => [raw] };
    for (const tools of [[raw], [listed]])
      await expect(untyped(executeToolCalls, [call], tools)()).rejects.toMatchObject({
        code: "invalid-tool",
        data: { member },
        message: expect.stringContaining("Write tool({ name, description, input, execute })"),
      });
  });
});

describe("arguments that gateways and other languages write are read", () => {
  const readable: readonly (readonly [string, object])[] = [
    ['{"days":+3}', { days: 3 }],
    ['{"a":.5}', { a: 0.5 }],
    ['{"a":-.5, "b":+.25}', { a: -0.5, b: 0.25 }],
    ['{"a":[+1,.5,]}', { a: [1, 0.5] }],
    ['{}{"days":3}', { days: 3 }],
    ['{}\n {"days":3}', { days: 3 }],
    ['{}{"days":3}{"days":3}', { days: 3 }],
  ];

  test.each(readable)("%s", async (text, value) => {
    const [result] = await executeToolCalls([{ ...call, arguments: text }], [echo]);
    expect(result?.content).toEqual([{ type: "text", text: JSON.stringify(value) }]);
  });

  test.each([
    '{"a":+-3}',
    '{"a":++3}',
    '{"a":+}',
    '{"a":.}',
    '{"a":+.e3}',
    '{"days":3}{}',
    '{} {"a":1} {"b":2}',
    '{"a":+3',
    '{"a":.5',
    '{} as default, {"a":1}',
    '[]{"a":1}',
    '{"a":+Infinity}',
  ])("%s stays an error", async (text) => {
    const [result] = await executeToolCalls([{ ...call, arguments: text }], [echo]);
    expect(result?.outcome).toBe("invalid-arguments");
  });

  test("a sign that a text would lose keeps a number from becoming one", async () => {
    const phone = tool({
      name: "echo",
      input: { type: "object", properties: { phone: { type: "string" } } },
      execute: ({ phone }: { phone: string }) => phone,
    });
    const [result] = await executeToolCalls([{ ...call, arguments: '{"phone":+4915112345}' }], [phone]);
    expect(result?.outcome).toBe("invalid-arguments");
  });
});
