import { expect, test } from "vitest";
import { Agent, stream, tool, type AgentOptions, type RunOptions } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { empty, eventsOf, watchRejections } from "./kit.ts";

const fail = (): never => {
  throw new Error("thrown on purpose");
};
const reject = (): Promise<never> => Promise.reject(new Error("rejected on purpose"));

interface Place {
  readonly agent?: Partial<AgentOptions>;
  readonly options?: RunOptions;
  readonly execute?: () => unknown;
  readonly ends: "completed" | "failed";
}

/** Everywhere that other people's code is called from a run. */
const places: Readonly<Record<string, Place>> = {
  "a tool": { execute: fail, ends: "completed" },
  "a tool's promise": { execute: reject, ends: "completed" },
  "a tool's generator": {
    async *execute() {
      yield 1;
      fail();
    },
    ends: "completed",
  },
  "a tool's value": { execute: () => ({ toJSON: fail }), ends: "completed" },
  "the value of a tool's promise": {
    execute: async () => new Proxy({}, { ownKeys: fail }),
    ends: "completed",
  },
  "a tool's thenable": {
    execute: () => ({
      // oxlint-disable-next-line unicorn/no-thenable -- what a tool must not return is what is tried here
      get then() {
        return fail();
      },
    }),
    ends: "completed",
  },
  "the listener": { options: { onEvent: fail }, ends: "completed" },
  "the instructions": { agent: { instructions: fail }, ends: "failed" },
  "the instructions' promise": { agent: { instructions: reject }, ends: "failed" },
  "the model": { agent: { model: { provider: "p", modelId: "m", stream: fail } }, ends: "failed" },
  "the model's answer": { agent: { model: new FunctionModel(reject) }, ends: "failed" },
  "the middle of the model's answer": {
    agent: { model: new ScriptedModel([{ text: "so far", chunkSize: 2, errorAfter: 2 }]) },
    ends: "failed",
  },
  "the journal": { options: { journal: { step: fail } }, ends: "failed" },
  "the journal's promise": { options: { journal: { step: reject } }, ends: "failed" },
  "the session's load": { options: { session: { ...memorySession(), load: reject } }, ends: "failed" },
  "the session's append": {
    options: { session: { load: async () => ({ entries: [] }), append: reject, clear: reject } },
    ends: "failed",
  },
};

test.each(Object.entries(places))(
  "what %s throws leads to one last event and one result",
  async (_, place) => {
    const rejections = watchRejections();
    const { agent, options, execute = () => "fine", ends } = place;
    const model = new ScriptedModel([{ text: "so", toolCalls: [{ toolName: "use" }] }, "Done."]);
    const use = tool({ name: "use", input: empty, execute });
    const running = stream(new Agent({ name: "A", model, tools: [use], ...agent }), "Go.", options);
    const events = await eventsOf(running);
    const last = events.filter(({ type }) => type === "run-end");
    expect(last).toEqual([expect.objectContaining({ status: ends })]);
    expect(events.at(-1)).toBe(last[0]);
    const [outcome] = await Promise.allSettled([running.result]);
    expect(outcome.status).toBe(ends === "failed" ? "rejected" : "fulfilled");
    expect(await rejections()).toEqual([]);
  },
);
