/** An editor for tests: the official client, with `skein acp` as a process of its own. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import {
  client,
  ndJsonStream,
  type ClientCapabilities,
  type ClientContext,
  type ContentBlock,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type LoadSessionResponse,
  type NewSessionRequest,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { onTestFinished } from "vitest";
import { fromSources } from "../skein-command.ts";

/** What happens in an editor. */
export interface EditorOptions {
  readonly cwd: string;
  readonly capabilities?: ClientCapabilities;
  readonly variables?: Readonly<Record<string, string>>;
  /** Answers permissions; allows all by default. */
  readonly onPermission?: (
    request: RequestPermissionRequest,
    signal: AbortSignal,
  ) => RequestPermissionResponse | Promise<RequestPermissionResponse>;
  /** Answers questions of servers; cancels all by default. */
  readonly onQuestion?: (request: CreateElicitationRequest) => CreateElicitationResponse;
  /** Called with each update, at once. */
  readonly onUpdate?: (sessionId: string, update: SessionUpdate) => void;
}

/** An editor that has started an agent. */
export interface Editor {
  readonly agent: ClientContext;
  readonly child: ChildProcess;
  /** All updates of a session, in their order. */
  updates(sessionId: string): readonly SessionUpdate[];
  readonly permissions: readonly RequestPermissionRequest[];
  stderr(): string;
  newSession(more?: Partial<NewSessionRequest>): Promise<string>;
  prompt(sessionId: string, ...blocks: readonly (string | ContentBlock)[]): Promise<PromptResponse>;
  load(sessionId: string): Promise<LoadSessionResponse>;
  /** Closes the agent's input. Resolves with its exit code. */
  leave(): Promise<number | null>;
}

/** Allows a call once. */
export const allow: RequestPermissionResponse = { outcome: { outcome: "selected", optionId: "allow" } };

/** Rejects a call once. */
export const reject: RequestPermissionResponse = { outcome: { outcome: "selected", optionId: "reject" } };

/** Starts `skein acp` with these arguments, and initializes the connection. */
export async function startEditor(args: readonly string[], options: EditorOptions): Promise<Editor> {
  const {
    cwd,
    capabilities = {},
    variables = {},
    onPermission = () => allow,
    onQuestion,
    onUpdate,
  } = options;
  const child = spawn(process.execPath, [...fromSources, "acp", ...args], {
    cwd,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      NODE_COMPILE_CACHE: join(tmpdir(), "skein-compiled"),
      ...variables,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const bySession = new Map<string, SessionUpdate[]>();
  const permissions: RequestPermissionRequest[] = [];
  const app = client({ name: "test" })
    .onRequest("session/request_permission", ({ params, signal }) => {
      permissions.push(params);
      return onPermission(params, signal);
    })
    .onRequest("elicitation/create", ({ params }) => onQuestion?.(params) ?? { action: "cancel" })
    .onNotification("session/update", ({ params: { sessionId, update } }) => {
      const updates = bySession.get(sessionId) ?? [];
      updates.push(update);
      bySession.set(sessionId, updates);
      onUpdate?.(sessionId, update);
    });
  const connection = app.connect(ndJsonStream(Writable.toWeb(child.stdin), bytesOf(child.stdout)));
  const exited = once(child, "close");
  const leave = async (): Promise<number | null> => {
    child.stdin.end();
    await exited;
    return child.exitCode;
  };
  onTestFinished(async () => {
    connection.close();
    child.kill("SIGKILL");
    await exited;
  });
  const { agent } = connection;
  await agent.request("initialize", { protocolVersion: 1, clientCapabilities: capabilities });
  return {
    agent,
    child,
    permissions,
    updates: (sessionId) => bySession.get(sessionId) ?? [],
    stderr: () => stderr,
    newSession: async (more = {}) => {
      const { sessionId } = await agent.request("session/new", { cwd, mcpServers: [], ...more });
      return sessionId;
    },
    prompt: (sessionId, ...blocks) =>
      afterUpdates(agent.request("session/prompt", { sessionId, prompt: blocks.map(toBlock) })),
    load: (sessionId) => afterUpdates(agent.request("session/load", { sessionId, cwd, mcpServers: [] })),
    leave,
  };
}

/** An answer, once the updates that came before it have reached their handlers: the client looks for those step by step. */
async function afterUpdates<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } finally {
    await new Promise((done) => setImmediate(done));
  }
}

function toBlock(block: string | ContentBlock): ContentBlock {
  return typeof block === "string" ? { type: "text", text: block } : block;
}

function bytesOf(input: AsyncIterable<unknown>): ReadableStream<Uint8Array> {
  const chunks = input[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (value instanceof Uint8Array) controller.enqueue(value);
      if (done) controller.close();
    },
  });
}

/** The text that the agent has said. */
export function textOf(updates: readonly SessionUpdate[]): string {
  return updates
    .map((update) =>
      update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
        ? update.content.text
        : "",
    )
    .join("");
}

/** A card as an editor has it in the end. */
export interface Card {
  readonly title: string;
  readonly statuses: readonly string[];
  readonly rawInput: unknown;
  readonly content: string;
}

/** The cards of a session, by their ids. */
export function cardsOf(updates: readonly SessionUpdate[]): ReadonlyMap<string, Card> {
  const cards = new Map<string, Card>();
  for (const update of updates) {
    if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") continue;
    const before = cards.get(update.toolCallId);
    if ((before === undefined) !== (update.sessionUpdate === "tool_call"))
      throw new Error(`The card ${update.toolCallId} begins twice, or has not begun.`);
    const { title, status, rawInput, content } = update;
    cards.set(update.toolCallId, {
      title: title ?? before?.title ?? "",
      statuses: [...(before?.statuses ?? []), ...(status ? [status] : [])],
      rawInput: rawInput ?? before?.rawInput,
      content: content ? JSON.stringify(content) : (before?.content ?? ""),
    });
  }
  return cards;
}
