import { expect } from "vitest";
import {
  Agent,
  result,
  tool,
  type Message,
  type Model,
  type ModelSettings,
  type RunResult,
  type Tool,
  type ToolResult,
} from "skein";

/** The codes that only the tool knows: an answer that has one has read the tool's result. */
export const codes: Readonly<Record<"heron" | "crane", string>> = { heron: "K7-4492", crane: "Q3-8115" };

/** Why the archive's tool fails. */
export const closed = "The archive is closed until Thursday.";

/** What the refunds agent says of every item. */
export const receipt = "R-20417";

/** What the user shows. */
export const redSquare: string =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAS0lEQVR42u3PQQkAAAgAsetfWiP4FgYrsKZeS0BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEDgsqnc8OJg6Ln3AAAAAElFTkSuQmCC";
/** What the camera sees. */
export const blueSquare: string =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAS0lEQVR42u3PQQkAAAgAsetfWiP4FgYrsGqeExAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBA4LMf88OL0EKXAAAAAAElFTkSuQmCC";

const none = { type: "object", properties: {}, additionalProperties: false } as const;

/** Knows the codes. */
export const lookUpCode: Tool<{ bird: string }> = tool<{ bird: string }>({
  name: "look_up_code",
  description: "Gives the secret code of a bird.",
  input: {
    type: "object",
    properties: { bird: { type: "string", enum: Object.keys(codes), description: "The bird" } },
    required: ["bird"],
    additionalProperties: false,
  },
  execute: ({ bird }) => ({ bird, code: bird === "crane" ? codes.crane : codes.heron }),
});

/** Always fails. */
export const openArchive: Tool = tool<unknown>({
  name: "open_archive",
  description: "Opens the archive. It takes no arguments.",
  input: none,
  execute: () => {
    throw new Error(closed);
  },
});

/** Gives back an image and no text. */
export const takePhoto: Tool = tool<unknown>({
  name: "take_photo",
  description: "Takes a photo of what is in front of the camera and gives back the image.",
  input: none,
  execute: () => result({ content: [{ type: "image", url: blueSquare }] }),
});

/** Belongs to the refunds agent. */
export const refundItem: Tool<{ item: number }> = tool<{ item: number }>({
  name: "refund_item",
  description: "Refunds an item and gives back the number of the receipt.",
  input: {
    type: "object",
    properties: { item: { type: "integer", description: "The number of the item" } },
    required: ["item"],
    additionalProperties: false,
  },
  execute: ({ item }) => `Item ${item} is refunded. Receipt: ${receipt}`,
});

/** Said to every agent. */
export const instructions: string = "You are terse. Use your tools where they serve, never guess a code.";
/** Enough for reasoning and a short answer. */
export const settings: ModelSettings = { maxOutputTokens: 4000 };

/** An agent that can look codes up. */
export function librarian(model: Model): Agent {
  return new Agent({ name: "Librarian", instructions, model, tools: [lookUpCode], settings });
}

/** Some models take a forced toolChoice for an error: then it is sent as auto, with a warning. */
export function cannotForce(warnings: readonly string[]): boolean {
  return warnings.some((warning) => warning.includes("toolChoice is sent as auto"));
}

/** The results of a run's calls, in order. */
export function resultsIn({ messages }: RunResult): ToolResult[] {
  return messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
}

/** Every call has exactly one result, in the order of the calls, before anybody else speaks. */
export function expectAnswered(messages: readonly Message[]): void {
  const open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      expect(message.result.toolCallId).toBe(open.shift());
      continue;
    }
    expect(open).toEqual([]);
    if (message.role === "assistant") open.push(...message.toolCalls.map(({ toolCallId }) => toolCallId));
  }
  expect(open).toEqual([]);
}
