/**
 * A server that breaks off after any byte of an answer, in every way in which a connection ends, over both transports: a call is
 * executed at most once and as the model meant it, and the session goes on from where the run failed.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Agent, SkeinError, run, type RunResult } from "skein";
import { memorySession, readSession } from "skein/sessions";
import { type ByteServer, serveBytes } from "../../src/transport/node/test-servers.ts";
import { streamed, type Answer } from "../providers/answers.ts";
import { modelOver, protocols, type Protocol } from "../providers/protocols.ts";
import { spread } from "../effort.ts";
import { flawsOf, noting, watchRejections } from "../reliability/kit.ts";

const calling: Answer = {
  id: "a",
  text: "I look.",
  calls: [{ id: "one", name: "look", arguments: '{"n":1}' }],
};
const closing: Answer = { id: "b", text: "Done." };

/** How a connection ends after the last byte that is sent. */
const ends = ["in order", "by a reset", "by a cancellation"] as const;
type End = (typeof ends)[number];

/** Where an exchange is cut: the answer's number in the conversation, counted from 0, and its last byte that is sent. */
interface Cut {
  readonly answer: number;
  readonly length: number;
  readonly end: End;
  readonly cancel: () => void;
  isOver: boolean;
}

/** After how many bytes the next cut is: two protocols show what the transports do, the others what they make of it. */
const steps: Readonly<Record<Protocol, number>> = { chat: 1, messages: 1, responses: 3, google: 3 };

/** How many conversations there are at once. */
const atOnce = 16;

/** What is to become of the answers, by the path of their conversation. */
const cuts = new Map<string, Cut & { readonly protocol: Protocol }>();
let server: ByteServer;

beforeAll(async () => {
  server = await serveBytes((socket, _, request) => {
    const conversation = /^POST \/(\d+)/.exec(request)?.[1] ?? "";
    const number = request.includes("look 1 is done") ? 1 : 0;
    const cut = cuts.get(conversation);
    if (!cut) return void socket.destroy();
    const bytes = bytesOf(cut.protocol, number);
    if (cut.answer !== number || cut.isOver) return void socket.write(bytes);
    cut.isOver = true;
    const part = bytes.subarray(0, cut.length);
    if (cut.end === "in order") return void socket.end(part);
    const finish = cut.end === "by a reset" ? () => void socket.resetAndDestroy() : cut.cancel;
    // What was sent is to be read first.
    const finishSoon = (): void => void setTimeout(finish, 1);
    if (part.length === 0) finishSoon();
    else socket.write(part, finishSoon);
  });
});
afterAll(() => server[Symbol.asyncDispose]());

const bytesByAnswer = new Map<string, Buffer>();

/** An answer as it goes over the wire: a head, and a chunk for each event. */
function bytesOf(of: Protocol, answer: number): Buffer {
  const key = `${of} ${answer}`;
  const earlier = bytesByAnswer.get(key);
  if (earlier) return earlier;
  const { pieces } = streamed(of, answer === 0 ? calling : closing);
  const chunks = pieces.map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`);
  const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
  const bytes = Buffer.from(`${head}${chunks.join("")}0\r\n\r\n`);
  bytesByAnswer.set(key, bytes);
  return bytes;
}

/** How much of an answer is sent before a cut; at last all of it. */
function lengthsOf(protocol: Protocol, answer: number): readonly number[] {
  const { length } = bytesOf(protocol, answer);
  const step = steps[protocol];
  const parts = Array.from({ length: Math.ceil(length / step) }, (_, index) => index * step);
  return [...spread(parts), length];
}

interface Outcome {
  readonly done: readonly string[];
  readonly first: unknown;
  readonly last: RunResult;
  readonly flaws: readonly string[];
}

let conversations = 0;

/** A run whose answer is cut, and one that goes on with its session. */
async function play(
  protocol: Protocol,
  place: Pick<Cut, "answer" | "length" | "end">,
  fetch: typeof globalThis.fetch | undefined,
): Promise<Outcome> {
  const done: string[] = [];
  const session = memorySession();
  const conversation = String(conversations++);
  const url = `http://127.0.0.1:${server.port}/${conversation}`;
  const model = modelOver(protocol, { url, ...(fetch && { fetch }) });
  const plain = { name: "A", model, tools: [noting(done, "look")] };
  const agent = new Agent(plain);
  const hasty = new Agent({ ...plain, settings: { maxRetries: 0 } });
  const controller = new AbortController();
  cuts.set(conversation, { ...place, protocol, cancel: () => controller.abort(), isOver: false });
  const options = { session, signal: controller.signal };
  const first = await run(hasty, "Go.", options).catch((error: unknown) => error);
  // A connection that the server closed with its last byte may be tried once more.
  const last = await run(agent, "Go on.", { session });
  cuts.delete(conversation);
  return { done, first, last, flaws: flawsOf((await readSession(session)).messages) };
}

/** What is wrong with a run that did not fail. */
function endOf({ status, text }: RunResult): string {
  return status !== "completed" || text === "Done." ? "as it should" : `completed with ${text}`;
}

function isResult(value: unknown): value is RunResult {
  return typeof value === "object" && value !== null && "status" in value && "state" in value;
}

const transports = { "node:http": undefined, fetch: globalThis.fetch } as const;
const cases = protocols.flatMap((each) =>
  Object.entries(transports).flatMap(([name, fetch]) => ends.map((end) => [each, name, end, fetch] as const)),
);

test.each(cases)(
  "%s over %s, cut after its bytes %s",
  { timeout: 600_000 },
  async (protocol, _, end, fetch) => {
    const rejections = watchRejections();
    const statuses = new Set<string>();
    const places = [0, 1].flatMap((answer) =>
      lengthsOf(protocol, answer).map((length) => ({ answer, length, end })),
    );
    const judge = async (place: (typeof places)[number]): Promise<void> => {
      const { done, first, last, flaws } = await play(protocol, place, fetch);
      const at = `answer ${place.answer}, byte ${place.length}`;
      if (isResult(first)) statuses.add(first.status);
      expect(isResult(first) ? endOf(first) : first, at).toSatisfy(
        (value) => value === "as it should" || value instanceof SkeinError,
      );
      expect(last, at).toMatchObject({ status: "completed", text: "Done." });
      expect({ done, flaws }, at).toEqual({ done: ["look 1"], flaws: [] });
    };
    for (let from = 0; from < places.length; from += atOnce)
      await Promise.all(places.slice(from, from + atOnce).map(judge));
    expect(statuses).toContain(end === "by a cancellation" ? "cancelled" : "completed");
    expect(await rejections()).toEqual([]);
  },
);
