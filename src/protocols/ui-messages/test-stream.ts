import {
  readUIMessageStream,
  type UIMessage as AiMessage,
  type UIMessageChunk as AiChunk,
  uiMessageChunkSchema,
} from "ai";
import { expect } from "vitest";
import { isObject } from "../../base/util/json.ts";
import type { RunEventSource } from "../kit/source.ts";
import type { UIMessageChunk } from "./chunks.ts";
import type { UIMessageChunkOptions } from "./options.ts";
import { toUIMessageChunks } from "./to-ui-message-chunks.ts";

/**
 * The properties that clients of earlier versions accept: they refuse a chunk with any other.
 */
const keys: Readonly<Record<string, string>> = {
  start: "messageId messageMetadata",
  "start-step": "",
  "finish-step": "",
  "reset-step": "",
  "text-start": "id",
  "text-delta": "id delta",
  "text-end": "id",
  "reasoning-start": "id",
  "reasoning-delta": "id delta",
  "reasoning-end": "id",
  file: "url mediaType",
  "tool-input-start": "toolCallId toolName",
  "tool-input-delta": "toolCallId inputTextDelta",
  "tool-input-available": "toolCallId toolName input",
  "tool-input-error": "toolCallId toolName input errorText",
  "tool-approval-request": "approvalId toolCallId",
  "tool-approval-response": "approvalId approved",
  "tool-output-available": "toolCallId output preliminary",
  "tool-output-error": "toolCallId errorText",
  "tool-output-denied": "toolCallId",
  "steering-message": "id parts",
  "data-handoff": "data",
  "data-agent": "id data",
  "message-metadata": "messageMetadata",
  finish: "finishReason messageMetadata",
  abort: "reason",
  error: "errorText",
};

/** Checks a chunk with the AI SDK's schema, and that it has no other properties. */
async function expectValidChunk(chunk: UIMessageChunk): Promise<void> {
  const validated = await uiMessageChunkSchema().validate?.(JSON.parse(JSON.stringify(chunk)));
  if (validated?.success !== true) expect.fail(`${JSON.stringify(chunk)}: ${String(validated?.error)}`);
  const allowed = new Set(["type", ...(keys[chunk.type] ?? "").split(" ")]);
  const unknown = Object.keys(chunk).filter((key) => !allowed.has(key));
  if (unknown.length > 0 || keys[chunk.type] === undefined)
    expect.fail(`${JSON.stringify(chunk)} has ${unknown.join(", ")}`);
}

/** All chunks of a run, each of them valid. */
export async function chunksOf(
  source: RunEventSource,
  options: UIMessageChunkOptions = {},
): Promise<UIMessageChunk[]> {
  const chunks: UIMessageChunk[] = [];
  for await (const chunk of toUIMessageChunks(source, options)) {
    await expectValidChunk(chunk);
    chunks.push(chunk);
  }
  return chunks;
}

/** The message that the AI SDK's client builds of chunks, or goes on with; what it cannot read fails the test. */
export async function messageOf(chunks: readonly UIMessageChunk[], message?: AiMessage): Promise<AiMessage> {
  let last = message;
  const problems: unknown[] = [];
  const messages = readUIMessageStream({
    ...(message && { message: structuredClone(message) }),
    stream: asReceived(chunks),
    onError: (error) => problems.push(error),
  });
  for await (const each of messages) last = each;
  const expected = chunks.flatMap((chunk) => (chunk.type === "error" ? [chunk.errorText] : []));
  expect(problems.map((problem) => (problem instanceof Error ? problem.message : problem))).toEqual(expected);
  return last ?? expect.fail("no message");
}

/** Chunks as they come out of a response. */
function asReceived(chunks: readonly UIMessageChunk[]): ReadableStream<AiChunk> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(JSON.parse(JSON.stringify(chunk)));
      controller.close();
    },
  });
}

/** The text of a message's last step: what `result.text` is. */
export function lastText({ parts }: Pick<AiMessage, "parts">): string {
  const start = parts.findLastIndex(({ type }) => type === "step-start");
  return parts
    .slice(start + 1)
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("");
}

/** What a person sees of a message: its parts without ids of its own. */
export function visible({ parts }: Pick<AiMessage, "parts">): readonly object[] {
  return parts.flatMap((part): readonly object[] => {
    if (part.type === "data-agent") return [];
    const { rawInput, title, preliminary, providerExecuted, approval, id, ...rest }: Record<string, unknown> =
      {
        ...JSON.parse(JSON.stringify(part)),
      };
    const approvalId =
      isObject(approval) && rest["state"] === "approval-requested" ? approval["id"] : undefined;
    return [{ ...rest, ...(approvalId !== undefined && { approvalId }) }];
  });
}
