import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { executeToolCalls, type ToolResult, type ToolSource } from "skein";

/** What a service answers. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A request as it came in. */
export interface Received {
  readonly method: string | undefined;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A service on this machine. */
export interface TestService {
  readonly url: string;
  readonly received: readonly Received[];
  /** What the next requests are answered with, the last one again and again. `undefined` answers never. */
  answer(...answers: readonly (Answer | string | undefined)[]): void;
  close(): Promise<void>;
}

/** Starts a service on a free port of 127.0.0.1. */
export async function startService(): Promise<TestService> {
  const received: Received[] = [];
  let answers: readonly (Answer | string | undefined)[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://service");
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const { method, headers } = request;
      const query = Object.fromEntries(url.searchParams);
      received.push({ method, path: url.pathname, query, headers, body: Buffer.concat(pieces).toString() });
      const [next] = answers;
      if (answers.length > 1) answers = answers.slice(1);
      if (next === undefined) return;
      const { status = 200, headers: own = {}, body } = typeof next === "string" ? { body: next } : next;
      response.writeHead(status, own).end(body);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (...next) => void (answers = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Calls a tool as a model does. */
export async function callTool(tool: ToolSource, toolName: string, args: object): Promise<ToolResult> {
  const call = { toolCallId: "call_1", toolName, arguments: JSON.stringify(args) };
  const [result] = await executeToolCalls([call], [tool]);
  if (!result) throw new Error("the call has no result");
  return result;
}

/** The text that the model sees. */
export function textOf({ content }: ToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
