import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type Agent, stream, tool, type RunOptions, type RunResult, type RunState, type Tool } from "skein";
import { HttpAgent, type BaseEvent, type Message } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { expect, vi } from "vitest";
import { fromAgUiInput, type AgUiInput } from "./from-ag-ui-input.ts";
import type { AgUiOptions } from "./options.ts";
import { toAgUiResponse } from "./to-ag-ui-events.ts";
import { toAgUiMessages } from "./to-ag-ui-messages.ts";
import type { AgUiMessage } from "./types.ts";

/** How an app of a test runs its agent. */
export interface AppOptions extends Pick<AgUiOptions, "show" | "state"> {
  readonly run?: Pick<RunOptions, "context" | "middleware" | "maxTurns">;
  /** Whether the messages of the client are passed to the encoder. */
  readonly restates?: boolean;
  /** Called with each run. */
  readonly onRun?: (running: ReturnType<typeof stream>) => void;
}

/** An app with a memory: each thread has the state of its last run. */
export class App {
  readonly #agent: Agent;
  readonly #options: AppOptions;
  readonly #states = new Map<string, RunState>();
  /** What the runs came to; an error where they failed. */
  readonly results: (RunResult | Error)[] = [];
  readonly inputs: AgUiInput[] = [];
  /** Everything that was sent, but what is on its way. */
  sent = "";

  constructor(agent: Agent, options: AppOptions = {}) {
    this.#agent = agent;
    this.#options = options;
  }

  /** Answers one request. */
  readonly handle = async (body: unknown): Promise<Response> => {
    const input = fromAgUiInput(body);
    this.inputs.push(input);
    const { show, state, restates = true, onRun } = this.#options;
    const running = this.#start(input);
    onRun?.(running);
    const ended = running.result.then(
      (result) => {
        this.#states.set(input.threadId, result.state);
        return this.results.push(result);
      },
      (error: unknown) => this.results.push(error instanceof Error ? error : new Error(String(error))),
    );
    const { threadId, runId, agUiMessages } = input;
    const response = toAgUiResponse(running, {
      threadId,
      runId,
      ...(show && { show }),
      ...(state && { state }),
      ...(restates && { messages: agUiMessages }),
      onCancel: () => running.cancel(),
    });
    return new Response(response.body?.pipeThrough(this.#recorder(ended)) ?? null, response);
  };

  #start(input: AgUiInput): ReturnType<typeof stream> {
    const { tools, message, decisions, results, threadId } = input;
    const clientTools = tools.map((each) => tool({ ...each }));
    const { tools: own } = this.#agent;
    const agent =
      clientTools.length > 0 ? this.#agent.with({ tools: [...toList(own), ...clientTools] }) : this.#agent;
    const earlier = this.#states.get(threadId);
    const { run } = this.#options;
    if (earlier?.status === "paused" && !message) {
      const open = new Set(
        earlier.pending.flatMap((call) => (call.approvalId === undefined ? call.toolCallId : [])),
      );
      const answers = results.filter(({ toolCallId }) => open.has(toolCallId));
      return stream(agent, earlier, { ...run, approvals: decisions, results: answers });
    }
    return stream(agent, [...(earlier?.messages ?? []), message ?? { role: "user", content: "" }], {
      ...run,
    });
  }

  /** The response ends when the result is noted. */
  #recorder(ended: Promise<unknown>): TransformStream<Uint8Array, Uint8Array> {
    const decoder = new TextDecoder();
    return new TransformStream({
      transform: (chunk, controller) => {
        this.sent += decoder.decode(chunk, { stream: true });
        controller.enqueue(chunk);
      },
      flush: async () => void (await ended),
    });
  }
}

function toList(tools: NonNullable<Agent["tools"]>): readonly Tool[] {
  if (!Array.isArray(tools)) throw new TypeError("the agents of these tests list their tools");
  return tools;
}

/** A server over HTTP, on a free port. */
export async function listen(app: App): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => void respond(app, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function respond(app: App, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answered = await answer(app, request);
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  const reader = answered.body?.getReader();
  response.on("close", () => void reader?.cancel().catch(() => {}));
  for (;;) {
    const next = await reader?.read().catch(() => undefined);
    if (!next || next.done) break;
    response.write(next.value);
  }
  response.end();
}

async function answer(app: App, request: IncomingMessage): Promise<Response> {
  try {
    return await app.handle(JSON.parse(await text(request)));
  } catch (error) {
    return Response.json({ message: String(error) }, { status: 400 });
  }
}

/** A client that reads the app without a network: every event passes `enforceEvents` and `verifyEvents`. */
export function clientOf(app: App): HttpAgent {
  return new HttpAgent({
    url: "http://app.test/",
    fetch: async (_url, init) => app.handle(JSON.parse(typeof init?.body === "string" ? init.body : "")),
  });
}

/** One run of a client: its events, each of which fits the schema to the letter, and what the client complains about. */
export async function runClient(
  client: HttpAgent,
  parameters: Parameters<HttpAgent["runAgent"]>[0] = {},
): Promise<{
  readonly events: readonly BaseEvent[];
  readonly result: unknown;
  readonly warnings: readonly unknown[];
}> {
  const events: BaseEvent[] = [];
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const complain = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    const { result }: { readonly result: unknown } = await client.runAgent(parameters, {
      onEvent: ({ event }) => void events.push(event),
    });
    for (const event of events) EventSchemas.parse(event);
    return { events, result, warnings: [...warn.mock.calls, ...complain.mock.calls] };
  } finally {
    warn.mockRestore();
    complain.mockRestore();
  }
}

/** Adds a message and runs. */
export async function say(
  client: HttpAgent,
  content: Extract<Message, { readonly role: "user" }>["content"],
  parameters: Parameters<HttpAgent["runAgent"]>[0] = {},
): ReturnType<typeof runClient> {
  client.addMessage({ id: crypto.randomUUID(), role: "user", content });
  return runClient(client, parameters);
}

/** The conversation as the client has it: what is the run's own, without ids. */
export function conversationOf(client: HttpAgent): readonly unknown[] {
  return inCallOrder(
    client.messages
      .filter(({ role, subagentRunId }) => role !== "activity" && subagentRunId === undefined)
      .map(withoutId),
  );
}

/** Results come as the calls end: in the history they are in the order of the calls. */
function inCallOrder(messages: readonly unknown[]): readonly unknown[] {
  const sorted: unknown[] = [];
  let results: [id: string, message: unknown][] = [];
  const flush = (): void => {
    sorted.push(
      ...results.toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, message]) => message),
    );
    results = [];
  };
  for (const message of messages) {
    const id: unknown = Reflect.get(Object(message), "toolCallId");
    if (typeof id === "string") results.push([id, message]);
    else {
      flush();
      sorted.push(message);
    }
  }
  flush();
  return sorted;
}

/** The same of a run's history. */
export function expectedConversation(result: RunResult | Error | undefined, show = {}): readonly unknown[] {
  if (!result || result instanceof Error) throw new Error("the run has failed", { cause: result });
  return inCallOrder(toAgUiMessages(result.state.messages, { show }).map(withoutId));
}

/** Calls that get an id late come late. */
function withoutId({ id: _id, ...message }: Message | AgUiMessage): unknown {
  if (message.role !== "assistant" || !message.toolCalls) return message;
  return {
    ...message,
    toolCalls: message.toolCalls.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
  };
}

/** The types of events, in their order; those that follow each other are one. */
export function typesOf(events: readonly BaseEvent[]): readonly string[] {
  return events.map(({ type }) => type).filter((type, index, all): boolean => type !== all[index - 1]);
}

/** Checks that a run went as the protocol has it, and that the client has what the run has. */
export async function expectSame(
  app: App,
  client: HttpAgent,
  running: ReturnType<typeof runClient>,
): Promise<void> {
  const { warnings } = await running;
  expect(warnings).toEqual([]);
  expect(conversationOf(client)).toEqual(expectedConversation(app.results.at(-1)));
}
