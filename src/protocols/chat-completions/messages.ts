import type { ToolCall } from "../../message/messages.ts";
import type { Part } from "../../message/parts.ts";
import type { InputMessage } from "../../run/types.ts";
import { type InputObject, invalidInput } from "../kit/input-object.ts";
import { OpenCalls, readCall, resultMessage } from "../kit/openai-calls.ts";
import { limits } from "../kit/openai-limits.ts";
import { plainText, readContent, readFile, readImage } from "../kit/openai-parts.ts";

const roles = ["system", "developer", "user", "assistant", "tool"] as const;

/**
 * The history of a request, without the calls of tools that are not the request's own.
 * @param tools - The names of the request's own tools.
 * @throws InvalidInputError naming the field that is wrong.
 */
export function readMessages(body: InputObject, tools: ReadonlySet<string>): readonly InputMessage[] {
  const list = body.objects("messages", limits.messages);
  const last = list.at(-1);
  if (!last) throw body.wrong("messages", "must not be empty");
  const history = new History(tools);
  for (const message of list) history.add(message);
  history.assertAnswered(last);
  return history.messages;
}

class History {
  readonly messages: InputMessage[] = [];
  /** The calls of the last assistant's message. */
  readonly #calls: OpenCalls;

  constructor(tools: ReadonlySet<string>) {
    this.#calls = new OpenCalls(tools);
  }

  add(message: InputObject): void {
    const role = message.choice("role", roles);
    if (role === "tool") return this.#addResult(message);
    this.assertAnswered(message);
    if (role === "assistant") return this.#addAssistant(message);
    if (role === "user") this.messages.push({ role, content: readContent(message, "content", readPart) });
    else this.messages.push({ role: "system", content: readPlainText(message) });
  }

  /** @throws InvalidInputError if a call has no result before the message. */
  assertAnswered({ path }: InputObject): void {
    const call = this.#calls.close();
    if (!call) return;
    const id = JSON.stringify(call.toolCallId);
    throw invalidInput(path, `comes before the result of the call ${id}. Add its tool message`);
  }

  #addAssistant(message: InputObject): void {
    if (message.get("function_call") !== undefined)
      throw message.wrong("function_call", "is deprecated. Use tool_calls");
    const text = message.get("content") === undefined ? "" : readPlainText(message);
    const content = text + (message.optionalText("refusal", limits.text) ?? "");
    const toolCalls = this.#readCalls(message);
    if (content === "" && toolCalls.length === 0) return;
    this.messages.push({ role: "assistant", content, ...(toolCalls.length > 0 && { toolCalls }) });
  }

  #readCalls(message: InputObject): readonly ToolCall[] {
    return message.optionalObjects("tool_calls", limits.calls).flatMap((item) => {
      item.optionalChoice("type", ["function"]);
      const call = readCall(item, "id", item.object("function"));
      return this.#calls.add(call, item, "id") ? [call] : [];
    });
  }

  #addResult(message: InputObject): void {
    const call = this.#calls.take(message.id("tool_call_id", limits.id));
    if (!call)
      throw message.wrong(
        "tool_call_id",
        "must be the id of a call in tool_calls of the assistant's message before it, which has one result",
      );
    const content = readContent(message, "content", readPart);
    if (call.isOwn) this.messages.push(resultMessage(call, content));
  }
}

/** The text of a message that can have nothing else. */
function readPlainText(message: InputObject): string {
  return plainText(readContent(message, "content", readTextPart), message.pathOf("content"));
}

function readTextPart(part: InputObject): Part {
  const type = part.choice("type", ["text", "refusal"]);
  return { type: "text", text: part.text(type, limits.text) };
}

function readPart(part: InputObject): Part {
  const type = part.choice("type", ["text", "image_url", "file", "input_audio"]);
  if (type === "text") return { type, text: part.text(type, limits.text) };
  const value = part.object(type);
  if (type === "image_url") return readImage(value, "url");
  if (type === "file") return readFile(value);
  const format = value.choice("format", ["wav", "mp3"]);
  return { type: "file", url: `data:audio/${format};base64,${value.text("data", limits.url)}` };
}
