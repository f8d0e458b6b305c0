/** Servers that keep a connection busy without an answer: only pieces of the answer prolong the wait for the next one. */
import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import { expect, test } from "vitest";
import { generate, type Generation } from "skein";
import { block, chatChunk, messageEnd, messageStart, type WireEvent } from "./answers.ts";
import { modelOver, protocols, type Protocol } from "./protocols.ts";

const streamed = "text/event-stream";

async function generationOver(
  protocol: Protocol,
  listener: RequestListener,
  timeout: number,
): Promise<Generation> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  try {
    const model = modelOver(protocol, { url: `http://127.0.0.1:${port}` });
    return await generate(model, { messages: "Hi", settings: { timeout, maxRetries: 0 } });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Writes the pieces in turn, over and over or once. */
function drip(
  pieces: readonly string[],
  { status = 200, type = streamed, isEndless = true } = {},
): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { "content-type": type }).flushHeaders();
    let count = 0;
    const timer = setInterval(() => {
      const piece = pieces[isEndless ? count % pieces.length : count];
      count++;
      if (piece === undefined) response.end();
      else response.write(piece);
    }, 20);
    response.on("close", () => clearInterval(timer));
  };
}

const data = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;

/** What comes, with which protocol, the piece that is repeated, and how the answer begins. */
type Drip = readonly [string, Protocol, string, { readonly status?: number; readonly type?: string }];

const nothing: readonly Drip[] = [
  ...protocols.flatMap((protocol): readonly Drip[] => [
    ["comments", protocol, ": still here\n\n", {}],
    ["blank lines", protocol, "\n\n", {}],
    ["a line without an end", protocol, "x", {}],
    ["a page without an end", protocol, "x", { type: "text/html" }],
    ["blanks before JSON", protocol, " ", { type: "application/json" }],
  ]),
  ["empty deltas", "chat", data(chatChunk("one", {})), {}],
  ["empty texts", "chat", data(chatChunk("one", { role: "assistant", content: "" })), {}],
  ["pings", "messages", data({ type: "ping" }), {}],
  ["unknown events", "messages", data({ type: "a_new_one", text: "x" }), {}],
  ["unknown events", "responses", data({ type: "response.a_new_one", delta: "x" }), {}],
  ["states", "responses", data({ type: "response.in_progress", response: { status: "in_progress" } }), {}],
  ["empty parts", "google", data({ candidates: [{ content: { parts: [{ text: "" }] } }] }), {}],
];

test.each(nothing)("%s, %s: is a timeout", async (_, protocol, piece, more) => {
  const error = await generationOver(protocol, drip([piece], more), 150).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "timeout", message: expect.stringContaining("150 ms") });
});

test.each(protocols)("a failure without an end, %s: is an error of its status", async (protocol) => {
  const error = await generationOver(protocol, drip(["x"], { status: 500 }), 150).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: "overloaded", status: 500 });
});

test("an answer that comes slowly, with pings between, is read to its end", async () => {
  const ping = data({ type: "ping" });
  const texts = Array.from({ length: 20 }, () => ({ type: "text_delta", text: "x" }));
  const events: WireEvent[] = [messageStart("one"), ...block(0, { type: "text", text: "" }, ...texts)];
  const pieces = [...events, ...messageEnd("end_turn")].flatMap((event) => [data(event), ping]);
  const { text } = await generationOver("messages", drip(pieces, { isEndless: false }), 500);
  expect(text).toBe("x".repeat(20));
});
