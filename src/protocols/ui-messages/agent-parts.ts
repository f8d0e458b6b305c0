import { boundary } from "../../base/util/cut-text.ts";
import type { ToolCall, ToolResult } from "../../message/messages.ts";
import type { AgentRunEvent } from "../../run/types.ts";
import type { UIMessageChunk } from "./chunks.ts";
import type { MessageWriter, OtherPart } from "./message-writer.ts";
import type { EncoderOptions } from "./options.ts";
import type { AgentCall, AgentData } from "./ui-message.ts";

/** The most characters and calls of a part, which is sent whole each time. */
const mostText = 8_192;
const mostCalls = 50;

/** About how many characters a call has in a part. */
const callSize = 100;

/** What is sent of a part again must be worth it: news of at least this share of the part, or this number of characters. */
const leastShare = 0.2;
const leastNews = 80;

/** An agent that a tool runs. */
interface InnerAgent {
  readonly parentToolCallId: string;
  agent: string;
  status: AgentData["status"];
  text: string;
  calls: AgentCall[];
  /** How much of it the client does not have yet, about in characters. */
  news: number;
  /** The piece of text just before: a model that writes its output as text has each piece of it twice. */
  lastText: string | undefined;
  part?: OtherPart;
}

/** The `data-agent` parts of a message: one for each call whose tool runs an agent. */
export class AgentParts {
  readonly #writer: MessageWriter;
  readonly #show: EncoderOptions["show"];
  readonly #agents = new Map<string, InnerAgent>();

  constructor(writer: MessageWriter, { show }: EncoderOptions) {
    this.#writer = writer;
    this.#show = show;
  }

  /**
   * An event of an agent that the tool of a call runs.
   * @param path - The ids of the calls around it and its own, joined by slashes: the id of the part.
   */
  add(event: AgentRunEvent, path: string, parentToolCallId: string): void {
    if (!this.#show.toolCalls) return;
    const agent = this.#agentOf(path, parentToolCallId, event.agent);
    change(agent, event, this.#show.toolResults);
    if (agent.news >= Math.max(leastNews, leastShare * sizeOf(agent))) this.#write(path, agent);
  }

  /** The call has ended, and so has its agent. */
  end(parentToolCallId: string): void {
    for (const [path, agent] of this.#agents) {
      if (path !== parentToolCallId && !path.startsWith(`${parentToolCallId}/`)) continue;
      if (agent.status === "running") agent.news = 1;
      agent.status = agent.status === "running" ? "cancelled" : agent.status;
      if (agent.news > 0) this.#write(path, agent);
      this.#agents.delete(path);
    }
  }

  /** The stream ends. */
  flush(): void {
    for (const [path, agent] of this.#agents) if (agent.news > 0) this.#write(path, agent);
  }

  /** What the step has of them is void. */
  reset(): void {
    this.#agents.clear();
  }

  #agentOf(path: string, parentToolCallId: string, name: string): InnerAgent {
    const current = this.#agents.get(path);
    if (current) return current;
    const agent: InnerAgent = {
      parentToolCallId,
      agent: name,
      status: "running",
      text: "",
      calls: [],
      news: leastNews,
      lastText: undefined,
    };
    this.#agents.set(path, agent);
    return agent;
  }

  #write(id: string, agent: InnerAgent): void {
    const { agent: name, parentToolCallId, status, text, calls } = agent;
    const data: AgentData = { agent: name, parentToolCallId, status, text, calls: [...calls] };
    const chunk: UIMessageChunk = { type: "data-agent", id, data };
    agent.news = 0;
    if (agent.part) this.#writer.replacePart(agent.part, chunk);
    else agent.part = this.#writer.addPart(chunk);
  }
}

function sizeOf({ text, calls }: InnerAgent): number {
  return text.length + callSize * calls.length;
}

function change(agent: InnerAgent, event: AgentRunEvent, showsText: boolean): void {
  const { type } = event;
  const isRepeated = type === "output-delta" && agent.lastText === event.text;
  agent.lastText = type === "text-delta" ? event.text : undefined;
  if (type === "turn-start") startTurn(agent, event.agent);
  else if (type === "run-end") end(agent, event.status);
  else if (type === "text-delta" || type === "output-delta") {
    if (showsText && !isRepeated) addText(agent, event.text);
  } else if (type === "tool-start" || type === "tool-end") {
    if (event.parentToolCallId !== undefined) return;
    if (type === "tool-start") addCall(agent, event.toolCall);
    else endCall(agent, event.result);
  }
}

function startTurn(agent: InnerAgent, name: string): void {
  agent.agent = name;
  agent.text = "";
  agent.status = "running";
}

function end(agent: InnerAgent, status: AgentData["status"]): void {
  agent.status = status;
  agent.news = Infinity;
}

function addText(agent: InnerAgent, text: string): void {
  const room = mostText - agent.text.length;
  if (room <= 0) return;
  const piece = text.length <= room ? text : text.slice(0, boundary(text, room));
  agent.text += piece;
  agent.news += piece.length;
}

function addCall(agent: InnerAgent, { toolCallId, toolName }: ToolCall): void {
  if (agent.calls.some((call) => call.toolCallId === toolCallId && call.state === "running")) return;
  agent.calls.push({ toolCallId, toolName, state: "running" });
  if (agent.calls.length > mostCalls) agent.calls.shift();
  agent.news += callSize;
}

function endCall(agent: InnerAgent, { toolCallId, isError }: ToolResult): void {
  const at = agent.calls.findLastIndex((call) => call.toolCallId === toolCallId);
  const call = agent.calls[at];
  if (!call) return;
  agent.calls[at] = { ...call, state: isError ? "error" : "done" };
  agent.news += callSize;
}
