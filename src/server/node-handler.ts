import { KeepAlive, sseBodyOf, type SseBody } from "../base/stream/sse-response.ts";
import type { Answer } from "./answer.ts";
import type { IncomingRequest } from "./incoming.ts";
import { nodeRequest } from "./node-request.ts";
import { plainRefusal, Refusal } from "./refusal.ts";
import type { NodeRequest, NodeResponse } from "./types.ts";

/** How long the headers of a stream wait for its first event, in milliseconds. */
const longestHeaders = 20;

/** Answers a request of `node:http`. Resolves once the answer is written, or the client is gone. */
export async function answerNode(
  answer: (request: IncomingRequest) => Promise<Answer>,
  incoming: NodeRequest,
  outgoing: NodeResponse,
): Promise<void> {
  const client = new Client(outgoing);
  try {
    const request = nodeRequest(incoming, outgoing);
    const answered = request instanceof Refusal ? plainRefusal(request) : await answer(request);
    if (!(answered instanceof Response)) {
      outgoing.writeHead(200, answered.headers);
      await writeFrames(answered.body, client);
    } else {
      outgoing.writeHead(answered.status, headersOf(answered));
      const sse = sseBodyOf(answered);
      if (sse) await writeFrames(sse, client);
      else if (answered.body) await writeBody(answered.body, client);
    }
    outgoing.end();
  } finally {
    client.stop();
  }
}

/** Who an answer is written to. */
class Client {
  readonly outgoing: NodeResponse;
  hasLeft = false;
  /** Called once the client is gone. */
  onLeave: (() => void) | undefined;
  #go: (() => void) | undefined;

  constructor(outgoing: NodeResponse) {
    this.outgoing = outgoing;
    outgoing.once("close", this.#leave);
  }

  /** Writes a piece. Resolves once the next one is wanted, or the client is gone; `undefined` if that is so already. */
  write(piece: Uint8Array | string): Promise<void> | undefined {
    if (this.hasLeft || this.outgoing.write(piece)) return undefined;
    return new Promise((resolve) => {
      const go = (): void => {
        this.outgoing.off("drain", go);
        this.#go = undefined;
        resolve();
      };
      this.outgoing.once("drain", go);
      this.#go = go;
    });
  }

  /** Listens no more. */
  stop(): void {
    this.outgoing.off("close", this.#leave);
  }

  readonly #leave = (): void => {
    this.hasLeft = true;
    this.onLeave?.();
    this.#go?.();
  };
}

function headersOf({ headers }: Response): Record<string, string | string[]> {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { "set-cookie": cookies }) };
}

/** Writes server-sent events without a web stream between, which costs more than the events themselves. */
async function writeFrames(body: SseBody, client: Client): Promise<void> {
  const { frames, onCancel } = body;
  const { outgoing } = client;
  client.onLeave = () => {
    onCancel?.();
    frames.cancel();
  };
  if (client.hasLeft) client.onLeave();
  const keepAlive = new KeepAlive(body, (comment) => void outgoing.write(comment));
  // With the first event they cost nothing; where that is long in coming, they go without it.
  const headers = setTimeout(() => outgoing.flushHeaders?.(), longestHeaders);
  try {
    while (!client.hasLeft) {
      const piece = frames.take();
      if (piece === null) return;
      if (piece === undefined) {
        await frames.wait();
        continue;
      }
      clearTimeout(headers);
      keepAlive.note();
      const drained = client.write(piece);
      if (drained) await drained;
    }
  } finally {
    clearTimeout(headers);
    keepAlive.stop();
    client.onLeave = undefined;
  }
}

async function writeBody(body: ReadableStream<Uint8Array>, client: Client): Promise<void> {
  const reader = body.getReader();
  client.onLeave = () => void reader.cancel().catch(() => {});
  if (client.hasLeft) client.onLeave();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || client.hasLeft) return;
    await client.write(value);
  }
}
