import { Agent, type Model, tool } from "skein";
import { ScriptedModel, type ScriptedToolCall, type TurnLike } from "skein/testing";
import type { OfficialClient, Question } from "./client.ts";

/** One row of the table. */
export interface Scenario {
  readonly title: string;
  readonly agentOf: () => Agent;
  readonly question: Question;
  readonly needs?: OfficialClient["lacks"][number];
}

const answerSchema = {
  type: "object",
  properties: { total: { type: "number" } },
  required: ["total"],
  additionalProperties: false,
} as const;

/**
 * Look a city up.
 * @param city - Which
 */
function lookUp(city: string): string {
  return `${city} is a city.`;
}

/** Fail. */
function fail(): never {
  throw new Error("Out of order.");
}

/**
 * Pay money back.
 * @param euros - How much
 */
function refund(euros: number): string {
  return `Refunded ${euros} euros.`;
}

function call(toolName: string, args: Readonly<Record<string, string | number>> = {}): ScriptedToolCall {
  return { toolName, arguments: { ...args } };
}

function desk(
  turns: readonly TurnLike[],
  extras: Partial<ConstructorParameters<typeof Agent>[0]> = {},
): Agent {
  const tools = [lookUp, fail, tool(refund, { approval: true })];
  return new Agent({
    name: "Desk",
    description: "Answers.",
    model: new ScriptedModel(turns),
    tools,
    ...extras,
  });
}

/** Says what came of the last call. */
function refunding(): Agent {
  const first = new ScriptedModel([{ toolCalls: [call("refund", { euros: 80 })] }]);
  const model: Model = {
    provider: "test",
    modelId: "refunds",
    async *stream(request) {
      const last = request.messages.at(-1);
      if (last?.role !== "tool") return yield* first.stream(request);
      const { outcome, content } = last.result;
      const text = outcome === "success" ? JSON.stringify(content) : outcome;
      yield* new ScriptedModel([{ text, chunkSize: 7 }]).stream(request);
    },
  };
  return desk([], { model });
}

function handingOff(): Agent {
  const refunds = new Agent({
    name: "Refunds",
    model: new ScriptedModel([{ text: "You get it back.", chunkSize: 4 }]),
  });
  return desk([{ text: "One moment.", toolCalls: [call("transfer_to_refunds")] }], { handoffs: [refunds] });
}

function withExpert(): Agent {
  const expert = new Agent({
    name: "Expert",
    description: "Knows.",
    model: new ScriptedModel(["Words of the expert."]),
  });
  const turns = [
    { toolCalls: [call("expert", { input: "Well?" })] },
    { text: "The expert is sure.", chunkSize: 4 },
  ];
  return desk(turns, { tools: [expert.asTool({ name: "expert" })] });
}

const question: Question = { text: "Hello" };

/** The rows whose answer is that of `run`. */
export const answered: readonly Scenario[] = [
  { title: "text", agentOf: () => desk([{ text: "Hello, wörld! 🪿 How are you?", chunkSize: 3 }]), question },
  {
    title: "parallel calls",
    agentOf: () =>
      desk([
        {
          text: "Let me see.",
          toolCalls: [call("lookUp", { city: "Oslo" }), call("lookUp", { city: "Rome" })],
        },
        "Both are.",
      ]),
    question,
  },
  {
    title: "a failing call",
    agentOf: () => desk([{ toolCalls: [call("fail")] }, "It is broken."]),
    question,
  },
  {
    title: "a correction",
    agentOf: () =>
      desk([
        { toolCalls: [call("lookUp", { town: 1 })] },
        { toolCalls: [call("lookUp", { city: "Rome" })] },
        "It is.",
      ]),
    question,
  },
  { title: "a handoff", agentOf: handingOff, question },
  { title: "an agent as a tool", agentOf: withExpert, question },
  {
    title: "an approval: approve",
    agentOf: refunding,
    question: { ...question, verdict: "approve" },
    needs: "decision",
  },
  {
    title: "an approval: deny",
    agentOf: refunding,
    question: { ...question, verdict: "deny" },
    needs: "decision",
  },
  {
    title: "an approval: edit",
    agentOf: refunding,
    question: { ...question, verdict: { edited: { euros: 40 } } },
    needs: "edit",
  },
  {
    title: "an output of the agent",
    agentOf: () => desk([{ text: '{"total":12.5}', chunkSize: 3 }], { output: answerSchema }),
    question,
  },
  {
    title: "an output of the client",
    agentOf: () => desk([{ text: '{"total":"x"}' }, { text: '{"total":3}' }]),
    question: { ...question, output: answerSchema },
    needs: "typed output",
  },
  {
    title: "an image",
    agentOf: () => desk(["A goose."]),
    question: { ...question, image: "aGk=" },
    needs: "image",
  },
];

/** An agent whose provider fails behind the first text. */
export function failing(): Agent {
  return desk([
    { text: "Half an ans", chunkSize: 5, error: new Error("planted-words-of-the-provider"), errorAfter: 1 },
  ]);
}

/** An agent that stops behind its first text, until it is let go or its run is cancelled. */
export function interruptible(): {
  readonly agent: Agent;
  readonly goOn: () => void;
  readonly spoken: Promise<void>;
  readonly stopped: Promise<void>;
} {
  const going = Promise.withResolvers<void>();
  const speaking = Promise.withResolvers<void>();
  const stopping = Promise.withResolvers<void>();
  const scripted = new ScriptedModel([{ text: "One, two, three.", chunkSize: 5 }]);
  const model: Model = {
    provider: "test",
    modelId: "slow",
    async *stream(request) {
      let texts = 0;
      for await (const event of scripted.stream(request)) {
        yield event;
        if (event.type !== "text-delta" || texts++ > 0) continue;
        speaking.resolve();
        request.signal?.addEventListener("abort", () => stopping.resolve());
        await Promise.race([going.promise, stopping.promise]);
      }
    },
  };
  return {
    agent: desk([], { model }),
    goOn: going.resolve,
    spoken: speaking.promise,
    stopped: stopping.promise,
  };
}
