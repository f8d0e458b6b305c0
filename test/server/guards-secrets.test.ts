/** Fifty secrets, planted wherever a program has some: none of them is in any byte that a native route sends. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Agent, ModelError, result, tool } from "skein";
import { serve, type ServeOptions, type SkeinServer } from "skein/server";
import { FunctionModel } from "skein/testing";
import { request } from "./serving.ts";

const secrets: string[] = [];

/** A new secret. */
function secret(place: string): string {
  const text = `sk-${place}-${secrets.length}-5e1f`;
  secrets.push(text);
  return text;
}

/** An error with secrets in all that an error has. */
function failure(place: string): Error {
  const error = new TypeError(secret(`${place}-message`), {
    cause: new Error(secret(`${place}-cause`)),
  });
  error.stack = `TypeError: ${secret(`${place}-stack`)}\n  at ${secret(`${place}-path`)}`;
  return Object.defineProperties(error, {
    token: { value: secret(`${place}-field`), enumerable: true },
    code: { value: secret(`${place}-code`), enumerable: true },
  });
}

/** What a provider says of a request that it refuses. */
function providerFailure(place: string): ModelError {
  return new ModelError(`401: ${secret(`${place}-text`)}`, "authentication", {
    provider: secret(`${place}-provider`),
    modelId: secret(`${place}-model`),
    providerMessage: `Incorrect API key provided: ${secret(`${place}-key`)}`,
    providerCode: secret(`${place}-code`),
    requestId: secret(`${place}-request`),
    cause: failure(`${place}-inner`),
  });
}

const object = { type: "object" } as const;

const tools = [
  tool({
    name: "throwing",
    input: object,
    execute: () => {
      throw failure("tool");
    },
  }),
  tool({
    name: "rejecting",
    input: object,
    execute: () => Promise.reject(failure("rejected")),
  }),
  tool({ name: "hidden", input: object, mask: true, execute: () => ({ password: secret("masked") }) }),
  tool({
    name: "partly",
    input: object,
    mask: ["password"],
    execute: () => ({ name: "Ada", password: secret("masked-field") }),
  }),
  tool({
    name: "remembering",
    input: object,
    execute: () => result({ value: "Noted.", context: { session: secret("context-later") } }),
  }),
  tool({
    name: "asking",
    input: object,
    approval: ({ context }) => {
      if (context) return true;
      throw failure("policy");
    },
    execute: () => "Done.",
  }),
  tool({
    name: "forbidden",
    input: object,
    allow: () => {
      throw failure("allow");
    },
    execute: () => "Done.",
  }),
];

const names = ["throwing", "rejecting", "hidden", "partly", "remembering", "forbidden", "missing"];

/** Calls tools, then pauses, then fails as a provider does, in the middle of its answer. */
function agents(): Agent[] {
  const instructions = (): string => `Never say ${secret("instructions")}.`;
  const busy = new FunctionModel(({ messages }) => {
    const turns = messages.filter(({ role }) => role === "assistant").length;
    if (turns === 0) return { toolCalls: names.map((toolName) => ({ toolName, arguments: {} })) };
    if (turns === 1) return { text: "Let me ask.", toolCalls: [{ toolName: "asking", arguments: {} }] };
    return { text: "Half an answer", chunkSize: 4, error: providerFailure("stream"), errorAfter: 2 };
  });
  const refused = new FunctionModel(() => ({ error: providerFailure("first") }));
  const broken = new FunctionModel(() => {
    throw failure("model");
  });
  return [
    new Agent({ name: "Busy", model: busy, tools, instructions }),
    new Agent({ name: "Refused", model: refused, instructions }),
    new Agent({ name: "Broken", model: broken }),
    new Agent({
      name: "Unprepared",
      model: refused,
      instructions: () => {
        throw failure("instructions");
      },
    }),
  ];
}

let server: SkeinServer;
let sent = "";
const reported: unknown[] = [];

/** What is sent for a request, headers included. */
async function bytesOf(method: string, path: string, body?: unknown, stream = false): Promise<string> {
  const headers: Record<string, string> = stream ? { accept: "text/event-stream" } : {};
  const response = await server.fetch(request(method, path, body, headers));
  const text = [response.status, ...response.headers, await response.text()].join("\n");
  sent += `${text}\n`;
  return text;
}

const authorize: NonNullable<ServeOptions["authorize"]> = ({ headers }) => {
  if (headers.has("x-fail")) throw failure("authorize");
  return { user: "ada", context: { apiKey: secret("context"), nested: { list: [secret("context-deep")] } } };
};

beforeAll(() => {
  process.env["PLANTED_KEY"] = secret("environment");
  server = serve(agents(), {
    authorize,
    onError: (error) => void reported.push(error),
    runOptions: {
      onEvent: () => {
        throw failure("hook");
      },
    },
  });
});

afterAll(() => server.close({ drain: 0 }));

test("runs whose tools, providers and hooks fail are sent, by every route", async () => {
  const start = { input: "Go.", id: "busy", session: "s" };
  expect(await bytesOf("POST", "/runs/Busy", start, true)).toContain('"status":"paused"');
  const state = JSON.parse((await bytesOf("GET", "/runs/busy")).split("\n").at(-1) ?? "");
  await bytesOf("GET", "/sessions/s");
  const decisions = [{ approvalId: state.pending[0].approvalId, decision: "approve" }];
  const rest = await bytesOf("POST", "/runs/busy/decide", { decisions }, true);
  expect(rest).toContain("Half");
  expect(rest).toMatch(/"status":"failed".*"error":\{"code":"authentication"/);
  for (const name of ["Refused", "Broken", "Unprepared"]) {
    expect(await bytesOf("POST", `/runs/${name}`, { input: "Go.", id: name }, true)).toContain("run-end");
    await bytesOf("POST", `/runs/${name}`, { input: "Go.", id: `${name}-2`, session: name });
    await server.runs.get(`ada/${name}-2`).result();
    for (const id of [name, `${name}-2`]) {
      await bytesOf("GET", `/runs/${id}`);
      await bytesOf("GET", `/runs/${id}/events`);
    }
    await bytesOf("GET", `/sessions/${name}`);
  }
  for (const path of [
    "/runs/busy",
    "/runs/busy/events",
    "/runs/busy/events?after=3",
    "/sessions/s",
    "/agents",
  ])
    expect(await bytesOf("GET", path)).toMatch(/^200/);
  for (const [path, body] of [
    ["decide", { decisions }],
    ["resolve", { toolCallId: "call_1", content: "x" }],
    ["steer", { message: "x" }],
    ["queue", { message: "x" }],
    ["cancel", {}],
  ] as const)
    await bytesOf("POST", `/runs/busy/${path}`, body);
});

test("errors of the server itself have no words of it either", async () => {
  const response = await server.fetch(request("GET", "/agents", undefined, { "x-fail": "1" }));
  sent += await response.text();
  expect(response.status).toBe(500);
  expect(reported.length).toBeGreaterThan(0);
});

test("not one secret is in what was sent", () => {
  expect(secrets.length).toBeGreaterThanOrEqual(50);
  expect(sent.length).toBeGreaterThan(5_000);
  expect(secrets.filter((each) => sent.includes(each))).toEqual([]);
  expect(sent).not.toMatch(/\bat [^ \n]+ \(|node_modules|\.ts:\d|PLANTED_KEY|Never say/);
});
