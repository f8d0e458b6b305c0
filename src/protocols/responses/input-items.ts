import type { ToolCall } from "../../message/messages.ts";
import type { Part } from "../../message/parts.ts";
import type { ApprovalDecision } from "../../message/run-state.ts";
import type { ExternalResult, InputMessage } from "../../run/types.ts";
import {
  choiceAt,
  fieldOf,
  type Fields,
  idAt,
  limits,
  listAt,
  objectAt,
  textAt,
  wrongField,
} from "../kit/openai-fields.ts";
import { fileAt, imageAt } from "../kit/openai-parts.ts";

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
]);

/**
 * Reads the items of an input. If the server has the history (`hasHistory`), what assistants wrote and called is not taken from the client;
 * else it is the history, without the calls of tools that are not the request's own.
 * @param tools - The names of the request's own tools.
 * @throws InvalidInputError naming the field that is wrong.
 */
export function readInput(value: unknown, tools: ReadonlySet<string>, hasHistory: boolean): ResponsesInput {
  if (value === undefined) return { messages: [], results: [], decisions: [] };
  if (typeof value === "string")
    return { messages: [{ role: "user", content: textAt(value, "input") }], results: [], decisions: [] };
  const reader = new InputReader(tools, hasHistory);
  for (const [index, item] of listAt(value, "input", limits.messages).entries())
    reader.add(objectAt(item, `input[${index}]`), `input[${index}]`);
  return reader.finish();
}

class InputReader {
  readonly #tools: ReadonlySet<string>;
  readonly #hasHistory: boolean;
  #messages: InputMessage[] = [];
  readonly #results: ExternalResult[] = [];
  readonly #decisions = new Map<string, ApprovalDecision>();
  /** The calls of the history that have no result yet, by their ids; with `isOwn` those of the request's tools. */
  readonly #open = new Map<
    string,
    { readonly call: ToolCall; readonly isOwn: boolean; readonly param: string }
  >();
  readonly #answered = new Set<string>();
  /** Calls that follow one another are those of one message. */
  #batch: ToolCall[] = [];

  constructor(tools: ReadonlySet<string>, hasHistory: boolean) {
    this.#tools = tools;
    this.#hasHistory = hasHistory;
  }

  add(fields: Fields, param: string): void {
    const type = fieldOf(fields, "type") ?? (Object.hasOwn(fields, "role") ? "message" : "item_reference");
    if (type !== "function_call") this.#closeBatch();
    if (type === "message") return this.#addMessage(fields, param);
    if (type === "function_call") return this.#addCall(fields, param);
    if (type === "function_call_output") return this.#addResult(fields, param);
    if (type === "mcp_approval_response") return this.#addDecision(fields, param);
    if (ignoredTypes.has(type) || (type === "item_reference" && this.#hasHistory)) return;
    if (type === "item_reference")
      throw wrongField(param, "refers to an item by its id. Send the item, or previous_response_id.");
    throw wrongField(`${param}.type`, "is not the type of an item that agents have.");
  }

  finish(): ResponsesInput {
    this.#closeBatch();
    this.#assertAnswered();
    return { messages: this.#messages, results: this.#results, decisions: [...this.#decisions.values()] };
  }

  /** @throws InvalidInputError if a call of the history has no result so far. */
  #assertAnswered(): void {
    for (const { call, isOwn, param } of this.#open.values())
      if (isOwn)
        throw wrongField(param, `has no function_call_output for ${JSON.stringify(call.toolCallId)}.`);
    this.#open.clear();
  }

  #addMessage(fields: Fields, param: string): void {
    this.#assertAnswered();
    const roles = ["user", "system", "developer", "assistant"] as const;
    const role = choiceAt(fieldOf(fields, "role"), `${param}.role`, roles);
    const content = contentAt(fieldOf(fields, "content"), `${param}.content`);
    if (role === "user") this.#messages.push({ role, content });
    else if (role !== "assistant")
      this.#messages.push({ role: "system", content: plainText(content, param) });
    else if (!this.#hasHistory) {
      const text = plainText(content, param);
      if (text !== "") this.#messages.push({ role, content: text });
    }
  }

  #addCall(fields: Fields, param: string): void {
    const toolCallId = idAt(fieldOf(fields, "call_id"), `${param}.call_id`);
    const toolName = textAt(fieldOf(fields, "name"), `${param}.name`, limits.id);
    const text = textAt(fieldOf(fields, "arguments"), `${param}.arguments`);
    if (this.#hasHistory) return;
    if (this.#open.has(toolCallId)) throw wrongField(`${param}.call_id`, "is the id of another call, too.");
    const isOwn = this.#tools.has(toolName);
    const call = { toolCallId, toolName, arguments: text };
    this.#open.set(toolCallId, { call, isOwn, param });
    if (isOwn) this.#batch.push(call);
  }

  #closeBatch(): void {
    if (this.#batch.length === 0) return;
    this.#messages.push({ role: "assistant", content: "", toolCalls: this.#batch });
    this.#batch = [];
  }

  #addResult(fields: Fields, param: string): void {
    const toolCallId = idAt(fieldOf(fields, "call_id"), `${param}.call_id`);
    const output = contentAt(fieldOf(fields, "output"), `${param}.output`);
    if (this.#answered.has(toolCallId)) throw wrongField(`${param}.call_id`, "has a result already.");
    if (this.#hasHistory) {
      this.#answered.add(toolCallId);
      this.#results.push({ toolCallId, content: output });
      return;
    }
    const entry = this.#open.get(toolCallId);
    if (!entry)
      throw wrongField(
        `${param}.call_id`,
        "is not that of a function_call before it. Send the call, too, or previous_response_id.",
      );
    this.#open.delete(toolCallId);
    if (!entry.isOwn) return;
    const content: readonly Part[] = typeof output === "string" ? [{ type: "text", text: output }] : output;
    const { toolName } = entry.call;
    this.#messages.push({
      role: "tool",
      result: { toolCallId, toolName, content, isError: false, outcome: "success" },
    });
  }

  #addDecision(fields: Fields, param: string): void {
    const approvalId = idAt(fieldOf(fields, "approval_request_id"), `${param}.approval_request_id`);
    const isApproved = fieldOf(fields, "approve");
    if (typeof isApproved !== "boolean") throw wrongField(`${param}.approve`, "must be true or false.");
    const reason = fieldOf(fields, "reason");
    if (this.#decisions.has(approvalId))
      throw wrongField(`${param}.approval_request_id`, "has a decision already.");
    this.#decisions.set(approvalId, {
      approvalId,
      decision: isApproved ? "approve" : "deny",
      ...(reason !== undefined && { reason: textAt(reason, `${param}.reason`) }),
    });
  }
}

function plainText(content: string | readonly Part[], param: string): string {
  if (typeof content === "string") return content;
  return content
    .map((part, index) => {
      if (part.type === "text") return part.text;
      throw wrongField(
        `${param}.content[${index}].type`,
        "must be a text in a message that is not the user's.",
      );
    })
    .join("");
}

function contentAt(content: unknown, param: string): string | readonly Part[] {
  if (typeof content === "string") return textAt(content, param);
  return listAt(content, param, limits.parts).map((item, index) => {
    const place = `${param}[${index}]`;
    return partAt(objectAt(item, place), place);
  });
}

const partTypes = ["input_text", "output_text", "refusal", "input_image", "input_file"] as const;

function partAt(fields: Fields, param: string): Part {
  const type = choiceAt(fieldOf(fields, "type"), `${param}.type`, partTypes);
  if (type === "input_file") return fileAt(fields, param);
  if (type === "input_image") {
    const url = fieldOf(fields, "image_url");
    if (url === undefined)
      throw wrongField(param, "must have an image_url: uploaded files (file_id) are not here.");
    return imageAt(url, `${param}.image_url`);
  }
  const field = type === "refusal" ? "refusal" : "text";
  return { type: "text", text: textAt(fieldOf(fields, field), `${param}.${field}`) };
}
