/** What the tests of servers share: a server to try, and requests that no well-behaved client sends. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Agent, tool } from "skein";
import { type Listening, serve, type ServeOptions, type SkeinServer } from "skein/server";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { onTestFinished } from "vitest";

/** An agent that greets. */
export function greeter(name = "Hello"): Agent {
  return new Agent({ name, model: new FunctionModel(() => "Hi there.") });
}

const orders = { type: "object", properties: { order: { type: "number" } }, required: ["order"] } as const;

/** An agent whose one tool waits for a decision. */
export function refunds(name = "Refunds"): Agent {
  const refund = tool({
    name: "refund",
    approval: true,
    input: orders,
    execute: ({ order }: { readonly order: number }) => `Refunded ${order}.`,
  });
  const call = { toolName: "refund", arguments: { order: 7 } };
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user" ? { toolCalls: [call] } : "Done.",
  );
  return new Agent({ name, model, tools: [refund] });
}

/** An agent that works until it is let go. */
export function waiter(name = "Waiter"): { readonly agent: Agent; readonly letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  const wait = tool({ name: "wait", input: { type: "object" }, execute: () => promise });
  const turns = Array.from({ length: 20 }, () => [
    { toolCalls: [{ toolName: "wait", arguments: {} }] },
    "Done.",
  ]);
  return {
    agent: new Agent({ name, model: new ScriptedModel(turns.flat()), tools: [wait] }),
    letGo: () => resolve("Waited."),
  };
}

/** Serves agents until the test is over. */
export function served(agents: Parameters<typeof serve>[0], options: ServeOptions = {}): SkeinServer {
  const server = serve(agents, { onError: () => {}, ...options });
  onTestFinished(() => server.close({ drain: 0 }));
  return server;
}

/** The same, on a free port of this machine. */
export async function listening(
  agents: Parameters<typeof serve>[0],
  options: ServeOptions = {},
): Promise<Listening & { readonly server: SkeinServer }> {
  const server = served(agents, options);
  return { ...(await server.listen({ port: 0 })), server };
}

/** A request to a server that need not listen. */
export function request(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Request {
  return new Request(`http://localhost:3000${path}`, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

/** The status of an answer, and the code of its error. */
export async function outcome(response: Response): Promise<string> {
  const text = await response.text();
  if (!text.startsWith("{")) return String(response.status);
  const { error }: { readonly error?: { readonly code?: string } } = JSON.parse(text);
  return [response.status, ...(error ? [error.code] : [])].join(" ");
}

/** The events of a stream. */
export async function eventsOf(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text();
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]): Record<string, unknown> =>
    JSON.parse(data),
  );
}

/** A connection that bytes are written to as they are. */
export async function rawConnection(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** What a server answers to bytes, until it closes the connection or has been silent for a while. */
export async function answerTo(port: number, bytes: string, silence = 300): Promise<string> {
  const socket = await rawConnection(port);
  socket.write(bytes);
  return heard(socket, silence);
}

/** What comes over a connection, until it is closed or has been silent for a while. */
export async function heard(socket: Socket, silence = 300): Promise<string> {
  let text = "";
  socket.on("data", (chunk) => (text += String(chunk)));
  await new Promise<void>((resolve) => {
    socket.setTimeout(silence, () => resolve());
    socket.once("close", () => resolve());
  });
  return text;
}
