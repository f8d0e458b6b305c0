/** Nobody who sees the messages of a run can change them: not a model, a tool, a listener, a toolset or the agent's instructions. */
import { expect, test } from "vitest";
import {
  Agent,
  type Generation,
  type Message,
  type Model,
  run,
  type RunEvent,
  tool,
  type Toolset,
} from "skein";
import { FunctionModel } from "skein/testing";

/** Rewrites whatever can be rewritten of a value, all the way down. */
function rewrite(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  for (const [key, member] of Object.entries(value)) {
    rewrite(member, seen);
    if (typeof member === "string") Reflect.set(value, key, "rewritten");
  }
  if (Array.isArray(value)) Reflect.set(value, value.length, "rewritten");
}

/** Calls a tool, then answers; notes the histories that it is shown. */
function callingModel(requests: string[]): FunctionModel {
  return new FunctionModel(({ messages }) => {
    requests.push(JSON.stringify(messages));
    return messages.at(-1)?.role === "user"
      ? { text: "Looking.", toolCalls: [{ toolName: "look", arguments: { at: ["sky"] } }] }
      : "Blue.";
  });
}

type Place = (rewriting: (messages: unknown) => void) => {
  readonly instructions?: (input: { readonly messages: readonly Message[] }) => string;
  readonly tools?: readonly Toolset[];
  readonly execute?: (messages: readonly Message[]) => void;
  readonly onEvent?: (event: RunEvent) => void;
};

const places: Readonly<Record<string, Place>> = {
  instructions: (rewriting) => ({
    instructions: ({ messages }) => {
      rewriting(messages);
      return "Answer.";
    },
  }),
  "a tool": (rewriting) => ({ execute: rewriting }),
  "a listener": (rewriting) => ({ onEvent: rewriting }),
  "a toolset": (rewriting) => ({
    tools: [
      { name: "none", tools: ({ messages }) => (messages.forEach((message) => rewriting(message)), []) },
    ],
  }),
};

test.each(Object.entries(places))("%s cannot change the history", async (_name, place) => {
  const requests: string[] = [];
  const state = async (rewriting: (messages: unknown) => void): Promise<string> => {
    const { instructions, tools = [], execute, onEvent } = place(rewriting);
    const look = tool({
      name: "look",
      input: { type: "object", properties: { at: { type: "array", items: { type: "string" } } } },
      execute: (_: object, { messages }) => {
        execute?.(messages);
        return { colours: ["blue"] };
      },
    });
    const agent = new Agent({ name: "A", tools: [look, ...tools], ...(instructions && { instructions }) });
    const messages = [{ role: "user", content: [{ type: "text", text: "What colour is it?" }] }] as const;
    const model = callingModel(requests);
    const result = await run(agent, messages, { model, runId: "r", ...(onEvent && { onEvent }) });
    return JSON.stringify([result.messages, result.state.messages]).replaceAll(/"toolCallId":"[^"]*"/g, "");
  };
  const before = await state(() => {});
  expect(await state((messages) => rewrite(messages))).toBe(before);
  expect(requests.join()).not.toContain("rewritten");
});

test("a message that a program changes while its run works stays as it was passed", async () => {
  const content = [{ type: "text" as const, text: "Hello." }];
  const model = new FunctionModel(() => {
    content[0] = { type: "text", text: "rewritten" };
    return "Hi.";
  });
  const { state } = await run(new Agent({ name: "A", model }), [{ role: "user", content }]);
  expect(state.messages[0]).toEqual({ role: "user", content: [{ type: "text", text: "Hello." }] });
});

test("a model that goes on writing into its answer does not change the history", async () => {
  const generation: Generation = {
    text: "Hi",
    message: {
      role: "assistant",
      content: [{ type: "text", text: "Hi", providerData: { provider: "own", data: { id: "one" } } }],
      toolCalls: [],
    },
    toolCalls: [],
    finishReason: "stop",
    rawFinishReason: "stop",
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    response: { id: undefined, modelId: "m", headers: {} },
    timing: { firstTokenMs: 1, totalMs: 1, tokensPerSecond: 1 },
    warnings: [],
  };
  const model: Model = {
    provider: "own",
    modelId: "m",
    async *stream() {
      yield { type: "finish", generation };
    },
  };
  const { state, messages } = await run(new Agent({ name: "A", model }), "Hello.");
  const before = JSON.stringify([state, messages]);
  rewrite(generation);
  expect(generation.message.content[0]).toMatchObject({ text: "rewritten" });
  expect(JSON.stringify([state, messages])).toBe(before);
});
