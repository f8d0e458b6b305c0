import { tool, type Tool } from "../../index.ts";
import type { ScriptedToolCall } from "../../testing/index.ts";

const input = {
  type: "object",
  properties: { n: { type: "number", default: 3 } },
} as const;

/** Doubles a number. */
export const double: Tool = tool({
  name: "double",
  description: "Double a number.",
  input,
  execute: ({ n }: { n: number }) => ({ result: n * 2 }),
});

/** Throws words that no client may see. */
export const failing: Tool = tool({
  name: "failing",
  description: "Fail.",
  input,
  execute: () => {
    throw new Error("password hunter2");
  },
});

/** Waits for a person. */
export const refund: Tool = tool({
  name: "refund",
  description: "Refund an order.",
  input,
  approval: true,
  execute: ({ n }: { n: number }) => `Refunded ${n}.`,
});

/** Is executed by the client. */
export const askUser: Tool = tool({ name: "askUser", description: "Ask the user.", input });

/** A call as `ScriptedModel` takes it. */
export function call(toolName: string, args: object | string = { n: 2 }): ScriptedToolCall {
  return { toolName, arguments: typeof args === "string" ? args : { ...args } };
}
