/** Names of properties that are chosen elsewhere: one called `__proto__` is data as any other, or refused; never a prototype. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Agent, executeToolCalls, generate, result, run, tool, toolset } from "skein";
import { anthropic } from "skein/anthropic";
import { defineEval, runEval } from "skein/evals";
import { google } from "skein/google";
import { withSettings } from "skein/models";
import { openai } from "skein/openai";
import { openapi } from "skein/openapi";
import { fileSession, memorySession, readSession, sqliteSession } from "skein/sessions";
import { record, replay, ScriptedModel } from "skein/testing";

/** As it comes from JSON: an own property with this name. */
const hostile = (value: unknown) => wild(JSON.parse(`{"__proto__":${JSON.stringify(value)}}`));
/** What programs in JavaScript pass. */
const wild = (value: unknown): Record<string, never> => value as Record<string, never>;
const folder = mkdtempSync(join(tmpdir(), "keys-"));
const input = { type: "object", properties: {} } as const;
const before = Object.getOwnPropertyNames(Object.prototype).toSorted();

afterEach(() => expect(Object.getOwnPropertyNames(Object.prototype).toSorted()).toEqual(before));

/** The value that stands under `__proto__`, where that is an own property of a plain object. */
function ownOf(object: unknown): unknown {
  expect([Object.prototype, null]).toContain(Object.getPrototypeOf(object));
  return Object.getOwnPropertyDescriptor(object, "__proto__")?.value;
}

const chatAnswer = (message: object = { role: "assistant", content: "Hi." }) => ({
  id: "1",
  model: "m",
  choices: [{ index: 0, message, finish_reason: "stop" }],
});
const answers = {
  openai: chatAnswer(),
  anthropic: { id: "1", type: "message", role: "assistant", content: [], stop_reason: "end_turn", usage: {} },
  google: { candidates: [{ content: { role: "model", parts: [{ text: "Hi." }] }, finishReason: "STOP" }] },
};

/** A `fetch` that notes requests, and answers with JSON and a header of that name. */
function wire(answer: object) {
  const requests: RequestInit[] = [];
  const fetch = async (_: unknown, request: RequestInit = {}): Promise<Response> => {
    requests.push(request);
    return Response.json(answer, { headers: [["__proto__", "from the server"]] });
  };
  return { requests, fetch };
}

const open = { openai, anthropic, google };

test.each(["openai", "anthropic", "google"] as const)(
  "headers and fields of requests: %s",
  async (provider) => {
    const { requests, fetch } = wire(answers[provider]);
    const model = open[provider]("m", { apiKey: "a-key", fetch, headers: hostile("from the program") });
    const providerOptions = JSON.parse('{"__proto__":{"a":1},"metadata":{"__proto__":{"b":2}}}');
    await generate(model, { messages: "Go.", settings: { providerOptions } }).catch(() => undefined);
    expect(ownOf(requests[0]?.headers)).toBe("from the program");
    const body: unknown = JSON.parse(wild(requests[0])["body"] ?? "");
    expect(ownOf(body)).toEqual({ a: 1 });
  },
);

test("headers of answers", async () => {
  const { fetch } = wire(answers.openai);
  const { response } = await generate(openai("m", { apiKey: "a-key", fetch }), "Go.");
  expect(ownOf(response.headers)).toBe("from the server");
});

test("blocks of reasoning that come in pieces", async () => {
  const piece = (field: string) =>
    `data: {"id":"1","choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.text","index":0,${field}}]}}]}\n\n`;
  const end = `data: {"id":"1","choices":[{"index":0,"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
  const text = `${piece('"text":"a"')}${piece('"__proto__":{"isAdmin":true}')}${end}`;
  const fetch = async () => new Response(text, { headers: { "content-type": "text/event-stream" } });
  const { message } = await generate(openai("m", { apiKey: "a-key", fetch }), "Go.");
  const [details] = message.content.flatMap((part) => (part.type === "provider" ? [part.providerData] : []));
  expect(JSON.stringify(details)).toContain('"__proto__":{"isAdmin":true}');
});

test("settings: not one of them", async () => {
  const model = new ScriptedModel([]);
  expect(() => withSettings(model, hostile({ temperature: 2 }))).toThrow(
    'settings of withSettings() has no option "__proto__". There are: ',
  );
  expect(() => new Agent({ name: "A", settings: hostile({ temperature: 2 }) })).toThrow('"__proto__"');
});

test.each(["approval", "allow", "retries"])("a policy record: %s is not set by its prototype", (name) => {
  expect(() => tool({ name: "t", input, execute: () => 1, ...hostile({ [name]: true }) })).toThrow(
    "__proto__",
  );
});

test("a record of tools, their statistics and their results", async () => {
  const tools = hostile(0);
  Object.defineProperty(tools, "__proto__", { value: tool({ name: "x", input, execute: () => "done" }) });
  const call = { toolCalls: [{ toolName: "__proto__" }] };
  const { stats, messages } = await run(
    new Agent({ name: "A", model: new ScriptedModel([call, "Done."]), tools }),
    "Go.",
  );
  expect(ownOf(stats.tools)).toMatchObject({ calls: 1 });
  expect(JSON.stringify(messages)).toContain("done");
});

test("new names of tools", async () => {
  const t = tool({ name: "__proto__", input, execute: () => "done" });
  const set = toolset([t]).renamed(hostile("plain"));
  const [renamed] = await executeToolCalls([{ toolCallId: "1", toolName: "plain", arguments: "{}" }], [set]);
  expect(renamed?.isError).toBe(false);
  const other = tool({ name: "toString", input, execute: () => "done" });
  const [unchanged] = await executeToolCalls(
    [{ toolCallId: "1", toolName: "toString", arguments: "{}" }],
    [toolset([other]).renamed({})],
  );
  expect(unchanged?.isError).toBe(false);
});

test("a context, a change of it and a stored state", async () => {
  const seen: unknown[] = [];
  const look = tool({
    name: "look",
    input,
    execute: (_, { context }) => (seen.push(context), result({ context: hostile({ isAdmin: true }) })),
  });
  const turns = [{ toolCalls: [{ toolName: "look" }] }, "Done."];
  const agent = new Agent({ name: "A", model: new ScriptedModel([...turns, "More."]), tools: [look] });
  const { context, state } = await run(agent, "Go.", { context: hostile(1) });
  expect(ownOf(seen[0])).toBe(1);
  expect(ownOf(context)).toEqual({ isAdmin: true });
  expect(ownOf((await run(agent, JSON.parse(JSON.stringify(state)))).context)).toEqual({ isAdmin: true });
});

test.each([
  ["memory", () => memorySession()],
  ["file", () => fileSession(join(folder, "session.jsonl"))],
  ["sqlite", () => sqliteSession(join(folder, "session.db"), "a")],
] as const)("a session: %s", async (_, openSession) => {
  const session = openSession();
  const agent = new Agent({ name: "A", model: new ScriptedModel(["Hi.", "Again."]) });
  await run(agent, "Go.", { session, context: hostile({ isAdmin: true }) });
  const { state } = await readSession(session);
  expect(ownOf(state?.context)).toEqual({ isAdmin: true });
  expect(ownOf((await run(agent, "Go on.", { session })).context)).toEqual({ isAdmin: true });
});

test("a recording", async () => {
  const file = join(folder, "recording.jsonl");
  const request = { messages: "Go.", settings: { providerOptions: hostile({ a: 1 }) } };
  await generate(record(new ScriptedModel(["Hi."]), file), request);
  expect((await generate(replay(file), request)).text).toBe("Hi.");
  await expect(
    generate(replay(file), { messages: "Go.", settings: { providerOptions: {} } }),
  ).rejects.toThrow("providerOptions");
});

test("the scorers of an evaluation", async () => {
  const scorer = { name: "__proto__", score: () => true };
  const evaluation = defineEval({
    agent: new Agent({ name: "A" }),
    cases: [{ input: "Go." }],
    scorers: [scorer],
  });
  const { summary } = await runEval(evaluation, { model: new ScriptedModel(["Hi."]) });
  expect(ownOf(summary.scorers)).toMatchObject({ scored: 1 });
});

test("an OpenAPI document", async () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"a":{"$ref":"#/components/schemas/__proto__"}}}',
  );
  const api = openapi(
    {
      openapi: "3.1.0",
      info: { title: "T", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      paths: {
        "/things": {
          post: {
            operationId: "__proto__",
            requestBody: { content: { "application/json": { schema } } },
            responses: { 200: { description: "ok" } },
          },
        },
      },
      components: { schemas: hostile({ type: "integer" }) },
    },
    { fetch: async () => Response.json({}) },
  );
  const [first] = await api.tools();
  expect(first?.name).toBe("proto");
  expect(JSON.stringify(first?.inputSchema)).toContain('"__proto__":{"type":"string"}');
});
