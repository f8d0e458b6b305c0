/**
 * Every public function refuses an option that it does not know: a misspelled limit would be ignored without a word. The table has
 * each function of each entry, with a call or the reason why it has no options; a new function without a row fails.
 */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { servingTable } from "./serving-options.ts";
import * as skein from "skein";
import * as aiSdk from "skein/ai-sdk";
import * as anthropic from "skein/anthropic";
import * as attach from "skein/attach";
import * as cli from "skein/cli";
import * as code from "skein/code";
import * as compiler from "skein/compiler";
import * as durable from "skein/durable";
import * as postgres from "skein/durable/postgres";
import * as cloudflare from "skein/durable/cloudflare";
import * as restate from "skein/durable/restate";
import * as evals from "skein/evals";
import * as google from "skein/google";
import * as mcp from "skein/mcp";
import * as models from "skein/models";
import * as next from "skein/next";
import * as offline from "skein/offline";
import * as openai from "skein/openai";
import * as openapi from "skein/openapi";
import * as plugin from "skein/plugin";
import * as sessions from "skein/sessions";
import * as testing from "skein/testing";
import * as conformance from "skein/testing/conformance";

const { Agent, tool } = skein;

const unknown: object = { definitelyNotAnOption: 1 };
const empty = { type: "object", properties: {} } as const;
const scripted = () => new testing.ScriptedModel([]);
const agent = new Agent({ name: "A", model: scripted() });
const look = tool({ name: "look", input: empty, execute: () => "seen" });
const evaluation = evals.defineEval({ agent, cases: [{ input: "Hi", text: "Hi" }] });
const url = "http://127.0.0.1:1/mcp";
const document = { openapi: "3.1.0", info: { title: "T", version: "1" }, servers: [], paths: {} };
const aiModel = {
  specificationVersion: "v3",
  provider: "p",
  modelId: "m",
  supportedUrls: {},
  doStream: () => Promise.reject(new Error("not called")),
} as const;

const runs = () => durable.runs({ agents: [agent], store: durable.sqliteStore(":memory:") });
const runsInRestate = () => restate.restateRuns({ agents: [agent], ingress: "http://127.0.0.1:8080" });
const runsInObject = (options: object = {}) =>
  cloudflare.durableObjectRuns(
    {
      id: { toString: () => "1" },
      storage: {
        sql: { exec: () => ({ toArray: () => [] }) },
        transactionSync: (work) => work(),
        setAlarm: async () => {},
        deleteAlarm: async () => {},
        sync: async () => {},
      },
    },
    { agents: [agent], ...options },
  );

/** Calls with an unknown option, or the reason why there are none to know. */
type Row = string | readonly (() => unknown)[];

const noOptions = "takes no options";
const data = "what it is given is data, of any shape";
const made = "is made by functions of the library, not by programs";
const values = "takes values, not options";

const table: Readonly<Record<string, readonly [entry: object, rows: Readonly<Record<string, Row>>]>> = {
  skein: [
    skein,
    {
      Agent: [
        () => new Agent({ name: "A", ...unknown }),
        () => new Agent({ name: "A", settings: { ...unknown } }),
        () => agent.with({ ...unknown }),
        () => agent.asTool({ ...unknown }),
      ],
      ToolRegistry: [() => new skein.ToolRegistry().tool(() => "", { name: "t", ...unknown })],
      compileSchema: [() => skein.compileSchema(empty, { ...unknown })],
      executeToolCalls: [() => skein.executeToolCalls([], [look], { ...unknown })],
      generate: [() => skein.generate(scripted(), { messages: "Hi", ...unknown })],
      generateStream: [() => skein.generateStream(scripted(), { messages: "Hi", ...unknown }).next()],
      invalidate: "takes the arguments of a tool, whose names are its own",
      isAgent: data,
      media: values,
      output: noOptions,
      result: [() => skein.result({ value: 1, ...unknown })],
      run: [
        () => skein.run(agent, "Hi", { ...unknown }),
        () => skein.run(agent, "Hi", { compaction: { ...unknown } }),
      ],
      schemaOf: noOptions,
      stream: [
        () => skein.stream(agent, "Hi", { ...unknown }).result,
        () => skein.stream(agent, "Hi").events({ ...unknown }),
      ],
      tool: [
        () => tool({ name: "t", input: empty, execute: () => "", ...unknown } as never),
        () => tool(() => "", { name: "t", ...unknown }),
        () => tool(() => "", { name: "t", cache: { ttl: 1, ...unknown } }),
      ],
      toolkit: [() => skein.toolkit({ look: () => "" }, { ...unknown })],
      toolset: [
        () => skein.toolset([look]).deferred({ ...unknown }),
        () => skein.toolset([look]).withPolicy({ ...unknown }),
      ],
      triage: [() => skein.triage([agent], { ...unknown })],
    },
  ],
  "skein/ai-sdk": [aiSdk, { fromAiSdk: [() => aiSdk.fromAiSdk(aiModel, { ...unknown })] }],
  "skein/anthropic": [anthropic, { anthropic: [() => anthropic.anthropic("claude-x", { ...unknown })] }],
  "skein/attach": [attach, { attach: "builds write its calls" }],
  "skein/cli": [cli, { chat: [() => cli.chat(agent, { ...unknown })] }],
  "skein/code": [code, { codeMode: [() => code.codeMode([look], { ...unknown })] }],
  "skein/compiler": [compiler, { openCompiler: [() => compiler.openCompiler({ ...unknown })] }],
  "skein/evals": [
    evals,
    {
      baselineOf: values,
      bfcl: [() => evals.bfcl({ questions: "", ...unknown })],
      calls: values,
      callsInAnyOrder: values,
      callsInOrder: values,
      callsInclude: values,
      compareResults: values,
      costAtMost: "takes what dollars() returns",
      defineEval: [
        () => evals.defineEval({ agent, cases: [{ input: "Hi", text: "Hi" }], ...unknown }),
        () => evals.defineEval({ agent, cases: [{ input: "Hi", text: "Hi", ...unknown }] }),
        () => evals.defineEval({ agent, cases: [{ input: "Hi", text: "Hi" }], run: { ...unknown } }),
      ],
      describeExpected: values,
      endsWith: values,
      exactly: data,
      fits: data,
      goalMet: noOptions,
      handsOffTo: values,
      isEvaluation: data,
      isExpected: values,
      judge: [() => evals.judge("Be kind.", { ...unknown })],
      latencyAtMost: values,
      like: data,
      madeCalls: values,
      means: [() => evals.means("Yes", { ...unknown })],
      neverCalls: values,
      noCalls: noOptions,
      noCorrections: noOptions,
      oneOf: data,
      optional: data,
      outputIs: data,
      pairwise: [() => evals.pairwise({ against: "Yes", ...unknown })],
      passHat: values,
      perfectJudge: noOptions,
      perfectModel: "takes the case and the options of an evaluation, which has checked them",
      policy: values,
      runEval: [() => evals.runEval(evaluation, { ...unknown })],
      sameCalls: data,
      stateIs: data,
      stateUnchanged: noOptions,
      textContains: values,
      textEquals: values,
      textMatches: values,
      tokensAtMost: values,
      turnsAtMost: values,
      wilsonInterval: values,
      wrongJudge: noOptions,
      wrongModel: "takes the case of an evaluation, which has checked it",
    },
  ],
  "skein/google": [google, { google: [() => google.google("gemini-x", { ...unknown })] }],
  "skein/mcp": [
    mcp,
    {
      McpServers: made,
      McpToolset: made,
      fileTokens: values,
      mcp: [
        () => mcp.mcp({ command: "node", ...unknown }),
        () => mcp.mcp({ url, ...unknown }),
        () => mcp.mcp({ url, auth: { token: "a", ...unknown } }),
        () => mcp.mcp({ url, auth: { clientId: "a", clientSecret: "b", ...unknown } }),
        () => mcp.mcp({ url, auth: { openBrowser: () => undefined, ...unknown } }),
        () => mcp.mcp({ url, sampling: { ...unknown } }),
        () => mcp.mcp.config({ mcpServers: {} }, { ...unknown }),
      ],
      mcpContent: data,
      mcpHandler: [
        () => mcp.mcpHandler({ tools: [look], ...unknown }),
        () => mcp.mcpHandler({ tools: [look] }, { ...unknown }),
      ],
      mcpRequest: "takes the context of a tool",
      memoryTokens: noOptions,
      preset: [() => mcp.preset("memory", { ...unknown })],
      serveMcp: [
        () => mcp.serveMcp({ tools: [look] }, { transport: "stdio", ...unknown }),
        () => mcp.serveMcp({ tools: [look] }, { transport: { http: { port: 0, ...unknown } } }),
        () => mcp.serveMcp({ tools: [look], ...unknown }, { transport: { http: { port: 0 } } }),
      ],
      setMcpHost: [() => mcp.setMcpHost({ ...unknown })],
    },
  ],
  "skein/models": [
    models,
    {
      batched: [() => models.batched(openai.openai("gpt-x"), { ...unknown })],
      citationsOf: data,
      cached: [() => models.cached(scripted(), { ...unknown })],
      costOf: data,
      dollars: values,
      fallback: [() => models.fallback([scripted()], { ...unknown })],
      hostedCalls: data,
      logged: values,
      priceOf: data,
      rateLimited: [() => models.rateLimited(scripted(), { requestsPerMinute: 1, ...unknown })],
      retry: [() => models.retry(scripted(), { ...unknown })],
      withSettings: [() => models.withSettings(scripted(), { ...unknown })],
    },
  ],
  "skein/next": [next, { withSkein: [() => next.withSkein({}, { ...unknown })] }],
  "skein/offline": [offline, { offline: [() => offline.offline({ ...unknown })] }],
  "skein/openai": [
    openai,
    {
      fromChatMessages: [() => openai.fromChatMessages([], { ...unknown })],
      openai: [
        () => openai.openai("gpt-x", { uploads: { ...unknown } }),
        () => openai.openai.responses("gpt-x", { uploads: { ...unknown } }),
        () => openai.openai("gpt-x", { ...unknown }),
        () => openai.openai.responses("gpt-x", { ...unknown }),
      ],
      toChatMessages: [() => openai.toChatMessages([], { ...unknown })],
    },
  ],
  "skein/openapi": [
    openapi,
    {
      openapi: [
        () => openapi.openapi(document, { ...unknown }),
        () => openapi.openapi(document, { auth: { basic: { username: "a", password: "b", ...unknown } } }),
        () => openapi.openapi(document, { auth: { own: { clientId: "a", clientSecret: "b", ...unknown } } }),
      ],
    },
  ],
  "skein/plugin": [
    plugin,
    { skein: [() => plugin.skein.vite({ ...unknown }), () => plugin.skein.rollup({ ...unknown })] },
  ],
  "skein/sessions": [
    sessions,
    {
      fileSession: [() => sessions.fileSession("unused.jsonl", { ...unknown })],
      memorySession: [() => sessions.memorySession({ ...unknown })],
      readSession: noOptions,
      sqliteSession: [() => sessions.sqliteSession("unused.db", "a", { ...unknown })],
    },
  ],
  ...servingTable,
  "skein/durable": [
    durable,
    {
      memoryStore: [() => durable.memoryStore({ ...unknown })],
      runs: [
        () => durable.runs({ agents: [agent], store: durable.sqliteStore(":memory:"), ...unknown }),
        () => runs().start(agent, "Hi", { ...unknown }),
        () => runs().list({ ...unknown }),
        () => runs().work({ ...unknown }),
        () => runs().close({ ...unknown }),
        () =>
          runs()
            .get("r")
            .result({ ...unknown }),
        () =>
          runs()
            .get("r")
            .resolve("c", "x", { ...unknown }),
        () =>
          runs()
            .get("r")
            .answer({ ...unknown }),
      ],
      sqliteStore: values,
    },
  ],
  "skein/durable/postgres": [postgres, { postgresStore: values }],
  "skein/durable/cloudflare": [
    cloudflare,
    {
      durableObjectRuns: [
        () => runsInObject(unknown),
        () => runsInObject().start(agent, "Hi", { ...unknown }),
        () => runsInObject().list({ ...unknown }),
      ],
    },
  ],
  "skein/durable/restate": [
    restate,
    {
      restateRuns: [
        () => restate.restateRuns({ agents: [agent], ingress: "http://127.0.0.1:8080", ...unknown }),
        () => runsInRestate().start(agent, "Hi", { ...unknown }),
        () => runsInRestate().list({ ...unknown }),
        () => runsInRestate().close({ ...unknown }),
      ],
    },
  ],
  "skein/testing": [
    testing,
    {
      FunctionModel: [() => new testing.FunctionModel(() => "Hi", { ...unknown })],
      ScriptedModel: [() => new testing.ScriptedModel([], { ...unknown })],
      blockRealModels: noOptions,
      record: [() => testing.record(scripted(), "unused.jsonl", { ...unknown })],
      recordFetch: [() => testing.recordFetch("unused.jsonl", { ...unknown })],
      recorded: [() => testing.recorded("unused", import.meta.url, scripted(), () => "", { ...unknown })],
      replay: [() => testing.replay("unused.jsonl", { ...unknown })],
      replayFetch: [() => testing.replayFetch("unused.jsonl", { ...unknown })],
    },
  ],
  "skein/testing/conformance": [
    conformance,
    {
      assertConformance: data,
      chaosFetch: [() => conformance.chaosFetch({ ...unknown })],
      checkAgent: [() => conformance.checkAgent(agent, { ...unknown })],
      checkModel: [() => conformance.checkModel(scripted(), { ...unknown })],
      checkStore: [() => conformance.checkStore(() => durable.sqliteStore(":memory:"), { ...unknown })],
      checkTool: [() => conformance.checkTool(look, { ...unknown })],
    },
  ],
};

/** Entries that export no function for programs. */
const withoutFunctions: Readonly<Record<string, string>> = {
  "skein/evals/vitest": "adds matchers to expect",
  "skein/next-loader": "is called by Next.js",
  "skein/package.json": data,
  "skein/reflection-unavailable": "is what bundles have instead of reflection",
  "skein/register": "is loaded for its effect",
};

/** An error must not fail while it is made. */
const isError = (value: Function): boolean => value.prototype instanceof Error;

test("the table has every entry of the package, and every function of each", async () => {
  const manifest: { readonly exports: object } = JSON.parse(await readFile("package.json", "utf8"));
  const entries = Object.keys(manifest.exports).map((entry) => entry.replace(/^\./, "skein"));
  expect([...Object.keys(table), ...Object.keys(withoutFunctions)].sort()).toEqual(entries.sort());
  for (const [name, [entry, rows]] of Object.entries(table)) {
    const functions = Object.entries(entry).flatMap(([key, value]) => {
      const isCalled = typeof value === "function" || ["skein", "sandbox"].includes(key);
      return isCalled && !(typeof value === "function" && isError(value)) ? [key] : [];
    });
    expect(Object.keys(rows).sort(), name).toEqual(functions.sort());
  }
});

const rows = Object.entries(table).flatMap(([entry, [, functions]]) =>
  Object.entries(functions).flatMap(([name, row]) =>
    typeof row === "string" ? [] : row.map((call, index) => [entry, name, index + 1, call] as const),
  ),
);

test.each(rows)("%s: %s refuses an unknown option (call %i)", async (entry, _name, _index, call) => {
  // A page does not load the framework's errors for one function.
  const own =
    entry === "skein/client"
      ? { name: "SkeinClientError" }
      : { name: "ConfigurationError", data: { option: "definitelyNotAnOption" } };
  await expect((async () => call())()).rejects.toMatchObject({
    ...own,
    code: "invalid-option",
    message: expect.stringContaining('"definitelyNotAnOption"'),
  });
});

test("what would be lost of a tool's result is an error, and what is there is kept", async () => {
  const spelled = tool({ name: "spelled", input: empty, execute: () => skein.result({ value: "seen" }) });
  const wrong = { valeu: "seen" };
  const misspelled = tool({ name: "misspelled", input: empty, execute: () => skein.result(wrong as never) });
  const names = ["spelled", "misspelled"];
  const calls = names.map((toolName) => ({ toolCallId: toolName, toolName, arguments: "{}" }));
  const results = await skein.executeToolCalls(calls, [spelled, misspelled]);
  expect(results.map(({ outcome }) => outcome)).toEqual(["success", "error"]);
  const text: unknown = expect.stringContaining('no option "valeu". Did you mean "value"?');
  expect(results[1]?.content).toEqual([{ type: "text", text }]);
});
