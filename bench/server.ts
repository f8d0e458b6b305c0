/** A server that speaks Chat Completions, in a process of its own, so that its work does not count as anybody's. */
import { setTimeout as sleep } from "node:timers/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { argumentAnswer, callAnswer, textAnswer } from "./answers.ts";

const server = createServer((request, response) => void answer(request, response));
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") process.send?.(address?.port);
});
process.on("disconnect", () => process.exit());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  const [, kind = "", size = "", pause = ""] = request.url?.split("/") ?? [];
  if (Number(pause) > 0) await sleep(Number(pause));
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "x-request-id": "req_1" });
  const events = answerTo(kind, Number(size), body);
  // Events come one by one, as a model makes them; where there are thousands, reading them is what is measured.
  if (kind !== "calls") response.write(events.join(""));
  else for (const event of events) await written(response, event);
  response.end();
}

/**
 * What the path asks for: `/calls/10/1/...` ten calls, one a turn, after a millisecond each; `/text/20000/...` and
 * `/argument/5000/...` that many pieces.
 */
function answerTo(kind: string, size: number, body: string): readonly string[] {
  const answered = body.split('"role":"tool"').length - 1;
  if (kind === "calls" && answered < size) return callAnswer(answered);
  if (kind === "argument" && answered === 0) return argumentAnswer(size);
  return textAnswer(kind === "text" ? size : 8);
}

async function written(response: ServerResponse, event: string): Promise<void> {
  response.write(event);
  await new Promise(setImmediate);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
