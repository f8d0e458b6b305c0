import { historyProgress } from "./history-progress.ts";
import type {
  AssistantMessage,
  Message,
  ToolCall,
  ToolMessage,
  ToolResult,
  UserMessage,
} from "./messages.ts";
import type { AssistantPart } from "./parts.ts";
import { abandonedCall } from "./unanswered-calls.ts";

/** A message that is not a tool's, with the results that belong behind it. */
interface Group {
  readonly messages: Message[];
  readonly calls: OpenCall[];
}

/** A call under an id that no other call has. */
interface OpenCall {
  readonly call: ToolCall;
  readonly group: Group;
  hasResult: boolean;
}

/** Histories only grow: each turn repairs its new messages alone. */
const progress = /* @__PURE__ */ historyProgress<Repair>();

/**
 * A history that every provider accepts. Each call has a unique id and exactly one result, right after its message: a missing
 * result becomes one that says so, a late one is moved there, a second one is dropped. A result whose call is not in the history
 * becomes a user message. Empty parts and messages are dropped, and so is an answer of reasoning alone, since its continuation
 * is lost. Pure and idempotent; returns the same messages, and the same array, if nothing is wrong.
 */
export function repairHistory(messages: readonly Message[]): readonly Message[] {
  const earlier = progress.checkout(messages);
  const repair = earlier?.state ?? new Repair();
  const from = earlier?.items.length ?? 0;
  for (let index = from; index < messages.length; index++) {
    const message = messages[index];
    if (message) repair.add(message, index === messages.length - 1);
  }
  const repaired = repair.end();
  repair.isSame &&=
    repaired.length === messages.length &&
    messages.slice(from).every((message, offset) => message === repaired[from + offset]);
  if (repair.isComplete) progress.store(messages, repair, earlier);
  return repair.isSame ? messages : [...repaired];
}

/** The ids of a history's calls, which the next answer must not reuse. */
export function callIdsOf(messages: readonly Message[]): ReadonlySet<string> {
  const repair = progress.peek(messages);
  if (repair) return repair.callIds;
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
  return new Set(calls.map(({ toolCallId }) => toolCallId));
}

/** The repair of one history, so far. */
class Repair {
  /** Whether later messages cannot change the repaired ones. */
  isComplete = true;
  /** Whether nothing has been wrong so far. */
  isSame = true;
  readonly #repaired: Message[] = [];
  /** The messages since the first call without a result, if there is one. */
  #groups: Group[] = [];
  readonly #ids = new Ids();
  /** The calls that wait for a result, by the ids that the history has for them. */
  readonly #waiting = new Map<string, OpenCall[]>();
  readonly #callIds = new Set<string>();
  /**
   * An answer that was cut off. It counts where the user replies to it; otherwise the model answers once more from the start, since
   * some refuse a request that ends with an answer.
   */
  #cut: AssistantMessage | undefined;

  /** The ids of all calls, as the history has them. */
  get callIds(): ReadonlySet<string> {
    return this.#callIds;
  }

  add(message: Message, isLast: boolean): void {
    if (message.role === "tool") return this.#place(message);
    const cut = this.#cut;
    this.#cut = undefined;
    if (message.role === "assistant" && message.truncated) {
      this.#cut = message;
      return;
    }
    if (cut && message.role !== "assistant") this.#append(cut, false);
    this.#append(message, isLast);
  }

  #append(message: Exclude<Message, ToolMessage>, isLast: boolean): void {
    const cleaned = cleanedMessage(message, isLast);
    if (!cleaned) return;
    if (isLast && !cleanedMessage(message, false)) this.isComplete = false;
    const unique = cleaned.role === "assistant" ? withOwnIds(cleaned, this.#ids) : cleaned;
    const calls = unique.role === "assistant" ? unique.toolCalls : [];
    const group: Group = { messages: [unique], calls: [] };
    this.#groups.push(group);
    if (cleaned.role !== "assistant") return;
    // A reused id refers to the later call from here on.
    for (const { toolCallId } of cleaned.toolCalls) this.#waiting.set(toolCallId, []);
    for (const [place, call] of calls.entries()) {
      const id = cleaned.toolCalls[place]?.toolCallId ?? call.toolCallId;
      this.#callIds.add(id);
      const open: OpenCall = { call, group, hasResult: false };
      group.calls.push(open);
      this.#waiting.get(id)?.push(open);
    }
  }

  /** The repaired history up to here; calls without a result get one. */
  end(): readonly Message[] {
    for (const { messages, calls } of this.#groups) {
      for (const message of messages) this.#repaired.push(message);
      for (const { call, hasResult } of calls) {
        if (hasResult) continue;
        this.#repaired.push(abandonedCall(call));
        this.isComplete = false;
      }
    }
    this.#groups = [];
    return this.#repaired;
  }

  #place(message: ToolMessage): void {
    const { result } = message;
    const openCall = this.#waiting.get(result.toolCallId)?.shift();
    if (openCall) {
      const { call, group } = openCall;
      openCall.hasResult = true;
      const isNamed = call.toolCallId === result.toolCallId;
      group.messages.push(
        isNamed ? message : { ...message, result: { ...result, toolCallId: call.toolCallId } },
      );
    } else if (!this.#callIds.has(result.toolCallId)) {
      this.#groups.push({ messages: [asUserMessage(result)], calls: [] });
    }
  }
}

/** A result without its call, which a provider would refuse as a tool message. */
function asUserMessage({ toolName, content }: ToolResult): UserMessage {
  const text = `A result of ${toolName || "a tool"}, whose call is not in this conversation:`;
  return { role: "user", content: [{ type: "text", text }, ...content.filter(hasContent)] };
}

/** The message without its empty parts; `undefined` if nothing is left. The user's last message may be empty. */
function cleanedMessage(
  message: Exclude<Message, ToolMessage>,
  isLast: boolean,
): Exclude<Message, ToolMessage> | undefined {
  if (message.role === "assistant") return cleanedAnswer(message);
  const { content } = message;
  const nonEmpty = typeof content === "string" ? content : nonEmptyParts(content);
  if (nonEmpty.length === 0) return isLast && message.role === "user" ? message : undefined;
  if (nonEmpty === content || message.role === "system" || typeof nonEmpty === "string") return message;
  return { ...message, content: nonEmpty };
}

function cleanedAnswer(message: AssistantMessage): AssistantMessage | undefined {
  const { toolCalls } = message;
  const content = withoutLostReferences(nonEmptyParts(message.content), toolCalls);
  if (toolCalls.length === 0 && content.every((part) => part?.type === "reasoning")) return undefined;
  return content === message.content ? message : { ...message, content };
}

/** The parts that are not empty, or that their provider needs again; the same list if all are. */
function nonEmptyParts<P extends AssistantPart>(parts: readonly P[]): readonly P[] {
  return parts.every(hasContent) ? parts : parts.filter(hasContent);
}

function hasContent(part: AssistantPart): boolean {
  const isText = part?.type === "text" || part?.type === "reasoning";
  return !isText || part.text !== "" || part.providerData !== undefined;
}

/** Drops references to calls that are not in the message, and surplus references to one call. */
function withoutLostReferences(
  parts: readonly AssistantPart[],
  calls: readonly ToolCall[],
): readonly AssistantPart[] {
  const left = new Map<string, number>();
  for (const { toolCallId } of calls) left.set(toolCallId, (left.get(toolCallId) ?? 0) + 1);
  const filtered = parts.filter((part) => {
    if (part?.type !== "tool-call") return true;
    const count = left.get(part.toolCallId) ?? 0;
    left.set(part.toolCallId, count - 1);
    return count > 0;
  });
  return filtered.length === parts.length ? parts : filtered;
}

/** The answer with ids that no earlier call has; the same one if all are new. */
function withOwnIds(message: AssistantMessage, ids: Ids): AssistantMessage {
  const renamed = new Map<string, string[]>();
  const toolCalls = message.toolCalls.map((call) => {
    const toolCallId = ids.claim(call.toolCallId);
    const names = renamed.get(call.toolCallId) ?? [];
    names.push(toolCallId);
    renamed.set(call.toolCallId, names);
    return toolCallId === call.toolCallId ? call : { ...call, toolCallId };
  });
  if (toolCalls.every((call, place) => call === message.toolCalls[place])) return message;
  const content = message.content.map((part) => {
    if (part.type !== "tool-call") return part;
    return { ...part, toolCallId: renamed.get(part.toolCallId)?.shift() ?? part.toolCallId };
  });
  return { ...message, toolCalls, content };
}

/** Issues unique ids. */
class Ids {
  readonly #used = new Set<string>();
  /** The number to try next for variants of an id. */
  readonly #next = new Map<string, number>();

  /** Claims an id: `id` itself, or a variant if it is taken. */
  claim(id: string): string {
    let free = id;
    let count = this.#next.get(id) ?? 2;
    while (this.#used.has(free)) free = `${id}_${count++}`;
    if (free !== id) this.#next.set(id, count);
    this.#used.add(free);
    return free;
  }
}
