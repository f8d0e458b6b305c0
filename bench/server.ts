/** A server that speaks Chat Completions, in a process of its own, so that its work does not count as anybody's. */
import { setTimeout as sleep } from "node:timers/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { argumentAnswer, callAnswer, handoverAnswer, spokenCallAnswer, textAnswer } from "./answers.ts";

const server = createServer((request, response) => void answer(request, response));
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") process.send?.(address?.port);
});
process.on("disconnect", () => process.exit());

/** How many events a write of an answer has; all of them where nothing is said. */
const eventsOfWrite: Readonly<Record<string, number>> = { calls: 1, spoken: 16, held: 15, paced: 1 };

/** Milliseconds between two writes of a paced answer. */
const pace = 1000;

/** Answers that have begun, and go on once somebody says so. */
const held: (() => void)[] = [];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  const [, kind = "", size = "", pause = ""] = request.url?.split("/") ?? [];
  if (kind === "waiting") return void response.end(String(held.length));
  if (kind === "release") {
    for (const release of held.splice(0)) release();
    return void response.end();
  }
  if (Number(pause) > 0) await sleep(Number(pause));
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "x-request-id": "req_1" });
  const events = answerTo(kind, Number(size), body);
  const count = eventsOfWrite[kind] ?? events.length;
  for (let from = 0; from < events.length; from += count) {
    if (from > 0) await (waits[kind] ?? nextRound)();
    response.write(events.slice(from, from + count).join(""));
  }
  response.end();
}

function nextRound(): Promise<void> {
  return new Promise(setImmediate);
}

/** What the next write of an answer waits for. */
const waits: Readonly<Record<string, () => Promise<void>>> = {
  held: () => new Promise((resolve) => held.push(resolve)),
  paced: () => sleep(pace),
};

/**
 * What the path asks for: `/calls/10/1/...` ten calls, one a turn, event by event, after a millisecond each; `/whole/10/...` the
 * same in one write, `/spoken/10/...` with something said before; `/handovers/10/...` ten of these; `/text/20000/...` and
 * `/argument/5000/...` that many pieces; `/paced/5/...` that many, one a second; `/held/2` two calls, and an answer that goes on
 * once `/release` is posted to.
 */
function answerTo(kind: string, size: number, body: string): readonly string[] {
  const answered = body.split('"role":"tool"').length - 1;
  if (kind === "argument" && answered === 0) return argumentAnswer(size);
  if (kind === "text" || kind === "paced") return textAnswer(size);
  if (kind === "held" && answered >= size) return textAnswer(16);
  if (kind === "argument" || answered >= size) return textAnswer(8);
  if (kind === "spoken") return spokenCallAnswer(answered);
  return kind === "handovers" ? handoverAnswer(answered) : callAnswer(answered);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
