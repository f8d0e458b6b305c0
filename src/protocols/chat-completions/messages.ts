import type { ToolCall } from "../../message/messages.ts";
import type { Part } from "../../message/parts.ts";
import type { InputMessage } from "../../run/types.ts";
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

const roles = ["system", "developer", "user", "assistant", "tool"] as const;

/** A call of an assistant's message that has no result yet. */
interface OpenCall {
  readonly toolName: string;
  /** Whether its tool is one of the request's. */
  readonly isOwn: boolean;
}

/**
 * The history of a request. Calls of tools that are not the request's own are left out, with their results: a client must not say what the
 * server's tools have done, since other tools may require that.
 * @param tools - The names of the request's own tools.
 * @throws InvalidInputError naming the field that is wrong.
 */
export function readMessages(value: unknown, tools: ReadonlySet<string>): readonly InputMessage[] {
  const list = listAt(value, "messages", limits.messages);
  if (list.length === 0) throw wrongField("messages", "must not be empty.");
  const history = new History(tools);
  for (const [index, item] of list.entries())
    history.add(objectAt(item, `messages[${index}]`), `messages[${index}]`);
  history.assertAnswered(`messages[${list.length - 1}]`);
  return history.messages;
}

class History {
  readonly messages: InputMessage[] = [];
  readonly #tools: ReadonlySet<string>;
  /** The calls of the last assistant's message. */
  readonly #open = new Map<string, OpenCall>();

  constructor(tools: ReadonlySet<string>) {
    this.#tools = tools;
  }

  add(fields: Fields, param: string): void {
    const role = choiceAt(fieldOf(fields, "role"), `${param}.role`, roles);
    const content = fieldOf(fields, "content");
    if (role === "tool") return this.#addResult(fields, content, param);
    this.assertAnswered(param);
    if (role === "assistant") return this.#addAssistant(fields, content, param);
    if (role === "user") this.messages.push({ role, content: contentAt(content, `${param}.content`) });
    else this.messages.push({ role: "system", content: plainTextAt(content, `${param}.content`) });
  }

  /** @throws InvalidInputError if a call has no result before `param`. */
  assertAnswered(param: string): void {
    for (const [id, { isOwn }] of this.#open)
      if (isOwn)
        throw wrongField(
          param,
          `comes before the result of the call ${JSON.stringify(id)}. Add its tool message.`,
        );
    this.#open.clear();
  }

  #addAssistant(fields: Fields, content: unknown, param: string): void {
    if (fieldOf(fields, "function_call") !== undefined)
      throw wrongField(`${param}.function_call`, "is deprecated. Use tool_calls.");
    const text = content === undefined ? "" : plainTextAt(content, `${param}.content`);
    const refusal = fieldOf(fields, "refusal");
    const all = refusal === undefined ? text : text + textAt(refusal, `${param}.refusal`);
    const toolCalls = this.#readCalls(fieldOf(fields, "tool_calls"), `${param}.tool_calls`);
    if (all === "" && toolCalls.length === 0) return;
    this.messages.push({ role: "assistant", content: all, ...(toolCalls.length > 0 && { toolCalls }) });
  }

  #readCalls(value: unknown, param: string): readonly ToolCall[] {
    if (value === undefined) return [];
    return listAt(value, param, limits.calls).flatMap((item, index) => {
      const place = `${param}[${index}]`;
      const call = objectAt(item, place);
      choiceAt(fieldOf(call, "type") ?? "function", `${place}.type`, ["function"]);
      const definition = objectAt(fieldOf(call, "function"), `${place}.function`);
      const toolCallId = idAt(fieldOf(call, "id"), `${place}.id`);
      const toolName = textAt(fieldOf(definition, "name"), `${place}.function.name`, limits.id);
      const text = textAt(fieldOf(definition, "arguments"), `${place}.function.arguments`);
      if (this.#open.has(toolCallId)) throw wrongField(`${place}.id`, "is the id of another call, too.");
      const isOwn = this.#tools.has(toolName);
      this.#open.set(toolCallId, { toolName, isOwn });
      return isOwn ? [{ toolCallId, toolName, arguments: text }] : [];
    });
  }

  #addResult(fields: Fields, content: unknown, param: string): void {
    const toolCallId = idAt(fieldOf(fields, "tool_call_id"), `${param}.tool_call_id`);
    const call = this.#open.get(toolCallId);
    if (!call)
      throw wrongField(
        `${param}.tool_call_id`,
        "must be the id of a call in tool_calls of the assistant's message before it, which has one result.",
      );
    this.#open.delete(toolCallId);
    const parts = contentAt(content, `${param}.content`);
    if (!call.isOwn) return;
    const list: readonly Part[] = typeof parts === "string" ? [{ type: "text", text: parts }] : parts;
    this.messages.push({
      role: "tool",
      result: { toolCallId, toolName: call.toolName, content: list, isError: false, outcome: "success" },
    });
  }
}

function contentAt(content: unknown, param: string): string | readonly Part[] {
  if (typeof content === "string") return textAt(content, param);
  return listAt(content, param, limits.parts).map((item, index) =>
    partAt(objectAt(item, `${param}[${index}]`), `${param}[${index}]`),
  );
}

/** The text of a message that can have nothing else. */
function plainTextAt(content: unknown, param: string): string {
  if (typeof content === "string") return textAt(content, param);
  return listAt(content, param, limits.parts)
    .map((item, index) => {
      const place = `${param}[${index}]`;
      const part = objectAt(item, place);
      const type = choiceAt(fieldOf(part, "type"), `${place}.type`, ["text", "refusal"]);
      return textAt(fieldOf(part, type), `${place}.${type}`);
    })
    .join("");
}

function partAt(fields: Fields, param: string): Part {
  const types = ["text", "image_url", "file", "input_audio"] as const;
  const type = choiceAt(fieldOf(fields, "type"), `${param}.type`, types);
  const value = fieldOf(fields, type);
  const place = `${param}.${type}`;
  if (type === "text") return { type, text: textAt(value, place) };
  const inner = objectAt(value, place);
  if (type === "image_url") return imageAt(fieldOf(inner, "url"), `${place}.url`);
  if (type === "file") return fileAt(inner, place);
  const format = choiceAt(fieldOf(inner, "format"), `${place}.format`, ["wav", "mp3"]);
  const data = textAt(fieldOf(inner, "data"), `${place}.data`, limits.url);
  return { type: "file", url: `data:audio/${format};base64,${data}` };
}
