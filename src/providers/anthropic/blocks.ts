import type { GenerationBuilder } from "../../model/generation-builder.ts";
import type { PostAnswer } from "../../model/http.ts";
import type { ModelEvent } from "../../model/types.ts";
import type { JsonObject, JsonValue } from "../../base/util/json.ts";
import type { AnswerCalls } from "../kit/answer-calls.ts";
import { readAnthropicCall } from "../kit/hosted-calls/anthropic.ts";
import { hostedEvents, type OpenCalls } from "../kit/hosted-calls/shape.ts";
import type { ToolNames } from "../kit/tool-names.ts";
import { argumentsPiece, isJsonObject, stringIn, textPiece } from "../kit/json-values.ts";
import { type ReplayedBlock } from "./wire.ts";

/** What the blocks of an answer write to. */
export interface BlockTarget {
  readonly provider: string;
  readonly builder: GenerationBuilder;
  readonly names: ToolNames;
  readonly calls: AnswerCalls;
  /** The calls of the API's own tools that have no result yet. */
  readonly openCalls: OpenCalls;
  readonly answer: Pick<PostAnswer, "malformed">;
  /** Whether a call has ended without any piece of its input. */
  hasEmptyInput: boolean;
  emit(event: ModelEvent): void;
}

/** A content block that is being received. */
export interface OpenBlock {
  /** Adds a piece to the block. */
  delta(delta: ReplayedBlock): void;
  /** Completes the block. */
  stop(): void;
}

/** Opens a block with its `content_block_start`, which may already have all of its content. */
export function openBlock(index: number, block: ReplayedBlock, target: BlockTarget): OpenBlock {
  switch (block.type) {
    case "text":
      return textBlock(block, target);
    case "thinking":
      return thinkingBlock(block, target);
    case "redacted_thinking":
      return wholeBlock(() =>
        target.builder.part({ type: "reasoning", text: "", providerData: dataOf(target, block) }),
      );
    case "tool_use":
      return toolUseBlock(index, block, target);
    default:
      return providerBlock(block, target);
  }
}

function dataOf({ provider }: BlockTarget, data: JsonObject): { provider: string; data: JsonObject } {
  return { provider, data };
}

function wholeBlock(stop: () => void): OpenBlock {
  return { delta: () => undefined, stop };
}

function textBlock(block: ReplayedBlock, target: BlockTarget): OpenBlock {
  const { builder, answer } = target;
  const citations: JsonValue[] = isArray(block["citations"]) ? [...block["citations"]] : [];
  const add = (piece: JsonValue | undefined): void => {
    const text = textPiece(piece, answer);
    if (text !== "") target.emit(builder.text(text));
  };
  builder.endPart();
  add(block["text"]);
  return {
    delta: (delta) => {
      if (delta.type === "text_delta") add(delta["text"]);
      if (delta.type === "citations_delta" && delta["citation"] !== undefined)
        citations.push(delta["citation"]);
    },
    stop: () => builder.endPart(citations.length > 0 ? dataOf(target, { citations }) : undefined),
  };
}

function thinkingBlock(
  { type, thinking, signature: start, ...rest }: ReplayedBlock,
  target: BlockTarget,
): OpenBlock {
  const { builder } = target;
  let hasText = false;
  let signature = typeof start === "string" && start !== "" ? start : undefined;
  const add = (piece: JsonValue | undefined): void => {
    const text = textPiece(piece, target.answer);
    if (text === "") return;
    hasText = true;
    target.emit(builder.reasoning(text));
  };
  builder.endPart();
  add(thinking);
  return {
    delta: (delta) => {
      if (delta.type === "thinking_delta") add(delta["thinking"]);
      if (delta.type === "signature_delta")
        signature = (signature ?? "") + (stringIn(delta, "signature") ?? "");
    },
    stop: () => {
      const providerData = signature === undefined ? undefined : dataOf(target, { type, signature, ...rest });
      if (hasText) builder.endPart(providerData);
      else if (providerData) builder.part({ type: "reasoning", text: "", providerData });
    },
  };
}

/** Pieces that are never of a call's arguments. */
const piecesOfOtherBlocks: ReadonlySet<string> = new Set([
  "citations_delta",
  "thinking_delta",
  "signature_delta",
  "compaction_delta",
]);

function toolUseBlock(
  index: number,
  { type: _, id, name, input, ...rest }: ReplayedBlock,
  target: BlockTarget,
): OpenBlock {
  const { builder, calls } = target;
  const toolName = target.names.fromWire(typeof name === "string" ? name : "");
  const providerData = Object.keys(rest).length > 0 ? dataOf(target, rest) : undefined;
  calls.start(index, typeof id === "string" ? id : "", toolName, providerData);
  let hasInput = false;
  let hasEmptyPiece = false;
  const add = (text: string | undefined): void => {
    if (!text) return;
    hasInput = true;
    target.emit(builder.toolInput(index, text));
  };
  const unreadable = (): Error =>
    target.answer.malformed("sent a piece of a call's arguments that cannot be read.");
  return {
    delta: (delta) => {
      if (piecesOfOtherBlocks.has(delta.type)) return;
      const { type, partial_json: piece } = delta;
      if (type !== "input_json_delta" || piece === undefined) throw unreadable();
      hasEmptyPiece ||= piece === null;
      add(argumentsPiece(piece, target.answer));
    },
    stop: () => {
      if (hasEmptyPiece && !hasInput) throw unreadable();
      // A call without arguments, or with all of them in its start event.
      if (!hasInput) {
        target.hasEmptyInput ||= Object.keys(Object(input)).length === 0;
        add(JSON.stringify(input ?? {}));
      }
      for (const event of calls.end(index)) target.emit(event);
    },
  };
}

/** A block that only the provider understands: stored unchanged, to be sent back. */
function providerBlock(start: ReplayedBlock, target: BlockTarget): OpenBlock {
  // Changed in place: a copy for each piece would cost as much as the block has fields.
  const block: Record<string, JsonValue | undefined> & { type: string } = { ...start };
  let json = "";
  return {
    delta: ({ type, ...fields }) => {
      if (type === "input_json_delta") json += stringIn({ ...fields }, "partial_json") ?? "";
      else addFields(block, fields);
    },
    stop: () => {
      const input = parseInput(json);
      const data = input === undefined ? block : { ...block, input };
      target.builder.part({ type: "provider", providerData: dataOf(target, data) });
      for (const event of hostedEvents(readAnthropicCall, data, target.openCalls)) target.emit(event);
    },
  };
}

/** Adds the fields of a delta: text is appended to the block's text, anything else replaces the block's value. */
function addFields(block: Record<string, JsonValue | undefined>, fields: JsonObject): void {
  for (const [key, value] of Object.entries(fields)) {
    const before = Object.hasOwn(block, key) ? block[key] : undefined;
    const next = typeof before === "string" && typeof value === "string" ? before + value : value;
    Object.defineProperty(block, key, { value: next, enumerable: true, writable: true, configurable: true });
  }
}

function parseInput(json: string): JsonObject | undefined {
  if (json === "") return undefined;
  try {
    const input: unknown = JSON.parse(json);
    return isJsonObject(input) ? input : undefined;
  } catch {
    // Truncated by max_tokens: the block keeps the input of its start event.
    return undefined;
  }
}

function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
