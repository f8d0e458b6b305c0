import { describe, expect, test } from "vitest";
import { Agent, ModelError, run, type Generation, type Model } from "skein";
import { framed, streamed } from "./answers.ts";
import { serve, type Reply } from "./local-server.ts";
import { modelOver, protocols, type Protocol } from "./protocols.ts";

async function ask(model: Model): Promise<Generation> {
  const messages = [{ role: "user", content: "Hello" }] as const;
  const last = (await Array.fromAsync(model.stream({ messages }))).at(-1);
  if (last?.type !== "finish") throw new Error("the last event is not a finish event");
  return last.generation;
}

/** How each protocol says that its answer has failed, in words of its own. */
const failures = {
  chat: {
    choices: [
      { index: 0, delta: {}, finish_reason: "error", error: { code: 503, message: "The server is gone" } },
    ],
  },
  responses: {
    type: "response.failed",
    response: {
      id: "resp_1",
      object: "response",
      status: "failed",
      error: { code: "server_error", message: "The server is gone" },
      output: [],
    },
  },
  messages: { type: "error", error: { type: "api_error", message: "The server is gone" } },
  google: { error: { code: 503, message: "The server is gone", status: "UNAVAILABLE" } },
} as const satisfies Record<Protocol, object>;

/** An error as each protocol tells it amid a stream that began with 200. */
const errorEvents = {
  chat: { error: { message: "Overloaded", type: "server_error", code: "overloaded_error" } },
  responses: { type: "error", error: { type: "rate_limit_error", message: "Slow down" } },
  messages: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
  google: { error: { code: 429, message: "Slow down", status: "RESOURCE_EXHAUSTED" } },
} as const satisfies Record<Protocol, object>;

const page = "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>";
const json = "application/json";
const noText = new Uint8Array([...new TextEncoder().encode("data: "), 0xff, 0xfe, 0x00, 0x0a, 0x0a]);

/** What a server or what stands before it may answer, and the code of the error that it becomes. */
function brokenAnswers(protocol: Protocol): [title: string, reply: Reply, code: RegExp][] {
  const { pieces } = streamed(protocol, { id: "whole", text: "Fine, and thank you all." });
  const unfinished = pieces.slice(0, 3);
  const whole = pieces[3] ?? "";
  return [
    ["an HTML page with 200", { type: "text/html", pieces: [page] }, /^malformed-response$/],
    [
      "an HTML page with 502",
      { type: "text/html", status: 502, pieces: [page] },
      /^(?:overloaded|server-error)$/,
    ],
    ["an empty body", { type: json, pieces: [] }, /^malformed-response$/],
    ["an empty stream", { pieces: [] }, /^malformed-response$/],
    ["an empty error", { type: json, status: 500, pieces: [] }, /^(?:overloaded|server-error)$/],
    ["another content type", { type: "image/png", pieces: ["\u0089PNG"] }, /^malformed-response$/],
    ["JSON that is cut", { type: json, pieces: ['{"id":"x","choices":[{"mess'] }, /^malformed-response$/],
    ["JSON that is not an object", { type: json, pieces: ["[]"] }, /^malformed-response$/],
    ["JSON that says nothing", { type: json, pieces: ["{}"] }, /^malformed-response$/],
    ["JSON with a false content type", { type: "text/plain", pieces: ["{}"] }, /^malformed-response$/],
    ["white space", { type: json, pieces: [" \n\n"] }, /^malformed-response$/],
    ["no content", { status: 204, pieces: [] }, /^malformed-response$/],
    ["an HTML page in place of events", { pieces: [page] }, /^malformed-response$/],
    ["an HTML page as an event", { pieces: [`data: ${page}\n\n`] }, /^malformed-response$/],
    ["nothing but comments", { pieces: [": wait\n\n", ": wait\n\n"] }, /^malformed-response$/],
    ["nothing but the last line", { pieces: ["data: [DONE]\n\n"] }, /^malformed-response$/],
    ["an event that is cut", { pieces: [...unfinished, whole.slice(0, -20)] }, /^malformed-response$/],
    ["bytes that are no text", { pieces: [...unfinished, noText] }, /^malformed-response$/],
    ["an HTML page with 404", { type: "text/html", status: 404, pieces: [page] }, /^invalid-request$/],
    ["text with 429", { type: "text/plain", status: 429, pieces: ["Slow down"] }, /^rate-limit$/],
    ["cut JSON with 401", { type: json, status: 401, pieces: ['{"error":{"mess'] }, /^authentication$/],
    [
      "a failure in its own words",
      { pieces: [...unfinished, ...framed(protocol, [failures[protocol]])] },
      /^overloaded$/,
    ],
    [
      "an error in words of its own",
      { pieces: [...unfinished, 'event: error\ndata: {"error":"The server is gone"}\n\n'] },
      /^overloaded$/,
    ],
    ["an event that is not JSON", { pieces: [...unfinished, "data: {oops\n\n"] }, /^malformed-response$/],
    ["a stream without its last event", { pieces: unfinished }, /^malformed-response$/],
    [
      "an error within its stream",
      { pieces: [...unfinished, ...framed(protocol, [errorEvents[protocol]])] },
      /^(?:overloaded|rate-limit)$/,
    ],
    [
      "an error as JSON with 200",
      { type: json, pieces: [JSON.stringify(errorEvents[protocol])] },
      /^(?:overloaded|rate-limit)$/,
    ],
  ];
}

describe.each(protocols)("%s", (protocol) => {
  test.each(brokenAnswers(protocol))("%s is a typed error that names the model", async (_, reply, code) => {
    await using server = await serve(() => reply);
    const model = modelOver(protocol, server);
    const error: unknown = await ask(model).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code: expect.stringMatching(code) });
    expect(String(error)).toContain(model.modelId);
    expect(`${String(error)}${JSON.stringify(error)}`).not.toContain("a-key-for-tests");
  });

  test.each(brokenAnswers(protocol))("%s loses nothing of a run, which can go on", async (_, reply) => {
    const next = streamed(protocol, { id: "next", text: "Fine." });
    await using server = await serve((index) => (index === 0 ? reply : next));
    const agent = new Agent({
      name: "Clerk",
      model: modelOver(protocol, server),
      settings: { maxRetries: 0 },
    });
    const error: unknown = await run(agent, "Hello").catch((thrown: unknown) => thrown);
    const state = error instanceof ModelError ? error.state : undefined;
    expect(state?.messages).toEqual([{ role: "user", content: "Hello" }]);
    expect(await run(agent, state ?? "")).toMatchObject({ status: "completed", text: "Fine." });
    expect(server.received[1]?.text).toBe(server.received[0]?.text);
  });
});
