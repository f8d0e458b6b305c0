import { assertKnownOptions } from "../../base/options/known-options.ts";
import type { AssistantMessage, Message, ToolCall, ToolResult } from "../../message/messages.ts";
import { checkedShow, type ShowOptions } from "../../run/public/show.ts";
import { finalText, isAccepted, isAnswerTool } from "./answer-tool.ts";
import { CallIds } from "./call-ids.ts";
import { resultContent, resultMetadata, textOfParts, userContent } from "./content.ts";
import { assertHistory } from "../kit/source.ts";
import type { AgUiMessage, AgUiToolCall } from "./types.ts";

/** How to write a history. */
export interface AgUiMessagesOptions {
  /** What of it the client sees. Calls at the end that have no result are always written. */
  readonly show?: ShowOptions;
}

/**
 * A history as messages of AG-UI, for a reader that joins a conversation: `messages` of `toAgUiResponse`. Ids count from the first message of the
 * list: as long as it only grows, a message has the same one. System messages, corrections and summaries are not for clients; a typed answer is
 * text.
 * @param messages - The history, from its beginning.
 * @throws ConfigurationError (`invalid-option`) for unknown options.
 */
export function toAgUiMessages(
  messages: readonly Message[],
  options: AgUiMessagesOptions = {},
): readonly AgUiMessage[] {
  assertHistory(messages, "toAgUiMessages()");
  assertKnownOptions(options, { show: true }, "toAgUiMessages()");
  return new History(messages, checkedShow(options.show, "toAgUiMessages()")).write();
}

class History {
  readonly #messages: readonly Message[];
  readonly #show: Required<ShowOptions>;
  readonly #callIds = new CallIds();
  /** By the calls of the last answer, the ids that they have here. */
  readonly #ids = new Map<string, string>();
  /** Calls whose results are not written. */
  readonly #hidden = new Set<string>();
  readonly #entries: AgUiMessage[] = [];
  /** What stands behind the results of the last answer: a typed answer, and the words of a tool that has the last. */
  #behind:
    | { readonly texts: readonly string[]; readonly id: string; readonly agent: string | undefined }
    | undefined;

  constructor(messages: readonly Message[], show: Required<ShowOptions>) {
    this.#messages = messages;
    this.#show = show;
  }

  write(): readonly AgUiMessage[] {
    for (const [index, message] of this.#messages.entries()) {
      this.#add(message, index);
      this.#addBehind(index);
    }
    return this.#entries;
  }

  #add(message: Message, index: number): void {
    const id = `message-${index}`;
    if (message.role === "assistant") this.#addAnswer(message, index, id);
    else if (message.role === "tool") this.#addResult(message.result, id);
    else if (message.role === "user" && message.correction === undefined && message.summaryOf === undefined)
      this.#entries.push({ id, role: "user", content: userContent(message.content) });
  }

  /** As it is streamed: what a typed answer says is a message of its own, before or behind the rest of the answer. */
  #addAnswer(message: AssistantMessage, index: number, id: string): void {
    const results = this.#resultsBehind(index);
    const { agent, toolCalls } = message;
    this.#addReasoning(message, id);
    const text = textOfParts(message.content);
    const outputs = toolCalls.filter(
      (call) => isAnswerTool(call.toolName) && isOutput(results.get(call.toolCallId)),
    );
    const calls = this.#readCalls(toolCalls, outputs, results);
    const output = outputs.map((call) => call.arguments).join("");
    const isFirst = text === "" && outputs[0] === toolCalls[0];
    if (isFirst) this.#addText(output, `${id}-output`, agent);
    if (text !== "" || calls.length > 0)
      this.#entries.push({
        id,
        role: "assistant",
        ...(agent !== undefined && text !== "" && { name: agent }),
        ...(text !== "" && { content: text }),
        ...(calls.length > 0 && { toolCalls: calls }),
      });
    const last = [isFirst ? "" : output, finalText(message, results) ?? ""];
    this.#behind = { texts: last, id, agent };
  }

  /** The calls that a client sees, under ids that no others have. */
  #readCalls(
    toolCalls: readonly ToolCall[],
    outputs: readonly ToolCall[],
    results: ReadonlyMap<string, ToolResult>,
  ): readonly AgUiToolCall[] {
    return toolCalls.flatMap((call): readonly AgUiToolCall[] => {
      const { toolCallId, toolName } = call;
      const isHidden = outputs.includes(call) || (!this.#show.toolCalls && results.has(toolCallId));
      if (isHidden) {
        this.#hidden.add(toolCallId);
        return [];
      }
      this.#hidden.delete(toolCallId);
      const id = this.#callIds.claim(toolCallId);
      this.#ids.set(toolCallId, id);
      return [{ id, type: "function", function: { name: toolName, arguments: call.arguments } }];
    });
  }

  #addReasoning({ content }: AssistantMessage, id: string): void {
    if (!this.#show.reasoning) return;
    const text = content.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
    if (text !== "") this.#entries.push({ id: `${id}-reasoning`, role: "reasoning", content: text });
  }

  #addText(content: string, id: string, agent: string | undefined): void {
    if (content !== "")
      this.#entries.push({ id, role: "assistant", ...(agent !== undefined && { name: agent }), content });
  }

  #addResult(result: ToolResult, id: string): void {
    const { toolCallId } = result;
    if (!this.#hidden.has(toolCallId)) {
      const metadata = resultMetadata(result);
      this.#entries.push({
        id,
        role: "tool",
        toolCallId: this.#ids.get(toolCallId) ?? toolCallId,
        content: resultContent(result, this.#show),
        ...(metadata && { metadata }),
      });
    }
  }

  /** Adds what stands behind the results of an answer. */
  #addBehind(index: number): void {
    if (!this.#behind || this.#messages[index + 1]?.role === "tool") return;
    const { texts, id, agent } = this.#behind;
    for (const [place, text] of texts.entries()) this.#addText(text, `${id}-text-${place}`, agent);
    this.#behind = undefined;
  }

  /** The results of an answer's calls: they stand right behind it. */
  #resultsBehind(index: number): ReadonlyMap<string, ToolResult> {
    const results = new Map<string, ToolResult>();
    for (let next = index + 1; next < this.#messages.length; next++) {
      const message = this.#messages[next];
      if (message?.role !== "tool") break;
      results.set(message.result.toolCallId, message.result);
    }
    return results;
  }
}

/** Whether a call of a tool for typed answers was one, right or wrong. */
function isOutput(result: ToolResult | undefined): boolean {
  return isAccepted(result) || result?.outcome === "invalid-arguments" || result?.outcome === "not-executed";
}
