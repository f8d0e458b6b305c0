import type { ModelRequest } from "../../model/types.ts";

/** The names of all tools in a request: those it offers, the one it forces, and those called in its history. */
export function collectToolNames({ tools = [], toolChoice, messages }: ModelRequest): string[] {
  return [
    ...tools.map(({ name }) => name),
    ...(typeof toolChoice === "object" ? [toolChoice.tool] : []),
    ...collectCalledNames(messages),
  ];
}

/** The tool name of each call in a history. */
export function collectCalledNames(messages: ModelRequest["messages"]): string[] {
  return messages.flatMap((message) =>
    message.role === "assistant" ? message.toolCalls.map(({ toolName }) => toolName) : [],
  );
}
