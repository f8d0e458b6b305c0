/** A journal that stops answering holds a run for some seconds after its end, and no longer. */
import { afterEach, expect, test, vi } from "vitest";
import { Agent, stream, tool, type Journal } from "skein";
import { FunctionModel } from "skein/testing";

afterEach(() => vi.useRealTimers());

const agent = new Agent({
  name: "A",
  tools: [tool({ name: "look", input: { type: "object", properties: {} }, execute: () => "seen" })],
  model: new FunctionModel(({ messages }) =>
    messages.some(({ role }) => role === "tool") ? "Done." : { toolCalls: [{ toolName: "look" }] },
  ),
});

/** A journal that keeps the step whose key begins so for ever. */
function silentAt(beginning: string): { journal: Journal; reached: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const step: Journal["step"] = async (key, perform) => {
    const value = await perform();
    if (!key.startsWith(beginning)) return value;
    resolve();
    return new Promise(() => {});
  };
  return { journal: { step }, reached: promise };
}

const failed = { code: "middleware-failed", state: { version: 1 } };

test.each<[string, readonly string[]]>([
  ["run", ["While the run was being cancelled: late"]],
  ["turn-1/model", []],
  ["turn-1/tool/", []],
  ["turn-2/model", []],
])(
  "one that fails at %s after the run was cancelled ends with a cancelled run",
  async (beginning, expected) => {
    const reached = Promise.withResolvers<void>();
    const step: Journal["step"] = async (key, perform) => {
      const value = await perform();
      if (!key.startsWith(beginning)) return value;
      reached.resolve();
      await cancelled.promise;
      throw new Error("late");
    };
    const cancelled = Promise.withResolvers<void>();
    const running = stream(agent, "Hi", { journal: { step } });
    await reached.promise;
    running.cancel();
    cancelled.resolve();
    const { status, warnings } = await running.result;
    expect([status, warnings]).toEqual(["cancelled", expected]);
  },
);

test.each<[string, object]>([
  ["run", failed],
  ["turn-1/model", { status: "cancelled" }],
  ["turn-1/tool/", { status: "cancelled" }],
  ["turn-2/model", { status: "cancelled" }],
])("one that is silent at %s ends with a cancelled run", async (beginning, expected) => {
  const { journal, reached } = silentAt(beginning);
  const running = stream(agent, "Hi", { journal });
  const outcomes: unknown[] = [];
  running.result.then(
    (value) => outcomes.push(value),
    (error: unknown) => outcomes.push(error),
  );
  await reached;
  vi.useFakeTimers();
  running.cancel();
  for (let times = 0; times < 52 && outcomes.length === 0; times++) await vi.advanceTimersByTimeAsync(100);
  expect(outcomes).toMatchObject([expected]);
});
