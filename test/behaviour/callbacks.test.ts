import { afterEach, expect, test, vi } from "vitest";
import { Agent, executeToolCalls, generate, run, tool } from "skein";
import { cached, fallback, logged } from "skein/models";
import { ScriptedModel } from "skein/testing";
import { progressTool } from "./test-progress.ts";

const later = (): Promise<never> => Promise.reject(new Error("later"));
const input = { type: "object", properties: {} } as const;
const call = { toolCalls: [{ toolName: "work" }] };

/** What a program in JavaScript may pass: an asynchronous function where one is expected that returns at once. */
function wrong(value: unknown): never {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- that is what this is about
  return value as never;
}

const unhandled = vi.fn<(reason: unknown) => void>();
process.on("unhandledRejection", unhandled);
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(unhandled).not.toHaveBeenCalled();
});

test("an onEvent that rejects becomes a warning", async () => {
  const agent = new Agent({ name: "A", model: new ScriptedModel(["hi"]) });
  const { status, warnings } = await run(agent, "go", { onEvent: wrong(later) });
  expect(status).toBe("completed");
  expect(warnings).toContain("onEvent failed on the event turn-start: later");
});

const always = (): boolean => true;

test.each([
  [
    "cache.key",
    { cache: { key: wrong(later) } },
    "the key function of cache must return a string, not a promise",
  ],
  [
    "serialize",
    { serialize: wrong(later) },
    "the key function of serialize must return a string, not a promise",
  ],
  [
    "retries.when",
    { retries: { when: wrong(later) } },
    "the function `when` of retries must return true or false",
  ],
  [
    "retries.delay",
    { retries: { when: always, delay: wrong(later) } },
    "the function `delay` of retries must return milliseconds or undefined, not a promise",
  ],
])(
  "a %s that returns a promise fails its call, and the author receives a warning",
  async (option, policy, text) => {
    const work = tool({
      name: "work",
      input,
      ...policy,
      execute: () => {
        throw new Error("no");
      },
    });
    const model = new ScriptedModel([call, "done"]);
    const { messages, warnings } = await run(new Agent({ name: "A", model, tools: [work] }), "go");
    expect(JSON.stringify(messages)).toContain(text);
    expect(warnings).toContainEqual(expect.stringContaining(`${option} of work failed: ${text}`));
  },
);

test.each([
  ["cache.key", (key: () => never) => ({ cache: { key } })],
  ["serialize", (serialize: () => never) => ({ serialize })],
  ["retries.when", (when: () => never) => ({ retries: { when } })],
  ["retries.delay", (delay: () => never) => ({ retries: { when: always, delay } })],
] as const)(
  "a %s that throws fails its call, and the author receives a warning, of a masked tool without words",
  async (option, policyOf) => {
    const broken = policyOf(() => {
      throw new Error("no such account: 4711");
    });
    const execute = (): never => {
      throw new Error("no");
    };
    const warningsOf = async (more: object): Promise<readonly string[]> => {
      const work = tool({ name: "work", input, ...broken, ...more, execute });
      const agent = new Agent({ name: "A", model: new ScriptedModel([call, "done"]), tools: [work] });
      return (await run(agent, "go")).warnings;
    };
    expect(await warningsOf({})).toEqual([`${option} of work failed: no such account: 4711`]);
    expect(await warningsOf({ mask: true })).toEqual([`${option} of work failed.`]);
  },
);

test("an onProgress that throws or rejects is printed, and its call succeeds", async () => {
  const print = vi.spyOn(console, "warn").mockReturnValue();
  const calls = [{ toolCallId: "1", toolName: "work", arguments: "{}" }];
  for (const onProgress of [
    later,
    wrong(() => {
      throw new Error("now");
    }),
  ]) {
    const [done] = await executeToolCalls(calls, [progressTool], { onProgress: wrong(onProgress) });
    expect(done).toMatchObject({ outcome: "success", isError: false });
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(
    print.mock.calls
      .flat()
      .map(String)
      .toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(["skein: options.onProgress failed: later", "skein: options.onProgress failed: now"]);
  print.mockRestore();
});

test("a log that rejects is printed, and the answer is whole", async () => {
  const print = vi.spyOn(console, "warn").mockReturnValue();
  const { text } = await generate(logged(new ScriptedModel(["hi"]), wrong(later)), "go");
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(text).toBe("hi");
  expect(print).toHaveBeenCalledWith("skein: The log of scripted:scripted failed: later");
  print.mockRestore();
});

test("a key of cached() that is a promise is refused: two promises are not the same request", async () => {
  const model = cached(new ScriptedModel(["one"]), { key: wrong(async () => "key") });
  await expect(generate(model, "go")).rejects.toThrow("key of cached() must return a string, not a promise.");
});

test("an on of fallback() that is a promise is refused, not taken for yes", async () => {
  const second = new ScriptedModel(["second"]);
  const models = fallback([new ScriptedModel([{ error: new Error("no") }]), second], { on: wrong(later) });
  await expect(generate(models, "go")).rejects.toThrow("on of fallback() must return true or false");
  expect(second.requests).toHaveLength(0);
});
