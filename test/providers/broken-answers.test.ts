import { describe, expect, test } from "vitest";
import { ModelError, type Generation, type Model } from "skein";
import { framed, streamed } from "./answers.ts";
import { serve, type Reply } from "./local-server.ts";
import { modelOver, protocols, type Protocol } from "./protocols.ts";

async function ask(model: Model): Promise<Generation> {
  const messages = [{ role: "user", content: "Hello" }] as const;
  const last = (await Array.fromAsync(model.stream({ messages }))).at(-1);
  if (last?.type !== "finish") throw new Error("the last event is no finish event");
  return last.generation;
}

/** An error as each protocol tells it amid a stream that began with 200. */
const errorEvents = {
  chat: { error: { message: "Overloaded", type: "server_error", code: "overloaded_error" } },
  responses: { type: "error", error: { type: "rate_limit_error", message: "Slow down" } },
  messages: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
} as const satisfies Record<Protocol, object>;

const page = "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>";
const json = "application/json";

/** What a server or what stands before it may answer, and the code of the error that it becomes. */
function brokenAnswers(protocol: Protocol): [title: string, reply: Reply, code: RegExp][] {
  const { pieces } = streamed(protocol, { id: "whole", text: "Fine, and thank you all." });
  const unfinished = pieces.slice(0, 3);
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
    ["JSON that is no object", { type: json, pieces: ["[]"] }, /^malformed-response$/],
    ["an event that is no JSON", { pieces: [...unfinished, "data: {oops\n\n"] }, /^malformed-response$/],
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
  });
});
