import type { AssistantMessage, Message, ToolResult, UserMessage } from "../../message/messages.ts";
import type { AssistantPart, Part } from "../../message/parts.ts";
import type { PendingCall, VisibleBlock } from "../../message/run-state.ts";
import type { ToolUi } from "../../tool/types.ts";
import type { AgentRunEvent, RunEvent } from "../types.ts";
import { clientCalls } from "./client-calls.ts";
import { clientEvent } from "./client-event.ts";
import { publicError, publicProblem } from "./public-error.ts";
import { publicHostedCall } from "./public-hosted-call.ts";
import { publicResult } from "./public-result.ts";
import type { ShowOptions } from "./show.ts";

type Shown = Required<ShowOptions>;

/** An event as it comes from a run, an agent within one, or the store of a durable run, which has ends and restarts of its own. */
export type StreamedEvent =
  | RunEvent
  | AgentRunEvent
  | (RunEnd & { readonly type: "run-end" })
  | { readonly type: "turn-restart"; readonly index: number };

interface RunEnd {
  readonly index: number;
  readonly agent: string;
  readonly status: string;
  readonly result?: object;
  readonly error?: unknown;
}

/** An event as plain JSON. */
type PublicEvent = { readonly type: string; readonly index: number } & Readonly<Record<string, unknown>>;

/** An event as a client may see it; `undefined` for one that it may not. */
export function publicEvent(source: StreamedEvent, show: Shown): PublicEvent | undefined {
  if (source.type === "run-end") return endOfRun(source);
  const event = clientEvent(source);
  if (!event) return undefined;
  switch (event.type) {
    // What the program alone is interested in: how models are called, and what is wrong with the program.
    case "model-start":
    case "model-end":
    case "retry":
    case "compaction":
    case "warning":
      return undefined;
    case "turn-start":
    case "text-delta":
    case "output-delta":
    case "approval-request":
    case "handoff":
    case "events-dropped":
    case "turn-restart":
      return event;
    case "reasoning-delta":
      return show.reasoning ? event : undefined;
    case "tool-input-delta":
      return show.toolCalls ? event : undefined;
    case "tool-start":
      return show.toolCalls ? { ...event, ...uiFor(event) } : undefined;
    case "hosted-call":
      return show.toolCalls ? { ...event, call: publicHostedCall(event.call, show) } : undefined;
    case "tool-progress":
      return show.toolResults ? event : undefined;
    case "tool-end":
      return show.toolCalls ? endOfCall(event, show) : undefined;
    case "user-message":
      return { ...event, message: userMessageFor(event.message) };
    case "agent-event": {
      const inner = publicEvent(event.event, show);
      return inner && { ...event, event: inner };
    }
    case "turn-end":
      return endOfTurn(event, show);
  }
}

/** A conversation as a client may see it: without instructions. */
export function publicMessages(messages: readonly Message[], show: Shown): readonly object[] {
  return messages.flatMap((message): readonly object[] => {
    switch (message.role) {
      case "system":
        return [];
      case "user":
        return message.correction ? [] : [userMessageFor(message)];
      case "assistant":
        return [messageFor(message, show)];
      case "tool":
        return show.toolCalls ? [{ role: "tool", result: resultFor(message.result, show) }] : [];
    }
  });
}

function endOfCall(event: Extract<RunEvent, { readonly type: "tool-end" }>, show: Shown): PublicEvent {
  const { value: _value, error: _error, meta, ...rest } = event;
  const isMetaShown = meta !== undefined && isWhole(event.result, show);
  return { ...rest, ...uiFor(event), result: resultFor(event.result, show), ...(isMetaShown && { meta }) };
}

/** The page that shows a call, without what tells its server from others. */
function uiFor({ ui }: { readonly ui?: ToolUi }): { readonly ui?: ToolUi } {
  if (!ui) return {};
  const { serverId: _, ...page } = ui;
  return { ui: page };
}

function endOfTurn(event: Extract<RunEvent, { readonly type: "turn-end" }>, show: Shown): PublicEvent {
  return {
    ...event,
    message: messageFor(event.message, show),
    results: show.toolCalls ? event.results.map((result) => resultFor(result, show)) : [],
  };
}

/** The end of a run has no warnings, and of an error its code. Its `result` is a class of its own in JSON: context and state are not in it. */
function endOfRun(event: Extract<StreamedEvent, { readonly type: "run-end" }>): PublicEvent {
  const { type, index, agent, status } = event;
  const report: unknown =
    "result" in event && event.result !== undefined ? JSON.parse(JSON.stringify(event.result)) : undefined;
  const {
    warnings: _warnings,
    pending,
    blocked,
    ...rest
  }: {
    readonly warnings?: unknown;
    readonly pending?: unknown;
    readonly blocked?: VisibleBlock;
  } = Object(report);
  const calls: readonly PendingCall[] = Array.isArray(pending) ? pending : [];
  const result = { ...rest, pending: clientCalls(calls), ...(blocked && { blocked: blockFor(blocked) }) };
  return {
    type,
    index,
    agent,
    status,
    ...(report !== undefined && { result }),
    ...(event.error !== undefined && {
      error: status === "paused" ? publicProblem(event.error) : publicError(event.error),
    }),
  };
}

/** The name of a guard says what it looks for. */
function blockFor({ stage, message }: VisibleBlock): object {
  return { stage, ...(message !== undefined && { message }) };
}

function resultFor(result: ToolResult, show: Shown): object {
  const { toolCallId, toolName, isError, outcome, structuredContent } = result;
  const { text } = publicResult(result, show);
  const isShown = isWhole(result, show);
  return {
    toolCallId,
    toolName,
    isError,
    outcome,
    content: isShown ? withoutProviderData(result.content) : text === "" ? [] : [{ type: "text", text }],
    ...(isShown && structuredContent !== undefined && { structuredContent }),
  };
}

/** Whether a client sees all of a result that the model sees. */
function isWhole({ outcome }: ToolResult, show: Shown): boolean {
  return show.toolResults && !(outcome === "error" && !show.toolErrors);
}

function messageFor(message: AssistantMessage, show: Shown): object {
  const isShown = ({ type }: AssistantPart): boolean =>
    type === "provider"
      ? false
      : type === "reasoning"
        ? show.reasoning
        : type !== "tool-call" || show.toolCalls;
  return {
    ...message,
    content: withoutProviderData(message.content.filter(isShown)),
    toolCalls: show.toolCalls ? message.toolCalls : [],
  };
}

function userMessageFor({ content }: UserMessage): object {
  return { role: "user", content: typeof content === "string" ? content : withoutProviderData(content) };
}

function withoutProviderData(parts: readonly (AssistantPart | Part)[]): readonly object[] {
  return parts.map(({ providerData: _data, ...part }) => part);
}
