import { expect } from "vitest";
import { Agent, generate, generateStream, run, stream, type Model } from "skein";
import {
  cannotForce,
  closed,
  codes,
  expectAnswered,
  instructions,
  librarian,
  lookUpCode,
  openArchive,
  receipt,
  redSquare,
  refundItem,
  resultsIn,
  settings,
  takePhoto,
} from "./scenario-kit.ts";

/** What every provider must be able to do; each name is a scenario. */
export type ScenarioName =
  | "answer"
  | "stream"
  | "one-call"
  | "parallel-calls"
  | "failing-tool"
  | "handoff"
  | "required"
  | "none"
  | "named"
  | "user-image"
  | "result-image"
  | "usage"
  | "length"
  | "abort"
  | "generate-stream"
  | "resume"
  | "reasoning";

/** One thing that a provider must be able to do, tried through the public API. Any capable model passes, real or not. */
export interface Scenario {
  readonly title: string;
  readonly play: (model: Model) => Promise<void>;
}

/** Each scenario by its name. */
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  answer: {
    title: "a question gets a text as its answer",
    play: async (model) => {
      const agent = new Agent({ name: "Echo", instructions, model, settings });
      const outcome = await run(agent, "Reply with the single word: goose");
      expect(outcome).toMatchObject({ status: "completed", finishReason: "stop", turns: 1, warnings: [] });
      expect(outcome.text).toMatch(/goose/i);
      expect(outcome.messages).toMatchObject([{ role: "assistant", agent: "Echo", toolCalls: [] }]);
    },
  },
  stream: {
    title: "a streamed run gives the same text piece by piece",
    play: async (model) => {
      const agent = new Agent({ name: "Counter", instructions, model, settings });
      const running = stream(agent, "Count from 1 to 9 in digits, separated by spaces.");
      const pieces = await Array.fromAsync(running.text());
      const outcome = await running.result;
      expect(outcome.status).toBe("completed");
      expect(pieces.join("")).toBe(outcome.text);
      expect(outcome.text.replaceAll(/[\s,]+/g, " ")).toContain("1 2 3 4 5 6 7 8 9");
    },
  },
  "one-call": {
    title: "a tool is called and its result is in the answer",
    play: async (model) => {
      const outcome = await run(librarian(model), "What is the code of the heron?");
      expect(outcome.status).toBe("completed");
      expect(outcome.text).toContain(codes.heron);
      expectAnswered(outcome.messages);
      expect(resultsIn(outcome)[0]).toMatchObject({
        toolName: "look_up_code",
        outcome: "success",
        structuredContent: { bird: "heron", code: codes.heron },
      });
    },
  },
  "parallel-calls": {
    title: "several calls are answered each with its own result",
    play: async (model) => {
      const outcome = await run(
        librarian(model),
        "What are the codes of the heron and of the crane? Ask for both at once.",
      );
      expect(outcome.status).toBe("completed");
      expect(outcome.text).toContain(codes.heron);
      expect(outcome.text).toContain(codes.crane);
      expectAnswered(outcome.messages);
      const values = resultsIn(outcome).map(({ structuredContent }) => structuredContent);
      expect(values).toContainEqual({ bird: "heron", code: codes.heron });
      expect(values).toContainEqual({ bird: "crane", code: codes.crane });
    },
  },
  "failing-tool": {
    title: "a tool that fails is no end of the run: the model is told and says so",
    play: async (model) => {
      const agent = new Agent({ name: "Archivist", instructions, model, tools: [openArchive], settings });
      const outcome = await run(agent, "Open the archive once. If you cannot, tell me why, in one sentence.");
      expect(outcome.status).toBe("completed");
      expect(resultsIn(outcome)[0]).toMatchObject({ isError: true, outcome: "error" });
      expect(JSON.stringify(resultsIn(outcome)[0]?.content)).toContain(closed);
      expect(outcome.text).toMatch(/thursday/i);
    },
  },
  handoff: {
    title: "an agent hands over to another, who goes on with the whole conversation",
    play: async (model) => {
      const refunds = new Agent({
        name: "Refunds",
        description: "Refunds items.",
        instructions: "Refund the item that the user names and tell the receipt's number.",
        tools: [refundItem],
        settings,
      });
      const triage = new Agent({
        name: "Triage",
        instructions: "Never solve anything yourself: hand over to the agent in charge.",
        model,
        handoffs: [refunds],
        settings,
      });
      const outcome = await run(triage, "I want a refund for item 2.");
      expect(outcome.status).toBe("completed");
      expect(outcome.agent.name).toBe("Refunds");
      expect(outcome.text).toContain(receipt);
      expectAnswered(outcome.messages);
      const speakers = outcome.messages.flatMap((message) =>
        message.role === "assistant" ? [message.agent] : [],
      );
      expect(speakers[0]).toBe("Triage");
      expect(speakers.at(-1)).toBe("Refunds");
    },
  },
  required: {
    title: "toolChoice required forces the first call only, or the run says that it cannot",
    play: async (model) => {
      const agent = librarian(model).with({ toolChoice: "required" });
      const outcome = await run(agent, "Say hello.");
      expect(outcome.status).toBe("completed");
      expectAnswered(outcome.messages);
      if (cannotForce(outcome.warnings)) return;
      expect(outcome.messages[0]).toMatchObject({
        role: "assistant",
        toolCalls: [{ toolName: "look_up_code" }],
      });
    },
  },
  none: {
    title: "toolChoice none keeps the model from calling tools",
    play: async (model) => {
      const generation = await generate(model, {
        instructions,
        messages: "What is the code of the heron? If you cannot know, say so in one sentence.",
        tools: [lookUpCode],
        toolChoice: "none",
        settings,
      });
      expect(generation).toMatchObject({ toolCalls: [], finishReason: "stop", warnings: [] });
      expect(generation.text).not.toBe("");
    },
  },
  named: {
    title: "a named toolChoice forces that very tool, or the answer says that it cannot",
    play: async (model) => {
      const generation = await generate(model, {
        instructions,
        messages: "What is the code of the heron?",
        tools: [lookUpCode, openArchive],
        toolChoice: { tool: "open_archive" },
        settings,
      });
      const called = generation.toolCalls.map(({ toolName }) => toolName);
      expect(called[0]).toBe(cannotForce(generation.warnings) ? "look_up_code" : "open_archive");
    },
  },
  "user-image": {
    title: "a model sees the image in a user's message",
    play: async (model) => {
      const agent = new Agent({ name: "Painter", instructions, model, settings });
      const outcome = await run(agent, [
        {
          role: "user",
          content: [
            { type: "text", text: "Which colour is this square? One word." },
            { type: "image", url: redSquare },
          ],
        },
      ]);
      expect(outcome.status).toBe("completed");
      expect(outcome.text).toMatch(/red/i);
    },
  },
  "result-image": {
    title: "a model sees the image in a tool's result",
    play: async (model) => {
      const agent = new Agent({ name: "Painter", instructions, model, tools: [takePhoto], settings });
      const outcome = await run(agent, "Take a photo and tell me the colour of what it shows. One word.");
      expect(outcome.status).toBe("completed");
      expect(outcome.text).toMatch(/blue/i);
      expectAnswered(outcome.messages);
    },
  },
  usage: {
    title: "usage is reported for each answer and summed up over a run",
    play: async (model) => {
      const { usage } = await generate(model, { messages: "Reply with the single word: goose", settings });
      const { inputTokens = 0, outputTokens = 0, totalTokens = 0 } = usage;
      expect(inputTokens).toBeGreaterThan(0);
      expect(outputTokens).toBeGreaterThan(0);
      expect(totalTokens).toBe(inputTokens + outputTokens);
      const outcome = await run(librarian(model), "What is the code of the heron?");
      expect(outcome.turns).toBeGreaterThan(1);
      expect(outcome.usage.totalTokens).toBeGreaterThan(totalTokens);
      expect(outcome.state.usage).toEqual(outcome.usage);
    },
  },
  length: {
    title: "an answer that reaches its limit is incomplete, not an error",
    play: async (model) => {
      const agent = new Agent({ name: "Novelist", model, settings: { maxOutputTokens: 16 } });
      const outcome = await run(agent, "Write a story of a thousand words about geese.");
      expect(outcome).toMatchObject({ status: "incomplete", finishReason: "length", turns: 1 });
      expect(outcome.rawFinishReason).toEqual(expect.any(String));
    },
  },
  abort: {
    title: "a run that is cancelled in the middle of its answer leaves a history that goes on",
    play: async (model) => {
      const agent = new Agent({ name: "Novelist", instructions, model, settings });
      const running = stream(agent, "Write a story of a thousand words about geese.");
      for await (const { type } of running) {
        if (type === "text-delta" || type === "reasoning-delta") running.cancel();
      }
      const outcome = await running.result;
      expect(outcome).toMatchObject({ status: "cancelled", finishReason: "cancelled", pending: [] });
      const again = await run(agent, [
        ...outcome.state.messages,
        { role: "user", content: "Never mind. Reply with the single word: goose" },
      ]);
      expect(again.status).toBe("completed");
      expect(again.text).toMatch(/goose/i);
    },
  },
  "generate-stream": {
    title: "generate and generateStream give one answer whole and in pieces",
    play: async (model) => {
      const request = {
        instructions,
        messages: "Count from 1 to 9 in digits, separated by spaces.",
        settings,
      };
      const whole = await generate(model, request);
      expect(whole).toMatchObject({ finishReason: "stop", toolCalls: [], message: { role: "assistant" } });
      expect(whole.response.id).toEqual(expect.any(String));
      expect(whole.response.modelId).not.toBe("");
      expect(whole.timing.firstTokenMs).toBeLessThanOrEqual(whole.timing.totalMs);
      const events = await Array.fromAsync(generateStream(model, request));
      const last = events.at(-1);
      expect(last?.type).toBe("finish");
      expect(events.filter(({ type }) => type === "finish")).toHaveLength(1);
      const text = events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
      expect(last?.type === "finish" && last.generation.text).toBe(text);
      for (const answer of [whole.text, text]) {
        expect(answer.replaceAll(/[\s,]+/g, " ")).toContain("1 2 3 4 5 6 7 8 9");
      }
    },
  },
  resume: {
    title: "a paused run goes on with results made elsewhere",
    play: async (model) => {
      const agent = librarian(model);
      const paused = await run(agent, "What is the code of the heron?", { executeTools: false });
      expect(paused).toMatchObject({ status: "paused", finishReason: "tool-calls" });
      expect(paused.pending.length).toBeGreaterThan(0);
      const state: typeof paused.state = JSON.parse(JSON.stringify(paused.state));
      const results = paused.pending.map(({ toolCallId }) => ({ toolCallId, content: { code: "Z9-0001" } }));
      const outcome = await run(agent, state, { results });
      expect(outcome.status).toBe("completed");
      expect(outcome.text).toContain("Z9-0001");
      expectAnswered(outcome.state.messages);
    },
  },
  reasoning: {
    title: "reasoning goes back to its provider within a turn and in the next one",
    play: async (model) => {
      const agent = librarian(model).with({ settings: { reasoningEffort: "low", maxOutputTokens: 8000 } });
      const first = await run(
        agent,
        "Look up the code of the heron. Then add up the digits of the code, and tell me the code and the sum.",
      );
      expect(first.status).toBe("completed");
      expect(first.text).toContain(codes.heron);
      const second = await run(agent, [
        ...first.state.messages,
        { role: "user", content: "Now do the same for the crane." },
      ]);
      expect(second.status).toBe("completed");
      expect(second.text).toContain(codes.crane);
      expectAnswered(second.state.messages);
    },
  },
};
