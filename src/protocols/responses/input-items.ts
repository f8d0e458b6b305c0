import type { ToolCall } from "../../message/messages.ts";
import type { Part } from "../../message/parts.ts";
import type { ApprovalDecision } from "../../message/run-state.ts";
import type { ExternalResult, InputMessage } from "../../run/types.ts";
import { type InputObject, invalidInput } from "../kit/input-object.ts";
import { OpenCalls, readCall, resultMessage } from "../kit/openai-calls.ts";
import { limits } from "../kit/openai-limits.ts";
import { plainText, readContent, readFile, readImage } from "../kit/openai-parts.ts";

/** The input of a request, in Skein's terms. */
export interface ResponsesInput {
  readonly messages: readonly InputMessage[];
  readonly results: readonly ExternalResult[];
  readonly decisions: readonly ApprovalDecision[];
}

/** What a client sends back of earlier responses: the server has it, or did not need it. */
const ignoredTypes: ReadonlySet<unknown> = new Set([
  "reasoning",
  "mcp_list_tools",
  "mcp_approval_request",
  "mcp_call",
  "web_search_call",
  "file_search_call",
]);

/**
 * Reads the items of an input. If the server has the history (`hasHistory`), what assistants wrote and called is not taken from the client;
 * else it is the history, without the calls of tools that are not the request's own.
 * @param tools - The names of the request's own tools.
 * @throws InvalidInputError naming the field that is wrong.
 */
export function readInput(
  body: InputObject,
  tools: ReadonlySet<string>,
  hasHistory: boolean,
): ResponsesInput {
  const input = body.get("input");
  if (input === undefined) return { messages: [], results: [], decisions: [] };
  if (typeof input === "string") {
    const content = body.text("input", limits.text);
    return { messages: [{ role: "user", content }], results: [], decisions: [] };
  }
  const reader = new InputReader(tools, hasHistory);
  for (const item of body.objects("input", limits.messages)) reader.add(item);
  return reader.finish();
}

class InputReader {
  readonly #hasHistory: boolean;
  #messages: InputMessage[] = [];
  readonly #results: ExternalResult[] = [];
  readonly #decisions = new Map<string, ApprovalDecision>();
  /** The calls of the client's history. */
  readonly #calls: OpenCalls;
  readonly #answered = new Set<string>();
  /** Calls that follow one another are those of one message. */
  #batch: ToolCall[] = [];

  constructor(tools: ReadonlySet<string>, hasHistory: boolean) {
    this.#calls = new OpenCalls(tools);
    this.#hasHistory = hasHistory;
  }

  add(item: InputObject): void {
    const type = item.get("type") ?? (Object.hasOwn(item.value, "role") ? "message" : "item_reference");
    if (type !== "function_call") this.#closeBatch();
    if (type === "message") return this.#addMessage(item);
    if (type === "function_call") return this.#addCall(item);
    if (type === "function_call_output") return this.#addResult(item);
    if (type === "mcp_approval_response") return this.#addDecision(item);
    if (ignoredTypes.has(type) || (type === "item_reference" && this.#hasHistory)) return;
    if (type === "item_reference")
      throw invalidInput(item.path, "refers to an item by its id. Send the item, or previous_response_id");
    throw item.wrong("type", "is not the type of an item that agents have");
  }

  finish(): ResponsesInput {
    this.#closeBatch();
    this.#assertAnswered();
    return { messages: this.#messages, results: this.#results, decisions: [...this.#decisions.values()] };
  }

  /** @throws InvalidInputError if a call of the history has no result so far. */
  #assertAnswered(): void {
    const call = this.#calls.close();
    if (!call) return;
    throw invalidInput(call.path, `has no function_call_output for ${JSON.stringify(call.toolCallId)}`);
  }

  #addMessage(item: InputObject): void {
    this.#assertAnswered();
    const role = item.choice("role", ["user", "system", "developer", "assistant"]);
    const content = readContent(item, "content", readPart);
    if (role === "user") this.#messages.push({ role, content });
    else if (role !== "assistant")
      this.#messages.push({ role: "system", content: plainText(content, item.pathOf("content")) });
    else if (!this.#hasHistory) {
      const text = plainText(content, item.pathOf("content"));
      if (text !== "") this.#messages.push({ role, content: text });
    }
  }

  #addCall(item: InputObject): void {
    const call = readCall(item, "call_id", item);
    if (!this.#hasHistory && this.#calls.add(call, item, "call_id")) this.#batch.push(call);
  }

  #closeBatch(): void {
    if (this.#batch.length === 0) return;
    this.#messages.push({ role: "assistant", content: "", toolCalls: this.#batch });
    this.#batch = [];
  }

  #addResult(item: InputObject): void {
    const toolCallId = item.id("call_id", limits.id);
    const output = readContent(item, "output", readPart);
    if (this.#answered.has(toolCallId)) throw item.wrong("call_id", "has a result already");
    if (this.#hasHistory) {
      this.#answered.add(toolCallId);
      this.#results.push({ toolCallId, content: output });
      return;
    }
    const call = this.#calls.take(toolCallId);
    if (!call)
      throw item.wrong(
        "call_id",
        "is not that of a function_call before it. Send the call, too, or previous_response_id",
      );
    if (call.isOwn) this.#messages.push(resultMessage(call, output));
  }

  #addDecision(item: InputObject): void {
    // The protocol has no place for edited arguments.
    item.assertOnly(["type", "id", "approval_request_id", "approve", "reason", "status"]);
    const approvalId = item.id("approval_request_id", limits.id);
    const isApproved = item.boolean("approve");
    const reason = item.optionalText("reason", limits.text);
    if (this.#decisions.has(approvalId)) throw item.wrong("approval_request_id", "has a decision already");
    this.#decisions.set(approvalId, {
      approvalId,
      decision: isApproved ? "approve" : "deny",
      ...(reason !== undefined && { reason }),
    });
  }
}

const partTypes = ["input_text", "output_text", "refusal", "input_image", "input_file"] as const;

function readPart(part: InputObject): Part {
  const type = part.choice("type", partTypes);
  if (type === "input_file") return readFile(part);
  if (type !== "input_image")
    return { type: "text", text: part.text(type === "refusal" ? type : "text", limits.text) };
  if (part.get("image_url") !== undefined) return readImage(part, "image_url");
  throw invalidInput(part.path, "must have an image_url: uploaded files (file_id) are not here");
}
