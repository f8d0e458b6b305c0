import { Agent, tool, type Tool } from "skein";
import { ScriptedModel, type ScriptedToolCall, type TurnLike } from "skein/testing";
import type { OpenAITool } from "./openai-settings.ts";

/** A number, as an output. */
export const numberSchema = {
  type: "object",
  properties: { total: { type: "number" } },
  required: ["total"],
  additionalProperties: false,
} as const;

const cityInput = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;

/** The server's own tool. */
export const lookUp: Tool = tool({
  name: "lookUp",
  description: "Look something up.",
  input: cityInput,
  execute: (input) => `${JSON.stringify(input)} is looked up.`,
});

/** The server's own tool, which fails. */
export const failing: Tool = tool({
  name: "failing",
  input: { type: "object", properties: {} },
  execute: () => {
    throw new Error("planted-secret-of-the-tool");
  },
});

/** The server's own tool, whose result is the answer. */
export const lastWord: Tool = tool({
  name: "lastWord",
  input: { type: "object", properties: {} },
  final: true,
  execute: () => "The last word.",
});

/** The server's own tool, which a person has to approve. */
export const refund: Tool = tool({
  name: "refund",
  input: { type: "object", properties: { euros: { type: "number", default: 10 } } },
  approval: true,
  execute: (input) => `Refunded ${JSON.stringify(input)}.`,
});

/** A tool of the client. */
export const weather: OpenAITool = { name: "weather", description: "The weather.", input: cityInput };

/** An agent that answers from a script. */
export function scripted(turns: readonly TurnLike[], tools: readonly Tool[] = []): Agent {
  return new Agent({ name: "Host", model: new ScriptedModel(turns), tools: [...tools] });
}

/** A call, as scripts have them. */
export function call(
  toolName: string,
  args: Readonly<Record<string, string | number>> = {},
): ScriptedToolCall {
  return { toolName, arguments: args };
}

const usage = { inputTokens: 7, outputTokens: 3, cachedInputTokens: 2, reasoningTokens: 1 };

function team(): Agent {
  const refunds = new Agent({ name: "Refunds", model: new ScriptedModel(["You get it back."]) });
  return new Agent({
    name: "Triage",
    model: new ScriptedModel([{ toolCalls: [call("transfer_to_refunds")] }]),
    handoffs: [refunds],
  });
}

function withAgentWithin(): Agent {
  const expert = new Agent({
    name: "Expert",
    description: "Knows it.",
    model: new ScriptedModel([{ text: "Words of the expert.", chunkSize: 4 }]),
  });
  return new Agent({
    name: "Host",
    model: new ScriptedModel([{ toolCalls: [call("expert", { input: "Well?" })] }, "The expert is sure."]),
    tools: [expert.asTool({ name: "expert" })],
  });
}

function typed(turns: readonly TurnLike[], supportsOutput: boolean): Agent {
  const model = new ScriptedModel(turns, { supportsOutput });
  return new Agent({ name: "Clerk", model, output: numberSchema });
}

/** A run, and whether it has an output. */
export interface Scenario {
  readonly title: string;
  readonly agentOf: () => Agent;
  readonly isTyped: boolean;
}

/** Runs whose answer is that of `run`, each with a new agent. */
export const scenarios: readonly Scenario[] = (
  [
    ["text in pieces", () => scripted([{ text: "Hello, wörld! 🪿 How are you?", chunkSize: 3, usage }])],
    ["no text", () => scripted([{ text: "" }])],
    [
      "an own call",
      () =>
        scripted(
          [
            { toolCalls: [call("lookUp", { city: "Oslo" })], usage },
            { text: "Found.", usage },
          ],
          [lookUp],
        ),
    ],
    [
      "two own calls at once",
      () =>
        scripted(
          [{ toolCalls: [call("lookUp", { city: "A" }), call("lookUp", { city: "B" })] }, "Both."],
          [lookUp],
        ),
    ],
    ["a tool that fails", () => scripted([{ toolCalls: [call("failing")] }, "It is broken."], [failing])],
    [
      "a call that is corrected",
      () =>
        scripted(
          [
            { toolCalls: [call("lookUp", { town: 1 })] },
            { toolCalls: [call("lookUp", { city: "B" })] },
            "B.",
          ],
          [lookUp],
        ),
    ],
    ["a tool with the last word", () => scripted([{ toolCalls: [call("lastWord")] }], [lastWord])],
    ["reasoning", () => scripted([{ reasoning: "planted-secret-thought", text: "So it is.", chunkSize: 5 }])],
    ["a handoff", team],
    ["an agent as a tool", withAgentWithin],
    ["an output", () => typed([{ text: '{"total":12.5}', chunkSize: 3 }], true), true],
    [
      "an output that is corrected",
      () => typed([{ text: '{"total":"x"}', chunkSize: 3 }, '{"total":1}'], true),
      true,
    ],
    [
      "an output as a call",
      () =>
        typed(
          [{ text: "Well:", toolCalls: [{ toolName: "final_answer", arguments: '{"total":3}' }] }],
          false,
        ),
      true,
    ],
    ["an output as text", () => typed(["{}", '{"total":4}'], false), true],
  ] as const
).map(([title, agentOf, isTyped = false]: readonly [string, () => Agent, boolean?]) => ({
  title,
  agentOf,
  isTyped,
}));
