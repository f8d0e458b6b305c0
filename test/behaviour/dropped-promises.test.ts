/** A promise in what a tool reports or returns that nobody awaits: that it rejects must not end the process. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Agent, executeToolCalls, run, tool, type ToolContext } from "skein";
import { ScriptedModel } from "skein/testing";

const unhandled: unknown[] = [];
const note = (reason: unknown): unknown => unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", note);
});
afterEach(() => {
  process.off("unhandledRejection", note);
});

const input = { type: "object" } as const;
const soon = (milliseconds = 5): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const fails = (): Promise<never> => Promise.reject(new Error("no status"));

/** What a tool does with a promise that rejects. */
const habits: Readonly<Record<string, (context: ToolContext) => unknown>> = {
  "reports it": (context) => context.progress(fails()),
  "reports it within": (context) => context.progress({ of: [fails()], by: new Map([["a", fails()]]) }),
  "reports it after its end": (context) => void soon(1).then(() => context.progress({ status: fails() })),
  "returns it within": () => ({ status: fails() }),
  "returns it behind what is cut": () => ({ text: "x".repeat(1_100_000), status: fails() }),
  "returns it too late": async () => {
    await soon(30);
    return { status: fails() };
  },
};

test.each(Object.entries(habits))("a tool that %s", async (_, execute) => {
  const work = tool({ name: "work", input, timeout: 20, execute: (_input, context) => execute(context) });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "work" }] }, "Done."]);
  expect(await run(new Agent({ name: "A", model, tools: [work] }), "Go.")).toMatchObject({ text: "Done." });
  await executeToolCalls([{ toolCallId: "a", toolName: "work", arguments: "{}" }], [work]);
  await soon(50);
  expect(unhandled).toEqual([]);
});

test("a generator that yields it within", async () => {
  const work = tool({
    name: "work",
    input,
    async *execute() {
      yield { status: fails() };
      await soon();
      return "done";
    },
  });
  const [result] = await executeToolCalls([{ toolCallId: "a", toolName: "work", arguments: "{}" }], [work]);
  expect(result).toMatchObject({ outcome: "success" });
  await soon();
  expect(unhandled).toEqual([]);
});
