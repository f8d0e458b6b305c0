import { Agent, tool } from "skein";
import { ScriptedModel, type ScriptedToolCall } from "skein/testing";
import type { Team, Turns } from "./test-clerk.ts";

/** Adds two numbers. */
const add = tool({
  name: "add",
  description: "Adds.",
  input: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  execute: (input: { a: number; b: number }) => input.a + input.b,
});

/** The data of a failure that is worth another attempt at once. */
export const busy = { provider: "test", modelId: "test", retryAfter: 1 };

/** A call that adds. */
export const addition: ScriptedToolCall = { toolName: "add", arguments: { a: 1, b: 2 } };

/** An agent that adds, and its model. */
export function calculator(turns: Turns = [{ toolCalls: [addition] }, "3"]): Pick<Team, "agent" | "model"> {
  const model = new ScriptedModel(turns);
  return { model, agent: new Agent({ name: "Calculator", model, tools: [add] }) };
}
