import { createOpenAI } from "@ai-sdk/openai";
import * as agents from "@openai/agents";
import { jsonSchema, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { shout, shoutDescription, shoutSchema } from "../shout.ts";

const mostTurns = 1_000;

/** @param {string} baseURL */
export function withAiSdk(baseURL) {
  const model = createOpenAI({ baseURL, apiKey: "key" }).chat("gpt");
  const inputSchema = jsonSchema(shoutSchema);
  const tools = {
    shout: tool({ description: shoutDescription, inputSchema, execute: ({ text }) => shout(text) }),
  };
  const options = { model, instructions: "Shout.", prompt: "go", tools, stopWhen: stepCountIs(mostTurns) };
  return async () => {
    for await (const _ of streamText(options).fullStream);
  };
}

/** @param {string} baseURL */
export function withOpenAIAgents(baseURL) {
  agents.setTracingDisabled(true);
  const model = new agents.OpenAIChatCompletionsModel(new OpenAI({ baseURL, apiKey: "key" }), "gpt");
  const tools = [
    agents.tool({
      name: "shout",
      description: shoutDescription,
      parameters: { ...shoutSchema, additionalProperties: false },
      strict: false,
      execute: ({ text }) => shout(text),
    }),
  ];
  const agent = new agents.Agent({ name: "Bench", instructions: "Shout.", model, tools });
  return async () => {
    const running = await agents.run(agent, "go", { stream: true, maxTurns: mostTurns });
    for await (const _ of running);
    await running.completed;
  };
}
