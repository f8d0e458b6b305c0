import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import OpenAI from "openai";
import { onTestFinished } from "vitest";

/** What answers a request, as a server of one's own would. */
export type Handler = (path: string, body: unknown, request: IncomingMessage) => Promise<Response>;

/** The official client of a server on 127.0.0.1, which runs until the test is over. */
export async function clientOf(handler: Handler): Promise<OpenAI> {
  const server = createServer((request, response) => void answer(handler, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return new OpenAI({ apiKey: "x", baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0 });
}

/** The official client of a function, without a server. */
export function directClient(handler: () => Promise<Response>): OpenAI {
  return new OpenAI({ apiKey: "x", maxRetries: 0, fetch: handler });
}

async function answer(handler: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  const { status, headers, body } = await handler(
    request.url ?? "",
    text === "" ? undefined : JSON.parse(text),
    request,
  );
  response.writeHead(status, Object.fromEntries(headers));
  const reader = body?.getReader();
  response.on("close", () => void reader?.cancel());
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
    response.write(next.value);
  response.end();
}
