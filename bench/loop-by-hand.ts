import type { Message, Model, ToolCall, ToolSpec } from "skein";
import { shout, shoutSchema } from "./shout.ts";

const tools: readonly ToolSpec[] = [{ name: "shout", inputSchema: shoutSchema }];

/** The loop as one writes it for one model and one tool, without a check or a limit. */
export async function loopByHand(model: Model): Promise<string> {
  const messages: Message[] = [{ role: "user", content: "go" }];
  for (;;) {
    for await (const event of model.stream({ instructions: "Shout.", messages, tools })) {
      if (event.type !== "finish") continue;
      const { text, message, toolCalls } = event.generation;
      messages.push(message);
      if (toolCalls.length === 0) return text;
      for (const call of toolCalls) messages.push(await answer(call));
    }
  }
}

async function answer({ toolCallId, toolName, arguments: input }: ToolCall): Promise<Message> {
  const text = await shout(JSON.parse(input).text);
  const content = [{ type: "text", text } as const];
  return { role: "tool", result: { toolCallId, toolName, content, isError: false, outcome: "success" } };
}
