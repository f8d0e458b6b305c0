import type { ToolResult } from "../message/messages.ts";
import type { Part, AssistantPart } from "../message/parts.ts";
import type { HostedCall } from "../model/hosted-call.ts";
import type { Generation } from "../model/types.ts";
import { citationsIn } from "../providers/kit/citations.ts";
import type { ModelStepInfo, StepInfo } from "../tool/step-middleware.ts";
import { readDocument } from "../schema/lenient/read-document.ts";

/** The value of a text of JSON, read as arguments are: what cannot be read so is not executed. */
export function readJson(text: string): unknown {
  const parsed = readDocument(text);
  return parsed.ok ? parsed.value : undefined;
}

/** The names and values of JSON, one to a line. */
export function textOfValue(value: unknown): string {
  const texts: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each === "object" && each !== null) {
      const entries = Object.entries(each).toReversed();
      for (const [name, member] of entries) open.push(member, ...(Array.isArray(each) ? [] : [name]));
    } else if (typeof each === "string") texts.push(each);
    else if (typeof each === "number" || typeof each === "boolean") texts.push(String(each));
  }
  return texts.join("\n");
}

/** The text of the parts that have any. */
export function textOfParts(parts: readonly (Part | AssistantPart)[], between = "\n"): string {
  return parts.flatMap((part) => (part.type === "text" ? part.text : [])).join(between);
}

/** What is judged of an answer. */
export type JudgedAnswer = Pick<Generation, "text" | "message">;

/**
 * What of an answer a user may read: its text, the arguments of the tool that takes an output, the output in either, and what it is based on.
 * @param hosted - The calls of the provider's own tools.
 */
export async function textOfAnswer(
  { text, message }: JudgedAnswer,
  hosted: Iterable<HostedCall>,
  info: ModelStepInfo,
): Promise<string> {
  // The one is the text of the run, the other stands in the history.
  const own = [text, textOfParts(message.content, "")];
  const outputs = message.toolCalls.filter(({ toolName }) => toolName === info.outputTool);
  const texts = new Set([...own, ...outputs.map((call) => call.arguments)].filter((each) => each !== ""));
  const isTyped = info.outputTool !== undefined;
  const read = isTyped ? await Promise.all([...texts].map((each) => withOutput(each, info))) : texts;
  return [...read, ...textsBeside(message.content, hosted)].join("\n");
}

/** What clients see beside the text of an answer: what it cites, and what the provider's own tools got and returned. */
function textsBeside(parts: readonly AssistantPart[], hosted: Iterable<HostedCall>): readonly string[] {
  const citations = citationsIn(parts).map(({ url, title, quote }) => textOfValue([url, title, quote]));
  const calls = Array.from(hosted, ({ tool: _, name: _name, id: _id, status: _status, ...rest }) =>
    textOfValue(rest),
  );
  return [...new Set([...citations, ...calls])].filter((each) => each !== "");
}

/** A text, and below it the names and values of its JSON, and of the output that the run takes from it: no escape hides any. */
export async function withOutput(text: string, info: StepInfo): Promise<string> {
  const output = textOfValue(await info.readOutput(text));
  const forms = new Set([text, textOfValue(readJson(text)), output]);
  return [...forms].filter((form) => form !== "").join("\n");
}

/** All that can be read of a result, what was cut off included. */
export function textOfResult({ content, structuredContent, truncated }: ToolResult): string {
  const texts = [textOfParts(content), textOfValue(structuredContent), truncated?.text ?? ""];
  return texts.filter((text) => text !== "").join("\n");
}
