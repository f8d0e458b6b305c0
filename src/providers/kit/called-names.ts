import type { ModelRequest } from "../../model/types.ts";

/** The names of all tools that a request speaks of: those it offers, the one it forces, and those its history called. */
export function namesIn({ tools = [], toolChoice, messages }: ModelRequest): string[] {
  return [
    ...tools.map(({ name }) => name),
    ...(typeof toolChoice === "object" ? [toolChoice.tool] : []),
    ...namesCalled(messages),
  ];
}

/** The names of the tools that a history called, one for each call. */
export function namesCalled(messages: ModelRequest["messages"]): string[] {
  return messages.flatMap((message) =>
    message.role === "assistant" ? message.toolCalls.map(({ toolName }) => toolName) : [],
  );
}
