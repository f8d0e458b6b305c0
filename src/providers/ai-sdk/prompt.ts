import type { AssistantMessage, Message, ToolCall, ToolResult } from "../../message/messages.ts";
import type { AssistantPart, Part, ProviderData } from "../../message/parts.ts";
import { repairHistory } from "../../message/repair-history.ts";
import { assertAssistantParts, assertParts } from "../../model/assert-parts.ts";
import { wireName } from "../../model/wire-names.ts";
import { ownData } from "../kit/own-data.ts";
import { splitSystem } from "../kit/split-system.ts";
import { PromptCallIds } from "./call-ids.ts";
import { parseCallArguments } from "../kit/json-values.ts";
import { mediaPrompt, type MediaTarget, describeInText } from "./media.ts";
import type { AssistantPrompt, PromptMessage, ToolResultPrompt, UserPrompt } from "./prompt-types.ts";
import { dataOf, replayedOptions, replayedPart } from "./replay.ts";

/** The target of a prompt. */
export interface PromptTarget extends MediaTarget {
  /** Parts with data that this provider wrote are sent back unchanged. */
  readonly provider: string;
  /** Whether a result may contain images and files. Otherwise they follow in a user message. */
  readonly filesInResults: boolean;
}

/**
 * Translates a history into a prompt. It starts with the user, every call has one result before the next message, and consecutive
 * messages of one role are merged. A system message after other messages becomes user text in `<system>` tags, since most
 * providers accept the role only at the start. Reasoning and server-side tools of other providers are left out.
 */
export function promptOf(
  instructions: string | undefined,
  history: readonly Message[],
  target: PromptTarget,
): readonly PromptMessage[] {
  const { system, messages } = splitSystem(instructions, history);
  const writer = new PromptWriter(target);
  for (const message of repairHistory(messages)) writer.add(message);
  return [
    ...(system === undefined ? [] : [{ role: "system", content: system.toWellFormed() } as const]),
    ...writer.end(),
  ];
}

/** A message that may still grow. */
type Turn =
  | { readonly role: "user"; readonly content: UserPrompt[] }
  | { readonly role: "assistant"; readonly content: AssistantPrompt[] }
  | { readonly role: "tool"; readonly content: ToolResultPrompt[] };

/** The text of the user message that is added where a provider requires one and the history has none. */
const placeholder: UserPrompt = { type: "text", text: "Continue." };

class PromptWriter {
  readonly #target: PromptTarget;
  readonly #ids: PromptCallIds;
  readonly #turns: Turn[] = [];
  /** The images and files of results, which follow the batch. */
  #media: UserPrompt[] = [];

  constructor(target: PromptTarget) {
    this.#target = target;
    this.#ids = new PromptCallIds(target.family);
  }

  add(message: Message): void {
    if (message.role === "tool") return this.#addResult(message.result);
    this.#closeBatch();
    if (message.role === "assistant") return this.#addAnswer(message);
    if (message.role === "system")
      this.#addUserParts([{ type: "text", text: `<system>\n${message.content.toWellFormed()}\n</system>` }]);
    else this.#addUserParts(this.#userParts(message.content, "a user's message"));
  }

  end(): readonly PromptMessage[] {
    this.#closeBatch();
    const last = this.#turns.at(-1);
    // An answer that the provider paused during its own tools' work is sent back unchanged, to be continued.
    const isPaused = last?.role === "assistant" && isServerSide(last.content.at(-1));
    if (!isPaused && (!last || last.role === "assistant")) this.#addUserParts([placeholder]);
    return this.#turns;
  }

  #addUserParts(content: readonly UserPrompt[]): void {
    if (content.length === 0) return;
    const last = this.#turns.at(-1);
    if (last?.role === "user") last.content.push(...content);
    else this.#turns.push({ role: "user", content: [...content] });
  }

  #addAnswer(message: AssistantMessage): void {
    const content = this.#answerParts(message);
    if (content.length === 0) return;
    if (this.#turns.length === 0) this.#addUserParts([placeholder]);
    const last = this.#turns.at(-1);
    if (last?.role === "assistant") last.content.push(...content);
    else this.#turns.push({ role: "assistant", content });
  }

  #addResult(result: ToolResult): void {
    const { toolCallId, toolName, content, isError } = result;
    const parts = this.#userParts(content, `a result of ${toolName}`);
    const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    const files = parts.filter((part) => part.type === "file");
    const isInside = files.length > 0 && this.#target.filesInResults && !isError;
    if (files.length > 0 && !isInside) {
      const id = this.#ids.forResult(toolCallId);
      this.#media.push({ type: "text", text: `Content that ${toolName} (call ${id}) returned:` }, ...files);
    }
    const shownText =
      text || (files.length > 0 ? "(The content follows.)" : isError ? "The tool failed." : "");
    this.#pushResult(
      result,
      isInside
        ? { type: "content", value: parts }
        : { type: isError ? "error-text" : "text", value: shownText },
    );
  }

  #pushResult(
    { toolCallId, toolName }: Pick<ToolCall, "toolCallId" | "toolName">,
    output: ToolResultPrompt["output"],
  ): void {
    const part: ToolResultPrompt = {
      type: "tool-result",
      toolCallId: this.#ids.forResult(toolCallId),
      toolName: wireName(toolName),
      output,
    };
    const last = this.#turns.at(-1);
    if (last?.role === "tool") last.content.push(part);
    else this.#turns.push({ role: "tool", content: [part] });
  }

  /** Adds the images and files of the results before the next message. */
  #closeBatch(): void {
    this.#addUserParts(this.#media);
    this.#media = [];
  }

  #userParts(content: string | readonly Part[], place: string): UserPrompt[] {
    if (typeof content === "string")
      return content.trim() === "" ? [] : [{ type: "text", text: content.toWellFormed() }];
    assertParts(content, place);
    return content.flatMap((part): UserPrompt[] => {
      if (part.type === "reasoning") return [];
      if (part.type !== "text") return [mediaPrompt(part, this.#target)];
      return part.text.trim() === "" ? [] : [{ type: "text", text: part.text.toWellFormed() }];
    });
  }

  #answerParts(message: AssistantMessage): AssistantPrompt[] {
    assertAssistantParts(message.content);
    const calls = new Map(message.toolCalls.map((call) => [call.toolCallId, call]));
    const parts: AssistantPrompt[] = [];
    for (const part of message.content) {
      if (part.type === "tool-call") {
        const call = calls.get(part.toolCallId);
        if (call) parts.push(this.#call(call, part.providerData));
        calls.delete(part.toolCallId);
      } else append(parts, this.#answerPart(part));
    }
    // Calls that the content does not refer to, as in hand-written histories.
    for (const call of calls.values()) parts.push(this.#call(call, undefined));
    return parts.filter((part) => part.type !== "text" || part.providerOptions || part.text.trim() !== "");
  }

  #answerPart(part: Exclude<AssistantPart, { type: "tool-call" }>): AssistantPrompt[] {
    const own = ownData(part.providerData, this.#target.provider);
    switch (part.type) {
      case "text":
        return [{ type: "text", text: part.text.toWellFormed(), ...replayedOptions(own) }];
      case "reasoning":
        return own ? [{ type: "reasoning", text: part.text, ...replayedOptions(own) }] : [];
      case "provider":
        return own ? replayedPart(own) : [];
      case "image":
      case "file": {
        if (!own) return [describeInText(part, this.#target, "")];
        const mediaType = part.mediaType ?? /^data:([^;,]+)/i.exec(part.url)?.[1] ?? "image/*";
        return [{ type: "file", mediaType, data: dataOf(part.url), ...replayedOptions(own) }];
      }
    }
  }

  #call(call: ToolCall, providerData: ProviderData | undefined): AssistantPrompt {
    return {
      type: "tool-call",
      toolCallId: this.#ids.forCall(call.toolCallId),
      toolName: wireName(call.toolName),
      input: parseCallArguments(call.arguments),
      ...replayedOptions(ownData(providerData, this.#target.provider)),
    };
  }
}

/** Adds parts. Consecutive texts without metadata are joined, since a text may have come in pieces. */
function append(parts: AssistantPrompt[], added: readonly AssistantPrompt[]): void {
  for (const part of added) {
    const last = parts.at(-1);
    const isJoined = part.type === "text" && !part.providerOptions && last?.type === "text";
    if (isJoined && !last.providerOptions) parts.splice(-1, 1, { type: "text", text: last.text + part.text });
    else parts.push(part);
  }
}

function isServerSide(part: AssistantPrompt | undefined): boolean {
  return part?.type === "tool-result" || (part?.type === "tool-call" && part.providerExecuted === true);
}
