/**
 * The protocol, which nobody else speaks. A request is a POST of `{ system, said, tools }`, `said` being what was said so far.
 * The answer is lines of JSON: `{ "text" }` for a piece of text, `{ "call" }` for a call of a tool, and at last `{ "end" }`.
 */
import type { Message, Part, ToolCall, ToolSpec } from "skein";
import { z } from "zod";

/** What a request says. */
export interface Request {
  readonly system: string;
  readonly said: readonly Said[];
  readonly tools: readonly ToolSpec[];
}

/** Something that was said, as text. */
export type Said =
  | { readonly from: "user" | "system"; readonly text: string }
  | { readonly from: "assistant"; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly from: "tool"; readonly text: string; readonly id: string; readonly name: string };

/** A line of an answer. */
export type Line = { readonly text: string } | { readonly call: ToolCall } | { readonly end: string };

const text = z.string();
const call = z.object({ toolCallId: text, toolName: text, arguments: text });

/** What a line has to look like. */
export const lineForm: z.ZodType<Line> = z.union([
  z.object({ text }),
  z.object({ call }),
  z.object({ end: text }),
]);

/** What a request has to look like. */
export const requestForm: z.ZodType<Request> = z.object({
  system: text,
  said: z.array(
    z.union([
      z.object({ from: z.enum(["user", "system"]), text }),
      z.object({ from: z.literal("assistant"), text, calls: z.array(call) }),
      z.object({ from: z.literal("tool"), text, id: text, name: text }),
    ]),
  ),
  tools: z.array(
    z.object({ name: text, description: text.default(""), inputSchema: z.record(text, z.unknown()) }),
  ),
});

/** A message as the protocol has it: text alone. */
export function toSaid(message: Message): Said {
  if (message.role === "assistant") {
    return { from: "assistant", text: textOf(message.content), calls: message.toolCalls };
  }
  if (message.role !== "tool") return { from: message.role, text: textOf(message.content) };
  const { toolCallId, toolName, content } = message.result;
  return { from: "tool", text: textOf(content), id: toolCallId, name: toolName };
}

/** What was said as a message. */
export function toMessage(said: Said): Message {
  const { from, text } = said;
  const content = text === "" ? [] : [{ type: "text" as const, text }];
  if (from === "assistant") {
    const calls = said.calls.map(({ toolCallId }) => ({ type: "tool-call" as const, toolCallId }));
    return { role: from, content: [...content, ...calls], toolCalls: said.calls };
  }
  if (from !== "tool") return { role: from, content: text };
  const { id: toolCallId, name: toolName } = said;
  return { role: from, result: { toolCallId, toolName, content, isError: false, outcome: "success" } };
}

/**
 * The lines of an answer, `undefined` for what is none.
 * @param broken - Throws, if the connection breaks.
 */
export async function* readLines(
  body: Response["body"],
  broken: (cause: unknown) => never,
): AsyncGenerator<Line | undefined, void> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let rest = "";
  try {
    for (;;) {
      const { done = true, value } = (await reader?.read().catch(broken)) ?? {};
      const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield parsed(line);
      if (done) break;
    }
    if (rest !== "") yield parsed(rest);
  } finally {
    // A client that stops reading closes the connection.
    await reader?.cancel().catch(() => undefined);
  }
}

function parsed(line: string): Line | undefined {
  try {
    return lineForm.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function textOf(content: string | readonly (Part | { readonly type: string })[]): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => ("text" in part && part.type === "text" ? [part.text] : [])).join("\n");
}
