import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  Agent,
  AuthenticationError,
  MalformedResponseError,
  ModelError,
  ModelTimeoutError,
  NetworkError,
  OverloadedError,
  RateLimitError,
  run,
  type Model,
} from "skein";
import { fixtures, signature, thought } from "./aimock-fixtures.ts";
import { modelOver, protocols, type Protocol } from "./protocols.ts";
import { problemsOf, type Body } from "./rules.ts";
import { blueSquare, redSquare } from "./scenario-kit.ts";
import { scenarios, type ScenarioName } from "./scenarios.ts";

const mock = new LLMock({ port: 0, strict: true });
/** The bodies of the requests since the last test, as they were sent. */
const sent: string[] = [];

beforeAll(() => mock.start());
afterAll(() => mock.stop());
afterEach(() => {
  mock.reset();
  sent.length = 0;
});

const noted: typeof fetch = (url, init) => {
  if (typeof init?.body === "string") sent.push(init.body);
  return fetch(url, init);
};

/** The mock leaves out the ids that Gemini gives its answers. */
const withResponseIds: typeof fetch = async (url, init) => {
  const response = await noted(url, init);
  const name = new TransformStream<string, string>({
    transform: (text, controller) =>
      controller.enqueue(text.replaceAll('{"candidates":', '{"responseId":"mock","candidates":')),
  });
  const body = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(name);
  return new Response(body?.pipeThrough(new TextEncoderStream()) ?? null, response);
};

function mocked(protocol: Protocol, modelId?: string): Model {
  const fetch = protocol === "google" ? withResponseIds : noted;
  return modelOver(protocol, { url: mock.url, fetch, ...(modelId && { modelId }) });
}

function bodies(): Body[] {
  return sent.map((body): Body => JSON.parse(body));
}

/** The models that the scenarios are played with; the last one takes a forced `toolChoice` for an error. */
const rows: readonly (readonly [protocol: Protocol, modelId: string])[] = [
  ["chat", "gpt-5.2"],
  ["responses", "gpt-5.2"],
  ["messages", "claude-sonnet-4-6"],
  ["messages", "claude-sonnet-5-5"],
  ["google", "gemini-3.8-flash"],
];

const names = Object.keys(scenarios).filter((name): name is ScenarioName => name in fixtures);

describe.each(rows)("%s, as %s", (protocol, modelId) => {
  test.each(names.map((name) => [scenarios[name].title, name] as const))("%s", async (_, name) => {
    mock.addFixtures([...fixtures[name]]);
    await scenarios[name].play(mocked(protocol, modelId));
    expect(bodies().length).toBeGreaterThan(0);
    for (const body of bodies()) expect(problemsOf(protocol, body)).toEqual([]);
    expect(sent.at(-1)).toMatch(proofs[name]?.[protocol] ?? "");
    const choice = choices[name]?.[modelId === "claude-sonnet-5-5" ? "unforced" : protocol];
    expect(bodies().map(toolChoiceIn)).toEqual(choice ?? bodies().map(() => undefined));
  });
});

function toolChoiceIn(body: Body): unknown {
  return body["tool_choice"] ?? Object(body["toolConfig"]).functionCallingConfig;
}

/** What each request of a scenario says of `tool_choice`, or of Gemini's `functionCallingConfig`. */
const choices: Readonly<Partial<Record<ScenarioName, Record<Protocol | "unforced", readonly unknown[]>>>> = {
  required: {
    chat: ["required", "auto"],
    responses: ["required", "auto"],
    messages: [{ type: "any" }, { type: "auto" }],
    google: [{ mode: "ANY" }, { mode: "AUTO" }],
    unforced: [{ type: "auto" }, { type: "auto" }],
  },
  none: {
    chat: ["none"],
    responses: ["none"],
    messages: [{ type: "none" }],
    google: [{ mode: "NONE" }],
    unforced: [{ type: "none" }],
  },
  named: {
    chat: [{ type: "function", function: { name: "open_archive" } }],
    responses: [{ type: "function", name: "open_archive" }],
    messages: [{ type: "tool", name: "open_archive" }],
    google: [{ mode: "ANY", allowedFunctionNames: ["open_archive"] }],
    unforced: [{ type: "auto" }],
  },
};

/** What the last request of a scenario must have in it, in the place where its provider looks for it. */
const proofs: Readonly<Partial<Record<ScenarioName, Record<Protocol, string | RegExp>>>> = {
  "user-image": {
    chat: `"image_url":{"url":"${redSquare}"`,
    responses: `"image_url":"${redSquare}"`,
    messages: `"media_type":"image/png","data":"${redSquare.split(",")[1]}"`,
    google: `"inlineData":{"mimeType":"image/png","data":"${redSquare.split(",")[1]}"`,
  },
  "result-image": {
    chat: `"image_url":{"url":"${blueSquare}"`,
    responses: `"image_url":"${blueSquare}"`,
    messages: `"media_type":"image/png","data":"${blueSquare.split(",")[1]}"`,
    google: `"parts":[{"inlineData":{"mimeType":"image/png","data":"${blueSquare.split(",")[1]}"`,
  },
  reasoning: {
    chat: `"reasoning_content":${JSON.stringify(thought)}`,
    responses: new RegExp(`"type":"reasoning"[^}]*${thought}"\\}\\],"encrypted_content":"[^"]{20,}"`),
    messages: JSON.stringify({ type: "thinking", thinking: thought, signature }),
    google: `{"text":${JSON.stringify(thought)},"thought":true`,
  },
};

describe.each(protocols)("%s, when things go wrong", (protocol) => {
  const agent = (settings = {}): Agent =>
    new Agent({ name: "Echo", model: mocked(protocol), settings: { maxRetries: 0, ...settings } });
  const goose = { match: { userMessage: "goose" }, response: { content: "goose, goose, goose" } } as const;

  /** The error that a run fails with. It carries a state from which the run goes on once the trouble is over. */
  async function failure(settings = {}): Promise<ModelError> {
    const error: unknown = await run(agent(settings), "goose").catch((thrown: unknown) => thrown);
    if (!(error instanceof ModelError))
      throw new Error("the run did not fail with a model error", { cause: error });
    expect(error.message).not.toContain("a-key-for-tests");
    expect(sent).toHaveLength(1);
    mock.reset();
    mock.addFixture(goose);
    const { state } = error;
    if (!state) throw new Error("the error carries no state", { cause: error });
    expect(await run(agent(), state)).toMatchObject({ status: "completed", text: "goose, goose, goose" });
    return error;
  }

  test("a wrong key is an authentication error, and nothing is tried again", async () => {
    mock.nextRequestError(401, { message: "Incorrect API key provided", type: "authentication_error" });
    const error = await failure({ maxRetries: 3 });
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, isRetryable: false });
  });

  test("too many requests are a rate limit error that says how long to wait", async () => {
    const response = {
      error: { message: "Slow down", type: "rate_limit_error" },
      status: 429,
      retryAfter: 7,
    };
    mock.addFixture({ match: { userMessage: "goose" }, response });
    const error = await failure();
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, retryAfter: 7000, isRetryable: true });
  });

  test("after a Retry-After the request is sent again, the same", async () => {
    const response = {
      error: { message: "Slow down", type: "rate_limit_error" },
      status: 429,
      retryAfter: 0,
    };
    mock.addFixtures([{ match: { userMessage: "goose", sequenceIndex: 0 }, response }, goose]);
    const outcome = await run(agent({ maxRetries: 1 }), "goose");
    expect(outcome).toMatchObject({ status: "completed", turns: 1 });
    expect(sent).toHaveLength(2);
    expect(sent[0]).toBe(sent[1]);
  });

  test("retries a failing server", async () => {
    mock.addFixture(goose).nextRequestError(500, { message: "Internal error", type: "server_error" });
    expect(await run(agent({ maxRetries: 1 }), "goose")).toMatchObject({ status: "completed" });
    expect(sent).toHaveLength(2);
  });

  test("a server that keeps failing is an overload error", async () => {
    mock.nextRequestError(500, { message: "Internal error", type: "server_error" });
    const error = await failure();
    expect(error).toBeInstanceOf(OverloadedError);
    expect(error).toMatchObject({ status: 500, isRetryable: true });
  });

  test("a stream that breaks after its first output is an error, and never tried again", async () => {
    mock.addFixture({ ...goose, chunkSize: 1, latency: 1, truncateAfterChunks: 14 });
    const error = await failure({ maxRetries: 3 });
    expect([NetworkError, MalformedResponseError]).toContain(error.constructor);
    expect(error.state?.messages).toEqual([{ role: "user", content: "goose" }]);
  });

  test("a connection that is dropped is a network error", async () => {
    mock.addFixture({ ...goose, chaos: { disconnectRate: 1 } });
    const error = await failure();
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.isRetryable).toBe(true);
  });

  test("an answer that is not JSON is a malformed answer", async () => {
    mock.addFixture({ ...goose, chaos: { malformedRate: 1 } });
    expect(await failure()).toBeInstanceOf(MalformedResponseError);
  });

  test("a server that says nothing for too long is a timeout", async () => {
    mock.addFixture({ ...goose, chaos: { latencyMs: 5000 } });
    const error = await failure({ timeout: 100 });
    expect(error).toBeInstanceOf(ModelTimeoutError);
    expect(error.isRetryable).toBe(true);
  });
});
