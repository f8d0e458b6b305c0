/** What a call of a model counts as whose run is cancelled while it comes to its end: one call, whatever keeps the run. */
import { Agent, type RunOptions, stream } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";

const keepers: readonly (readonly [string, () => RunOptions])[] = [
  ["nothing", () => ({})],
  ["a session", () => ({ session: memorySession() })],
  ["a journal", () => ({ journal: { step: (_key, perform) => perform() } })],
  ["a middleware", () => ({ middleware: [{ step: (_key, next) => next() }] })],
];

test.each(keepers)(
  "with %s, an answer that is cancelled with its last piece counts once",
  async (_, options) => {
    const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
    let count = 0;
    const model = new FunctionModel(() => {
      count++;
      return { text: "two", usage };
    });
    const running = stream(new Agent({ name: "A", model }), "Go.", options());
    for await (const { type } of running.events()) if (type === "text-delta") running.cancel();
    const { status, modelCalls } = await running.result;
    // What was under way has come to its end by then, too.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(status).toBe("cancelled");
    expect(count).toBe(1);
    expect(modelCalls).toHaveLength(1);
  },
);
