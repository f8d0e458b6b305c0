/** Every function that a program hands in, failing in every way: reported, never unhandled, and no promise is a "yes". */
import { request } from "node:http";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { expect, test, vi } from "vitest";
import {
  Agent,
  executeToolCalls,
  generate,
  run,
  NetworkError,
  SkeinError,
  tool,
  toolkit,
  toolset,
  type ToolContext,
} from "skein";
import { defineEval, runEval } from "skein/evals";
import { mcp, mcpRequest, serveMcp } from "skein/mcp";
import { cached, fallback, logged, retry } from "skein/models";
import { openapi } from "skein/openapi";
import { memorySession } from "skein/sessions";
import { openai } from "skein/openai";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { chaosFetch } from "skein/testing/conformance";
import { serveProtected } from "../../src/connectors/mcp/auth/test-protected-server.ts";
import { progressTool } from "./test-progress.ts";

type Callback = (...args: readonly unknown[]) => never;
/** What came of it: everything that a person could have read, and whether the "yes" was acted on. */
interface Seen {
  readonly report: unknown;
  readonly acted?: boolean;
}
type Use = (callback: Callback) => Promise<Seen>;

const input = { type: "object", properties: {} } as const;
const call = { toolCalls: [{ toolName: "work" }] };
const calls = [{ toolCallId: "1", toolName: "work", arguments: "{}" }];

/** A run with one tool, and what a person could read of it. */
async function runWith(work: object, options: object = {}, agent: object = {}): Promise<Seen> {
  let done = 0;
  const execute = () => ++done;
  const tools = [tool({ name: "work", input, execute, ...work })];
  const model = new ScriptedModel([call, "Done."]);
  const { warnings, messages, status } = await run(
    new Agent({ name: "A", model, tools, ...agent }),
    "Go.",
    options,
  );
  return { report: { warnings, messages, status }, acted: done > 0 };
}

const failing = () => new ScriptedModel([{ error: new Error("the model is down") }]);

/** Of an evaluation with a tool that a person has to approve. */
async function evaluate(options: object, runOptions: object = {}): Promise<Seen> {
  let done = 0;
  const work = tool({ name: "work", input, approval: true, execute: () => ++done });
  const model = new FunctionModel(({ messages }) => (messages.length > 1 ? "Done." : call));
  const agent = new Agent({ name: "A", model, tools: [work] });
  const result = await runEval(
    defineEval({ agent, cases: [{ input: "Go.", text: "Done." }], ...options }),
    runOptions,
  );
  const { warnings } = result;
  const [record] = result.cases.flatMap(({ runs }) => runs);
  return { report: { warnings, record }, acted: done > 0 || record?.pass === true };
}

/** Of an MCP client whose server asks it. */
async function answerServer(
  options: object,
  ask: (context: ToolContext) => Promise<unknown>,
  definition: object = {},
): Promise<Seen> {
  const execute = async (_: object, context: ToolContext) => ask(context);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const work = tool({ name: "work", input, execute });
  const warnings: string[] = [];
  const onError = (error: Error) => void warnings.push(error.message);
  const serving = await serveMcp({ tools: [work], onError, ...definition }, { transport: theirs });
  await using tools = mcp({ transport: ours, name: "asker", protocol: "legacy", ...options });
  const onWarning = (text: string) => void warnings.push(text);
  const scope = { context: {}, agent: undefined, messages: [], warn: onWarning };
  const results = await executeToolCalls(calls, [tools], { onWarning });
  // What happens during a call is reported with the next list.
  await tools.tools(scope);
  await serving.close();
  return { report: { results, warnings }, acted: results[0]?.isError === false };
}

/** Of a toolkit whose one method is `work`. */
async function callKit(options: object): Promise<Seen> {
  let done = 0;
  class Kit {
    work(): number {
      return ++done;
    }
  }
  const kit = toolkit(new Kit(), { methods: { work: { input } }, ...options });
  const warnings: string[] = [];
  const results = await executeToolCalls(calls, [kit], { onWarning: (text) => void warnings.push(text) });
  return { report: { results, warnings }, acted: done > 0 };
}

/** Of a server over HTTP that receives a request which it cannot read. */
async function serveUnreadable(onError: (error: Error) => void): Promise<Seen> {
  const serving = await serveMcp({ tools: [], onError }, { transport: { http: { port: 0 } } });
  const status = await new Promise((resolve, reject) => {
    // Node passes this method on, and no `Request` can have it.
    request(serving.url ?? "", { method: "TRACE" }, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end();
  });
  await serving.close();
  return { report: status };
}

const paths = { "/a": { get: { operationId: "work", responses: { 200: { description: "ok" } } } } };
const info = { title: "T", version: "1" };
const document = { openapi: "3.1.0", info, servers: [{ url: "https://api.example.com" }], paths };

async function callApi(options: object): Promise<Seen> {
  let done = 0;
  const fetch = async () => (++done, Response.json({}));
  const results = await executeToolCalls(calls, [openapi(document, { fetch, ...options })]);
  return { report: results, acted: done > 0 };
}

/** Functions that only listen: what they return is of no interest, and nothing else fails. */
const listeners: Readonly<Record<string, Use>> = {
  onEvent: (onEvent) => runWith({}, { onEvent }),
  "the log of logged()": async (log) => ({
    report: await generate(logged(new ScriptedModel(["Hi."]), log), "Go."),
  }),
  "onProgress of executeToolCalls()": async (onProgress) => {
    return { report: await executeToolCalls(calls, [progressTool], { onProgress }) };
  },
  "onWarning of executeToolCalls()": async (onWarning) => {
    const allow = () => {
      throw new Error("never");
    };
    const work = tool({ name: "work", input, allow, execute: () => "done" });
    return { report: await executeToolCalls(calls, [work], { onWarning }) };
  },
  "onProgress of runEval()": (onProgress) => evaluate({}, { onProgress }),
  "onError of serveMcp()": (onError) => {
    const allow = () => {
      throw new Error("never");
    };
    const work = tool({ name: "work", input, allow, execute: () => "done" });
    return answerServer({}, async () => "done", { tools: [work], onError });
  },
  "onError of serveMcp() over HTTP": serveUnreadable,
  "onChaos of chaosFetch()": async (onChaos) => {
    const fetch = chaosFetch({ rate: 1, kinds: ["rate-limit"], onChaos });
    const model = openai("m", { apiKey: "none", baseURL: "http://127.0.0.1:9/v1", fetch });
    const answer = generate(model, { messages: "Go.", settings: { maxRetries: 0 } });
    const error: unknown = await answer.catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: "rate-limit" });
    return { report: error };
  },
};

/** Functions whose value counts at once: a promise is a mistake, whatever it comes to. */
const immediate: Readonly<Record<string, Use>> = {
  "on of fallback()": async (on) => {
    const second = new ScriptedModel(["Hi."]);
    const report = await generate(fallback([failing(), second], { on }), "Go.").catch(
      (error: unknown) => error,
    );
    return { report, acted: second.requests.length > 0 };
  },
  "delay of retry()": async (delay) => {
    const model = new ScriptedModel([
      { error: new NetworkError("down", { provider: "p", modelId: "m" }) },
      "Hi.",
    ]);
    const report = await generate(retry(model, { delay }), "Go.").catch((error: unknown) => error);
    return { report };
  },
  "key of cached()": async (key) => ({
    report: await generate(cached(new ScriptedModel(["Hi."]), { key }), "Go.").catch(
      (error: unknown) => error,
    ),
  }),
  "when of retries": async (when) => {
    let attempts = 0;
    const execute = () => {
      attempts++;
      throw new Error("no");
    };
    return { ...(await runWith({ retries: { when, delay: 1 }, execute })), acted: attempts > 1 };
  },
  "delay of retries": async (delay) => {
    let attempts = 0;
    const execute = () => {
      attempts++;
      throw new Error("no");
    };
    const retries = { when: () => true, delay };
    return { ...(await runWith({ retries, execute })), acted: attempts > 1 };
  },
  "key of cache": (key) => runWith({ cache: { key } }),
  serialize: (serialize) => runWith({ serialize }),
  "the function of filtered()": async (keep) => {
    let done = 0;
    const set = toolset([tool({ name: "work", input, execute: () => ++done })]).filtered(keep);
    const report = await executeToolCalls(calls, [set]).catch((error: unknown) => error);
    return { report, acted: done > 0 };
  },
  "include of openapi()": (include) => callApi({ include }),
  handoffs: async (handoffs) => runWith({}, {}, { handoffs }),
  "costOf of maxCost": (costOf) => runWith({}, { maxCost: { amount: 1, costOf } }),
  "costOf of runEval()": (costOf) => evaluate({ approvals: "deny" }, { costOf }),
  "approvals of an evaluation": (approvals) => evaluate({ approvals }),
  "the agent of an evaluation": (agent) => evaluate({ agent, name: "E" }),
};

/** Functions that may take their time: a promise of `true` is a yes, where that is the question. */
const asynchronous: Readonly<Record<string, Use>> = {
  instructions: (instructions) => runWith({}, {}, { instructions }),
  approval: (approval) => runWith({ approval }),
  allow: (allow) => runWith({ allow }),
  "tools of a toolset": (tools) => runWith({}, {}, { tools: [{ name: "set", tools }] }),
  "approval of a toolkit": (approval) => callKit({ approval }),
  "allow of a toolkit": (allow) => callKit({ allow }),
  "the disposal of a toolkit": async (dispose) => ({
    report: await toolkit({ work: () => 1, [Symbol.asyncDispose]: dispose }).close?.(),
  }),
  "openBrowser of mcp()": async (openBrowser) => {
    await using server = await serveProtected();
    await using tools = mcp({ url: server.url, auth: { openBrowser }, name: "locked" });
    const add = [{ toolCallId: "1", toolName: "add", arguments: '{"a":1,"b":2}' }];
    const warnings: string[] = [];
    const results = await executeToolCalls(add, [tools], { onWarning: (text) => void warnings.push(text) });
    return { report: { results, warnings }, acted: results[0]?.isError === false };
  },
  "execute of a tool": (execute) => runWith({ execute }),
  "summarize of compaction": (summarize) => {
    const history = Array.from({ length: 40 }, (_, index) => ({
      role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content: index % 2 === 0 ? "word ".repeat(200) : [{ type: "text" as const, text: "word ".repeat(200) }],
      ...(index % 2 === 1 && { toolCalls: [] }),
    }));
    const agent = new Agent({ name: "A", model: new ScriptedModel(["Hi."]) });
    const messages = [...history, { role: "user" as const, content: "Go." }] as never;
    return run(agent, messages, { compaction: { maxTokens: 4000, summarize } }).then(({ warnings }) => ({
      report: warnings,
    }));
  },
  "step of a middleware": (step) => runWith({}, { middleware: [{ step }] }),
  "run of a middleware": (around) => runWith({}, { middleware: [{ run: around }] }),
  "append of a session": (append) => runWith({}, { session: { ...memorySession(), append } }),
  "set of a store": async (set) => ({
    report: await generate(
      cached(new ScriptedModel(["Hi."]), { store: { get: () => undefined, set } }),
      "Go.",
    ).catch((error: unknown) => error),
  }),
  "load of a session": (load) => runWith({}, { session: { ...memorySession(), load } }),
  "get of a store": async (get) => ({
    report: await generate(
      cached(new ScriptedModel(["Hi."]), { store: { get, set: () => {} } }),
      "Go.",
    ).catch((error: unknown) => error),
  }),
  "prompt of an agent as a tool": async (prompt) => {
    const inner = new Agent({ name: "inner", model: new ScriptedModel(["Hi."]) });
    return runWith({}, {}, { tools: [inner.asTool({ name: "work", input, prompt } as never)] });
  },
  "a scorer": (score) => evaluate({ approvals: "deny", scorers: [{ name: "s", score }] }),
  "setup of an evaluation": (setup) => evaluate({ setup }),
  "state of an evaluation": (state) => evaluate({ state }),
  "close of a world": (close) => evaluate({ approvals: "deny", setup: () => ({ close }) }),
  "a secret of openapi()": async (auth) => {
    const security = [{ key: [] }];
    const components = { securitySchemes: { key: { type: "http", scheme: "bearer" } } };
    const fetch = async () => Response.json({});
    const api = openapi({ ...document, security, components }, { fetch, auth });
    return { report: await executeToolCalls(calls, [api]).catch((error: unknown) => error) };
  },
  elicitation: (elicitation) =>
    answerServer({ elicitation }, async (context) => {
      const question = { message: "Sure?", schema: { type: "object" as const, properties: {} } };
      const { action } = await mcpRequest(context).elicit("q", question);
      if (action !== "accept") throw new Error(action);
    }),
  roots: (roots) => answerServer({ roots }, (context) => mcpRequest(context).roots("r")),
  "approve of sampling": (approve) =>
    answerServer({ sampling: { approve, model: new ScriptedModel(["Hi."]) } }, (context) =>
      mcpRequest(context).sample("m", { messages: [{ role: "user", content: "Go." }], maxTokens: 10 }),
    ),
  "context of serveMcp()": (context) => answerServer({}, async () => "done", { context }),
  "the transport of mcp()": async (transport) => {
    await using tools = mcp({ transport, name: "none" });
    const warnings: string[] = [];
    await executeToolCalls(calls, [tools], { onWarning: (text) => void warnings.push(text) });
    return { report: warnings };
  },
};

const mark = "it-broke";
const thenable = (settle: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => void) => ({
  // oxlint-disable-next-line unicorn/no-thenable -- that is what this is about
  then: settle,
});
const failures: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw new Error(mark);
  },
  rejects: () => Promise.reject(new Error(mark)),
  "returns a thenable that rejects": () => thenable((_, reject) => reject(new Error(mark))),
  "returns a thenable that throws": () =>
    thenable(() => {
      throw new Error(mark);
    }),
};
const promises: Readonly<Record<string, () => unknown>> = {
  "a promise of yes": async () => true,
  "a thenable of yes": () => thenable((resolve) => resolve(true)),
};

/** Everything that a person could read, on the console too. */
async function observe(use: Use, callback: () => unknown): Promise<{ text: string; seen: Seen }> {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", listen);
  const print = vi.spyOn(console, "warn").mockReturnValue();
  try {
    const seen: Seen = await use(callback as Callback).catch((error: unknown) => ({ report: error }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(unhandled).toEqual([]);
    const { report } = seen;
    expect(isTyped(report)).toBe(true);
    const text = JSON.stringify([report, report instanceof Error && chainOf(report), print.mock.calls]);
    return { text, seen };
  } finally {
    print.mockRestore();
    process.off("unhandledRejection", listen);
  }
}

/** A typed error, or the very one that the callback threw. */
function isTyped(report: unknown): boolean {
  return !(report instanceof Error) || report instanceof SkeinError || report.message.includes(mark);
}

function chainOf(error: unknown): readonly string[] {
  return error instanceof Error ? [error.name, error.message, ...chainOf(error.cause)] : [];
}

const rows = (uses: Readonly<Record<string, Use>>, ways: Readonly<Record<string, () => unknown>>) =>
  Object.entries(uses).flatMap(([name, use]) =>
    Object.entries(ways).map(([way, callback]) => [name, way, use, callback] as const),
  );

const { throws: now, ...later } = failures;

test.each([
  ...rows(listeners, failures),
  ...rows(asynchronous, failures),
  ...rows(immediate, { throws: now! }),
])("%s that %s is reported", async (name, _, use, callback) => {
  const { text, seen } = await observe(use, callback);
  expect(text).toContain(mark);
  expect(!(name in listeners) && seen.acted === true).toBe(false);
});

test.each(rows(immediate, { ...later, ...promises }))(
  "%s that %s: refused in so many words",
  async (_name, _way, use, callback) => {
    const { text, seen } = await observe(use, callback);
    expect(text).toMatch(/promise/i);
    expect(seen.acted ?? false).toBe(false);
  },
);
