import type { AgUiEvent, AgUiMessage, AgUiToolCall } from "./types.ts";

type Of<Type extends AgUiEvent["type"]> = Extract<AgUiEvent, { readonly type: Type }>;

/** The messages that a client has once it has read the events so far, as the official client puts them together. */
export class Transcript {
  #messages: AgUiMessage[];

  /** @param before - What the client had before the first event. */
  constructor(before: readonly AgUiMessage[]) {
    this.#messages = [...before];
  }

  get messages(): readonly AgUiMessage[] {
    return this.#messages;
  }

  apply(event: AgUiEvent): void {
    switch (event.type) {
      case "TEXT_MESSAGE_START":
        return this.#startText(event);
      case "REASONING_MESSAGE_START":
        return this.#add({ id: event.messageId, role: "reasoning", content: "", ...ownerOf(event) });
      case "TEXT_MESSAGE_CONTENT":
      case "REASONING_MESSAGE_CONTENT":
        return this.#change(event.messageId, (message) => withText(message, event.delta));
      case "TOOL_CALL_START":
        return this.#startCall(event);
      case "TOOL_CALL_ARGS":
        return this.#changeCall(event.toolCallId, (call) => withArguments(call, event.delta));
      case "TOOL_CALL_RESULT":
        return this.#addResult(event);
      case "ACTIVITY_SNAPSHOT":
      case "CUSTOM":
      case "MESSAGES_SNAPSHOT":
      case "REASONING_END":
      case "REASONING_MESSAGE_END":
      case "REASONING_START":
      case "RUN_ERROR":
      case "RUN_FINISHED":
      case "RUN_STARTED":
      case "STATE_DELTA":
      case "STATE_SNAPSHOT":
      case "SUBAGENT_ERROR":
      case "SUBAGENT_FINISHED":
      case "SUBAGENT_STARTED":
      case "TEXT_MESSAGE_END":
      case "TOOL_CALL_END":
        return undefined;
    }
  }

  /** Forgets messages. */
  drop(ids: ReadonlySet<string>): void {
    this.#messages = this.#messages.filter(({ id }) => !ids.has(id));
  }

  /** Forgets a call, with its message where that has nothing else. */
  dropCall(toolCallId: string): void {
    const place = this.#ownerPlace(toolCallId);
    const message = this.#messages[place];
    if (message?.role !== "assistant") return;
    const { toolCalls = [], ...rest } = message;
    const left = toolCalls.filter(({ id }) => id !== toolCallId);
    if (left.length > 0) this.#messages[place] = { ...rest, toolCalls: left };
    else if ((rest.content ?? "") === "") this.#messages.splice(place, 1);
    else this.#messages[place] = rest;
  }

  /** Gives a call other arguments. */
  correctCall(toolCallId: string, text: string): void {
    this.#changeCall(toolCallId, (call) => ({ ...call, function: { ...call.function, arguments: text } }));
  }

  /** Gives an assistant's message another text. */
  correctText(messageId: string, content: string): void {
    this.#change(messageId, (message) => (message.role === "assistant" ? { ...message, content } : message));
  }

  #add(message: AgUiMessage): void {
    this.#messages.push(message);
  }

  /** Most changes are at the end. */
  #change(id: string, change: (message: AgUiMessage) => AgUiMessage): void {
    const place = this.#messages.findLastIndex((message) => message.id === id);
    const message = this.#messages[place];
    if (message) this.#messages[place] = change(message);
  }

  #ownerPlace(toolCallId: string): number {
    return this.#messages.findLastIndex(
      (message) => message.role === "assistant" && message.toolCalls?.some(({ id }) => id === toolCallId),
    );
  }

  #changeCall(toolCallId: string, change: (call: AgUiToolCall) => AgUiToolCall): void {
    const place = this.#ownerPlace(toolCallId);
    const message = this.#messages[place];
    if (message?.role !== "assistant") return;
    const toolCalls = (message.toolCalls ?? []).map((call) => (call.id === toolCallId ? change(call) : call));
    this.#messages[place] = { ...message, toolCalls };
  }

  #startText({ messageId, role, name, subagentRunId }: Of<"TEXT_MESSAGE_START">): void {
    if (this.#messages.some(({ id }) => id === messageId)) return;
    const owner = ownerOf({ subagentRunId });
    if (role === "user") return this.#add({ id: messageId, role, content: "", ...owner });
    this.#add({ id: messageId, role, content: "", ...(name !== undefined && { name }), ...owner });
  }

  #startCall(event: Of<"TOOL_CALL_START">): void {
    const { toolCallId, toolCallName, parentMessageId = toolCallId } = event;
    if (this.#ownerPlace(toolCallId) >= 0) return;
    const call: AgUiToolCall = {
      id: toolCallId,
      type: "function",
      function: { name: toolCallName, arguments: "" },
    };
    if (!this.#messages.some(({ id }) => id === parentMessageId))
      return this.#add({ id: parentMessageId, role: "assistant", toolCalls: [call], ...ownerOf(event) });
    this.#change(parentMessageId, (message) =>
      message.role === "assistant"
        ? { ...message, toolCalls: [...(message.toolCalls ?? []), call] }
        : message,
    );
  }

  /** Results stand behind their calls, whatever came in between. */
  #addResult(event: Of<"TOOL_CALL_RESULT">): void {
    const { messageId, toolCallId, content, role, metadata } = event;
    const more = { ...(metadata && { metadata }), ...ownerOf(event) };
    const message: AgUiMessage = { id: messageId, role, toolCallId, content, ...more };
    const owner = this.#ownerPlace(toolCallId);
    let place = owner + 1;
    while (this.#messages[place]?.role === "tool") place++;
    if (owner < 0) this.#add(message);
    else this.#messages.splice(place, 0, message);
  }
}

function ownerOf({ subagentRunId }: { readonly subagentRunId?: string | undefined }): {
  readonly subagentRunId?: string;
} {
  return subagentRunId === undefined ? {} : { subagentRunId };
}

function withText(message: AgUiMessage, delta: string): AgUiMessage {
  if (message.role === "tool") return message;
  const content = typeof message.content === "string" ? message.content : "";
  return { ...message, content: content + delta };
}

function withArguments(call: AgUiToolCall, delta: string): AgUiToolCall {
  return { ...call, function: { ...call.function, arguments: call.function.arguments + delta } };
}
