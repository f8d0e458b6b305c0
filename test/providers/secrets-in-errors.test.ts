/** Servers, clients and custom models that show a key in every place and form: no error, event or result has it. */
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { Agent, run, type Model } from "skein";
import { anthropic } from "skein/anthropic";
import { openai } from "skein/openai";

const key = 'k3y"with/odd\\signs-0123456789';
const account = "9f86d081884c7d659a2feaa0c55ad015";

function show(value: unknown): string {
  return inspect(value, { depth: 20, showHidden: true, getters: true });
}

/** Everything that a program sees of a run whose server answers so. */
async function seenOf(answer: () => Response | Promise<Response>): Promise<string> {
  const model = openai("m", {
    baseURL: `https://gateway.acme.test/acct/${account}/v1`,
    provider: "acme",
    headers: { "x-acme-auth": key, authorization: "Basic dXNlcjpwYXNzLXdvcmQtOTk=" },
    fetch: async () => answer(),
  });
  return seenOfModel(model);
}

async function seenOfModel(model: Model): Promise<string> {
  const events: unknown[] = [];
  const agent = new Agent({ name: "A", model, settings: { maxRetries: 0 } });
  const outcome: unknown = await run(agent, "Go.", { onEvent: (event) => void events.push(event) }).catch(
    (error: unknown) => error,
  );
  return show({ outcome, events }) + JSON.stringify(outcome);
}

const json = { "content-type": "application/json" };
const failed = (body: string, headers: object = {}): Response =>
  new Response(body, { status: 400, headers: { ...json, ...headers } });
const stream = (text: string, headers: object = {}): Response =>
  new Response(text, { headers: { "content-type": "text/event-stream", ...headers } });
const escaped = JSON.stringify(key).slice(1, -1);
const base64Url = (text: string): string => btoa(text).replaceAll("+", "-").replaceAll("/", "_");
/** What base64 has of the middle of the key, by what stands before it. */
const inBase64 = ["", "1", "12"].map((before) => btoa(`${before}signs-0123456789`).slice(4, -4));
const ending = (choice: object, more: object = {}): string =>
  JSON.stringify({ ...more, choices: [{ delta: { content: "Hi" }, ...choice }] });
const message = (text: string): string => JSON.stringify({ error: { message: text } });

test.each<readonly [string, () => Response]>([
  ["a message", () => failed(message(`The key ${key} is wrong`))],
  ["a message, as JSON within JSON", () => failed(message(JSON.stringify({ sent: key })))],
  [
    "a message, as JSON within JSON within JSON",
    () => failed(message(JSON.stringify(JSON.stringify({ sent: key })))),
  ],
  ["a message, with its slashes escaped", () => failed(message(`sent ${escaped.replaceAll("/", "\\/")}`))],
  ["a message, as a page writes it", () => failed(message(`sent ${key.replaceAll('"', "&quot;")}`))],
  ["a message, as a URL writes it", () => failed(message(`sent ${encodeURIComponent(key)}`))],
  ["a message, without its last character", () => failed(message(`sent ${key.slice(0, -1)}`))],
  ["a message, without its first characters", () => failed(message(`sent ${key.slice(5)}`))],
  ["a text that is not JSON", () => failed(`Wrong: ${key}`)],
  ["a message, in base64", () => failed(message(`sent ${btoa(key)}`))],
  ["a message, in base64 for addresses", () => failed(message(`sent ${base64Url(key)}`))],
  ["a message, in base64 as a user", () => failed(message(`sent Basic ${btoa(`${key}:`)}`))],
  ["a message, in base64 as a password", () => failed(message(`sent Basic ${btoa(`api:${key}`)}`))],
  ["a message, in base64 as a longer user's password", () => failed(message(`sent ${btoa(`user:${key}`)}`))],
  [
    "a message, in base64 with its slashes escaped",
    () => failed(`{"error":{"message":"sent ${btoa(`?${key}?`).replaceAll("/", "\\/")}"}}`),
  ],
  ["the id of the request", () => failed(message("Wrong."), { "x-request-id": `req-${account}` })],
  ["the code", () => failed(JSON.stringify({ error: { message: "Wrong.", code: key } }))],
  ["an event that is not JSON, at its end", () => stream(`data: ${" ".repeat(185)}${key}\n\n`)],
  ["an event that is not JSON, cut", () => stream(`data: {"x": ${"y".repeat(170)}${escaped}`)],
  [
    "an event that is not an object",
    () => stream(`data: ${JSON.stringify([`${"z".repeat(180)}${key}`])}\n\n`),
  ],
  [
    "a page",
    () => new Response(`<html>${"p".repeat(180)}${key}`, { headers: { "content-type": "text/html" } }),
  ],
  [
    "another content type",
    () => new Response(`${"q".repeat(190)}${key}`, { headers: { "content-type": "text/plain" } }),
  ],
  ["a failure within the stream", () => stream(`data: ${message(key)}\n\n`)],
  [
    "a header of a good answer",
    () =>
      stream('data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n', {
        "x-echo": encodeURIComponent(key),
      }),
  ],
  ["its reason to end", () => stream(`data: ${ending({ finish_reason: key })}\n\n`)],
  ["what names it", () => stream(`data: ${ending({ finish_reason: "stop" }, { id: key, model: key })}\n\n`)],
  ["the password of a login", () => failed(message("Wrong: user:pass-word-99"))],
  ["the path of an address", () => new Response("not here", { status: 404, headers: json })],
  [
    "the path of an address, in a message",
    () => new Response(`Cannot POST /acct/${account}/v1`, { status: 404, headers: json }),
  ],
])("a key in %s is not shown", async (_, answer) => {
  const output = await seenOf(answer);
  const secrets = ["k3y", "signs-0123456789", "pass-word-99", account, account.slice(0, 12)];
  for (const secret of [...secrets, ...inBase64]) expect(output).not.toContain(secret);
});

test.each([
  "token",
  "api_key",
  "apiKey",
  "access_token",
  "authorization",
  "client_secret",
  "password",
  "x-api-key",
  "refreshToken",
])("the field %s of a body is not shown", async (name) => {
  const value = 'plain-value "of" the field';
  const bodies = [
    () => failed(JSON.stringify({ error: { message: { [name]: value } } })),
    () => failed(message(JSON.stringify({ [name]: value }))),
    () => failed(message(`see https://acme.test/?a=1&${name}=plain-value`)),
    () => stream(`data: {"${name}": "${value.replaceAll('"', '\\"')}", x\n\n`),
    () => stream(`data: {"${name}": "plain-value of the fie`),
  ];
  for (const body of bodies) {
    const output = await seenOf(body);
    expect(output).not.toContain("plain-value");
    expect(output).not.toContain("of the fie");
  }
});

class Client {
  readonly options = { headers: new Map([["authorization", "Bearer sk-secret0123456789"]]) };
  get apiKey(): string {
    return "sk-secret0123456789";
  }
}

class ClientError extends Error {
  get request(): unknown {
    return { key: "sk-secret0123456789" };
  }
}

test.each<readonly [string, () => unknown]>([
  ["a class instance", () => Object.assign(new Error("failed"), { client: new Client() })],
  [
    "a class instance among the causes",
    () => new Error("failed", { cause: new Error("x", { cause: new Client() }) }),
  ],
  [
    "a class instance that shows itself otherwise",
    () => Object.assign(new Error("failed"), { c: Object.assign(new Client(), { toJSON: () => "fine" }) }),
  ],
  ["a Map", () => Object.assign(new Error("failed"), { headers: new Map([["x", "sk-secret0123456789"]]) })],
  [
    "a hidden field",
    () => Object.defineProperty(new Error("failed"), "config", { value: { key: "sk-secret0123456789" } }),
  ],
  ["a symbol", () => Object.assign(new Error("failed"), { [Symbol("config")]: "sk-secret0123456789" })],
  ["an accessor of the error's class", () => new ClientError("failed")],
  [
    "an accessor",
    () =>
      Object.defineProperty(new Error("failed"), "key", {
        get: () => "sk-secret0123456789",
        enumerable: true,
      }),
  ],
  [
    "a field named headers",
    () => Object.assign(new Error("failed"), { headers: { "x-api-key": "sk-secret0123456789" } }),
  ],
  ["a field named token", () => Object.assign(new Error("failed"), { token: "sk-secret0123456789" })],
])("a key in %s of a custom model's error is not shown", async (_, make) => {
  const model: Model = {
    provider: "own",
    modelId: "m",
    // oxlint-disable-next-line require-yield -- it fails before its first event
    async *stream() {
      throw make();
    },
  };
  expect(await seenOfModel(model)).not.toContain("secret0123456789");
});

test("what a person needs of an address is shown", async () => {
  const model = anthropic("claude-x", {
    apiKey: "a-key-for-tests",
    baseURL: "https://gateway.acme.test/v1/anthropic",
    fetch: async () => new Response("not here", { status: 404 }),
  });
  expect(await seenOfModel(model)).toContain("https://gateway.acme.test/v1/anthropic/v1/messages");
});
