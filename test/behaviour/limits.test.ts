/** What is bounded, whatever a model or a program does. */
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { Agent, generate, generateStream, run, stream, tool, type Model, type ModelEvent } from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";

/** A model that never comes to an end, and whether it was told to. */
function endless(event: (index: number) => ModelEvent): {
  readonly model: Model;
  readonly ended: () => boolean;
} {
  let isEnded = false;
  async function* events(): AsyncGenerator<ModelEvent> {
    try {
      for (let index = 0; ; index++) yield event(index);
    } finally {
      isEnded = true;
    }
  }
  return { model: { provider: "endless", modelId: "talker", stream: events }, ended: () => isEnded };
}

const piece = "la ".repeat(100_000);
const kinds: readonly (readonly [string, (index: number) => ModelEvent])[] = [
  ["text", () => ({ type: "text-delta", text: piece })],
  ["reasoning", () => ({ type: "reasoning-delta", text: piece })],
  ["arguments", () => ({ type: "tool-input-delta", toolCallId: "call_1", toolName: "sing", text: piece })],
  [
    "calls",
    (index) => ({
      type: "tool-call",
      toolCall: { toolCallId: `call_${index}`, toolName: "sing", arguments: "{}" },
    }),
  ],
];

test.each(kinds)(
  "an answer of endless %s is a typed error, and ends the model's stream",
  async (_, event) => {
    const expected = { code: "malformed-response", message: expect.stringContaining("33554432") };
    const running = endless(event);
    await expect(run(new Agent({ name: "A", model: running.model }), "go")).rejects.toMatchObject(expected);
    expect(running.ended()).toBe(true);

    const generating = endless(event);
    await expect(generate(generating.model, "go")).rejects.toMatchObject(expected);
    expect(generating.ended()).toBe(true);
  },
);

test("emits the events before the limit", async () => {
  let told = 0;
  const reading = (async () => {
    for await (const event of generateStream(endless(kinds[0]![1]).model, "go"))
      told += "text" in event ? event.text.length : 0;
  })();
  await expect(reading).rejects.toMatchObject({ code: "malformed-response" });
  expect(told).toBeGreaterThan(33_000_000);
});

test("a message of a history that is too long is a typed error that names it", async () => {
  const agent = new Agent({ name: "A", model: new FunctionModel(() => "?") });
  const content = "a".repeat(33_554_433);
  await expect(
    run(agent, [
      { role: "user", content: "a" },
      { role: "user", content },
    ]),
  ).rejects.toMatchObject({
    code: "invalid-input",
    message: "messages[1] is too long: 33554432 characters are the most.",
  });
});

test("keeps a hundred warnings, and one that there are more", async () => {
  let thrown = 0;
  const model = new ScriptedModel([{ text: "x".repeat(300), chunkSize: 1 }]);
  const { warnings } = await run(new Agent({ name: "A", model }), "go", {
    onEvent: () => {
      throw new Error(`${(thrown += 1)}`);
    },
  });
  expect(thrown).toBeGreaterThan(300);
  expect(warnings).toHaveLength(101);
  expect(warnings.at(-1)).toBe("There are more warnings, which are left out.");
});

test("masks keys in what a custom model throws", async () => {
  const key = "sk-live-0123456789abcdef";
  const cause = new Error(`401 for Bearer ${key}`);
  const model = new FunctionModel(() => Promise.reject(new Error(`refused: ${key}`, { cause })));
  const running = stream(new Agent({ name: "A", model }), "go");
  const error = await running.result.catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: "model-failed" });
  const { message, stack, cause: told } = error as Error;
  expect(`${message} ${stack} ${String(told)} ${(told as Error).stack}`).not.toContain("0123456789");
  expect(inspect((told as Error).cause)).toContain("401 for [redacted]");
  expect(inspect(error, { depth: 20 })).not.toContain("0123456789");
});

test("what a tool reports is bounded in the events, and says where it was cut", async () => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "report" }] }, "done"]);
  const rows: string[] = [];
  const report = tool({
    name: "report",
    input: { type: "object", properties: {} },
    execute: (_, { progress }) => {
      rows.push("first");
      progress(rows);
      rows.push("x".repeat(2_000_000));
      progress(rows);
    },
  });
  const values: unknown[] = [];
  await run(new Agent({ name: "A", model, tools: [report] }), "go", {
    onEvent: (event) => void (event.type === "tool-progress" && values.push(event.value)),
  });
  expect(values).toEqual([["first"], expect.stringMatching(/^\["first",[^]*because it is too long\]$/)]);
  expect(String(values[1]).length).toBeLessThan(1_100_000);
});

test("calls that refer to each other's results, each twice, end before they fill the memory", async () => {
  const merge = tool({ name: "merge", input: { type: "object" }, execute: (args) => args });
  const toolCalls = Array.from({ length: 150 }, (_, index) => ({
    toolCallId: `c${index}`,
    toolName: "merge",
    arguments:
      index === 0
        ? { a: "x".repeat(1_000) }
        : { a: { $result: `c${index - 1}` }, b: { $result: `c${index - 1}` } },
  }));
  const agent = new Agent({ name: "A", model: new ScriptedModel([{ toolCalls }, "Done."]), tools: [merge] });
  const { status, messages } = await run(agent, "go");
  expect(status).toBe("completed");
  expect(JSON.stringify(messages).length).toBeLessThan(40_000_000);
  expect(JSON.stringify(messages)).toContain("whose result was too long to be kept: get less of it at once");
});

test(
  "an answer with thousands of mistaken calls is corrected in time that grows with their number",
  { timeout: 10_000 },
  async () => {
    const toolCalls = Array.from({ length: 8_000 }, () => ({ toolName: "unknown", arguments: {} }));
    const agent = new Agent({ name: "A", model: new ScriptedModel([{ toolCalls }, "Done."]) });
    const { status, messages } = await run(agent, "go");
    expect([status, messages.length]).toEqual(["completed", 8_002]);
  },
);
