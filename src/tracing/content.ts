import { cutText } from "../base/util/cut-text.ts";
import type { AssistantMessage, FinishReason, Message, ToolCall, ToolResult } from "../message/messages.ts";
import type { AssistantPart } from "../message/parts.ts";
import type { Generation, ToolSpec } from "../model/types.ts";

/** A message in the form of the conventions (gen-ai-input-messages.json, gen-ai-output-messages.json). */
interface TracedMessage {
  readonly role: string;
  readonly parts: readonly object[];
  readonly name?: string;
}

/** How many texts of the greatest length one attribute has room for. */
const mostTexts = 32;

/** Nothing that a tool takes or returns is deeper, unless somebody means harm. */
const deepest = 50;

/** The room that the note about what is left out needs, in characters. */
const roomOfNote = 60;

/** Writes what was said as attributes have it: JSON of a bounded size. */
export class ContentWriter {
  readonly #maxChars: number;

  /** @param maxChars - The most characters of one text. */
  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  /** The history: of one that is too long the latest messages, behind a note. */
  inputMessages(messages: readonly Message[]): string {
    const texts: string[] = [];
    let room = this.#maxChars * mostTexts;
    for (let index = messages.length - 1; index >= 0; index--) {
      const message = messages[index];
      if (!message) continue;
      const json = JSON.stringify(this.#message(message));
      room -= json.length;
      if (room < 0 && texts.length > 0) {
        texts.push(JSON.stringify(leftOut(index + 1)));
        break;
      }
      texts.push(json);
    }
    return `[${texts.toReversed().join(",")}]`;
  }

  outputMessages({ message, finishReason }: Pick<Generation, "message" | "finishReason">): string {
    return JSON.stringify([{ ...this.#assistant(message), finish_reason: finishReasonName(finishReason) }]);
  }

  /** The answer of a run. */
  outputText(text: string, finishReason: FinishReason): string {
    const parts = [this.#text(text)];
    return JSON.stringify([{ role: "assistant", parts, finish_reason: finishReasonName(finishReason) }]);
  }

  instructions(text: string): string {
    return JSON.stringify([this.#text(text)]);
  }

  toolDefinitions(tools: readonly ToolSpec[]): string {
    const definitions: object[] = [];
    let room = this.#maxChars * mostTexts;
    for (const { name, description, inputSchema } of tools) {
      const parameters = this.#value(inputSchema);
      const definition = {
        type: "function",
        name,
        ...(description !== undefined && { description: this.cut(description) }),
        parameters,
      };
      room -= JSON.stringify(definition).length;
      definitions.push(room < 0 ? { type: "function", name } : definition);
    }
    return JSON.stringify(definitions);
  }

  /** The arguments of a call: as they are, where they are JSON of a moderate size. */
  toolArguments(text: string): string {
    return this.#json(parsed(text));
  }

  toolResult({ structuredContent, content }: ToolResult): string {
    return this.#json(structuredContent ?? textOfParts(content));
  }

  /** A text, without its middle where it is too long. */
  cut(text: string): string {
    return text.length <= this.#maxChars ? text : cutText(text, this.#maxChars - roomOfNote);
  }

  #json(value: unknown): string {
    const json = JSON.stringify(this.#value(value));
    const most = this.#maxChars * mostTexts;
    return json.length <= most ? json : JSON.stringify(cutText(json, most));
  }

  #message(message: Message): TracedMessage {
    switch (message.role) {
      case "system":
        return { role: "system", parts: [this.#text(message.content)] };
      case "user":
        return { role: "user", parts: this.#parts(message.content) };
      case "assistant":
        return this.#assistant(message);
      case "tool": {
        const { toolCallId, structuredContent, content } = message.result;
        const response = this.#value(structuredContent ?? textOfParts(content));
        const media = content.filter(({ type }) => type !== "text");
        const parts = [{ type: "tool_call_response", id: toolCallId, response }, ...this.#parts(media)];
        return { role: "tool", parts };
      }
    }
  }

  #assistant({ content, toolCalls, agent }: AssistantMessage): TracedMessage {
    const calls = new Map(toolCalls.map((call) => [call.toolCallId, call]));
    const parts: object[] = [];
    for (const part of content) {
      const call = part.type === "tool-call" ? calls.get(part.toolCallId) : undefined;
      if (call) calls.delete(call.toolCallId);
      parts.push(...(call ? [this.#call(call)] : this.#parts([part])));
    }
    for (const call of calls.values()) parts.push(this.#call(call));
    return { role: "assistant", parts, ...(agent !== undefined && { name: agent }) };
  }

  #call({ toolCallId, toolName, arguments: text }: ToolCall): object {
    return { type: "tool_call", id: toolCallId, name: toolName, arguments: this.#value(parsed(text)) };
  }

  #parts(content: string | readonly AssistantPart[]): readonly object[] {
    if (typeof content === "string") return [this.#text(content)];
    return content.flatMap((part): object[] => {
      if (part.type === "text") return [this.#text(part.text)];
      if (part.type === "reasoning") return [{ type: "reasoning", content: this.cut(part.text) }];
      if (part.type === "image" || part.type === "file")
        return [this.#media(part.url, part.mediaType, part.type)];
      // What only its provider understands, often encrypted.
      return part.type === "provider" ? [{ type: "provider", provider: part.providerData.provider }] : [];
    });
  }

  #text(text: string): object {
    return { type: "text", content: this.cut(text) };
  }

  /** Half of a picture is none: one that is too long is left out as a whole. */
  #media(url: string, mediaType: string | undefined, kind: "image" | "file"): object {
    const data = /^data:([^;,]*)[^,]*,/.exec(url.slice(0, 200));
    const mime = mediaType ?? (data?.[1] || undefined);
    const modality = modalityOf(mime, kind);
    const described = { modality, ...(mime !== undefined && { mime_type: mime }) };
    if (!data) return { type: "uri", ...described, uri: this.cut(url) };
    const content = url.slice(data[0].length);
    return { type: "blob", ...described, content: content.length > this.#maxChars ? "" : content };
  }

  /** A copy with all texts cut. */
  #value(value: unknown, depth = 0): unknown {
    if (typeof value === "string") return this.cut(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth > deepest) return "[too deep]";
    if (Array.isArray(value)) return value.map((item) => this.#value(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.#value(member, depth + 1)]),
    );
  }
}

/** Why a model stopped, in the words of the conventions. */
export function finishReasonName(reason: FinishReason): string {
  if (reason === "tool-calls") return "tool_call";
  return reason === "content-filter" ? "content_filter" : reason;
}

/** The text of a result. */
function textOfParts(content: ToolResult["content"]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function modalityOf(mime: string | undefined, kind: "image" | "file"): string {
  const [type = ""] = (mime ?? "").split("/");
  if (type === "image" || type === "audio" || type === "video") return type;
  return kind === "image" ? "image" : "document";
}

function leftOut(count: number): TracedMessage {
  return { role: "system", parts: [{ type: "text", content: `[${count} earlier messages left out]` }] };
}
