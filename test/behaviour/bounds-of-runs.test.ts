/** Where the bounds of a run are, from both sides. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { Agent, run, type Compaction, type InputMessage, type Session } from "skein";
import { memorySession, SessionConflictError } from "skein/sessions";
import { FunctionModel, ScriptedModel } from "skein/testing";

afterEach(() => void vi.useRealTimers());

const greeting = (): Agent => new Agent({ name: "A", model: new ScriptedModel(["Hi"]) });

test.each<[string, Compaction, Compaction]>([
  ["maxTokens", { maxTokens: 10 }, { maxTokens: 9 }],
  ["keep", { maxTokens: 1_000, keep: 999 }, { maxTokens: 1_000, keep: 1_000 }],
  ["no keep", { keep: 0 }, { keep: -1 }],
  ["keepLast", { pruneResults: { keepLast: 0 } }, { pruneResults: { keepLast: -1 } }],
  ["maxChars", { pruneResults: { maxChars: 200 } }, { pruneResults: { maxChars: 199 } }],
])("a compaction takes the least and the most of its options: %s", async (_, possible, impossible) => {
  expect(await run(greeting(), "Hello", { compaction: possible })).toMatchObject({ text: "Hi" });
  await expect(run(greeting(), "Hello", { compaction: impossible })).rejects.toMatchObject({
    code: "invalid-option",
  });
});

test("an answer that costs nothing is paid, and one that costs less is of an unknown price", async () => {
  const costing = (cost: number) => run(greeting(), "Hello", { maxCost: { amount: 1, costOf: () => cost } });
  expect(await costing(0)).toMatchObject({ status: "completed" });
  for (const cost of [-1, Number.NaN])
    await expect(costing(cost)).rejects.toMatchObject({ code: "budget-unknown" });
});

test("a run's id has 200 characters at most", async () => {
  const runId = "x".repeat(200);
  expect((await run(greeting(), "Hello", { runId })).state.runId).toBe(runId);
  await expect(run(greeting(), "Hello", { runId: `${runId}x` })).rejects.toThrow("1 to 200 characters");
});

test("of calls that a list leaves open ten are named, and all are in the data", async () => {
  const ids = Array.from({ length: 11 }, (_, index) => `id_${index}`);
  const toolCalls = ids.map((toolCallId) => ({ toolCallId, toolName: "pay", arguments: "{}" }));
  const history: readonly InputMessage[] = [
    { role: "user", content: "Pay." },
    { role: "assistant", content: "", toolCalls },
  ];
  const error: unknown = await run(greeting(), history).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "invalid-input", data: { pending: ids } });
  expect(String(error)).toContain(`(${ids.slice(0, 10).join(", ")})`);
});

test("a run of which others are faster each time gives up after twenty times", async () => {
  let loads = 0;
  const session: Session = {
    load: async () => ({ entries: [], loads: (loads += 1) }),
    append: () => Promise.reject(new SessionConflictError(1)),
    clear: async () => {},
  };
  await expect(run(greeting(), "Hello", { session })).rejects.toMatchObject({ code: "session-conflict" });
  expect(loads).toBe(21);
});

describe("a session that another process holds", () => {
  test("is looked at ever less often, and once a second in the end", async () => {
    vi.useFakeTimers({ now: 1_000_000 });
    const held = memorySession();
    await held.append([
      { sequence: 1, writer: "other", type: "claim", until: Date.now() + 4_000 },
      { sequence: 2, writer: "other", type: "message", message: { role: "user", content: "Hello" } },
    ]);
    const looks: number[] = [];
    const session: Session = {
      busy: "wait",
      load: () => {
        looks.push(Date.now() - 1_000_000);
        return held.load();
      },
      append: held.append,
      clear: held.clear,
    };
    const model = new FunctionModel(() => "Hi");
    const running = run(new Agent({ name: "A", model }), "Hello", { session });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await running).toMatchObject({ status: "completed" });
    expect(looks).toEqual([0, 50, 150, 350, 750, 1_550, 2_550, 3_550, 4_550]);
  });
});
