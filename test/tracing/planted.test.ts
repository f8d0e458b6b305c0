/** What people, models, tools and servers say is in nothing that is exported, unless the program wants it. */
import { metrics } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Agent, result, run, type Tool } from "skein";
import { openai } from "skein/openai";
import { ScriptedModel } from "skein/testing";
import { traceAll } from "skein/tracing";
import { useSdk } from "./current-sdk.ts";
import { textTool } from "./scripted-runs.ts";

const recorder = useSdk();
const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1_000_000 });
const meters = new MeterProvider({ readers: [reader] });
afterEach(() => traceAll()());
beforeAll(() => metrics.setGlobalMeterProvider(meters));
afterAll(() => meters.shutdown());

const planted: string[] = [];
beforeEach(() => {
  planted.length = 0;
});

/** A text of its own for a place, to be found again. */
function plant(place: string): string {
  const text = `planted-${planted.length}-${place}`;
  planted.push(text);
  return text;
}

/** All that an SDK gets to export, as text. */
async function exported(): Promise<string> {
  await reader.forceFlush();
  const spans = recorder.ended.map(({ name, attributes, events, status, links }) => ({
    name,
    attributes,
    events,
    status,
    links,
  }));
  return JSON.stringify([spans, exporter.getMetrics()]);
}

/** A history, a team and tools with a planted text in each place where one can be. */
function everywhere(): () => Promise<unknown> {
  const args = (place: string) => ({ text: plant(place) });
  const image = `data:image/png;base64,${Buffer.from(plant("image")).toString("base64")}`;
  planted.push(Buffer.from(planted.at(-1) ?? "").toString("base64"));
  const throws = (place: string, error: Error): Tool => {
    error.message = plant(place);
    error.name = plant(`${place}-name`);
    return textTool(place, () => {
      throw error;
    });
  };
  const deepest = { text: plant("result-of-agent"), note: plant("note") };
  const helperModel = new ScriptedModel([
    { text: plant("helper-text"), toolCalls: [{ toolName: "inner", arguments: args("helper-arguments") }] },
    plant("helper-answer"),
  ]);
  const secretOf = plant("inner-result");
  const inner = textTool("inner", () => ({ deepest, secretOf }));
  const helper = new Agent({
    name: "Helper",
    instructions: plant("helper-instructions"),
    model: helperModel,
    tools: [inner],
  });
  const nestedText = plant("nested-arguments");
  const runText = plant("agent-input");
  const progress = plant("progress");
  const [stepName, stepValue] = [plant("step-name"), plant("step-value")];
  const changed = plant("changed-context");
  const tools: Tool[] = [
    textTool("outer", async (_, context) => {
      context.progress(progress);
      await context.step(stepName, () => stepValue);
      await context.call("inner", { text: nestedText });
      await context.runAgent(helper, runText);
      return result({ value: plant("value"), context: { changed } });
    }),
    inner,
    throws("thrown", new TypeError("x")),
    throws("wrapped", new Error("x", { cause: new Error(plant("cause")) })),
    textTool("masked", () => plant("masked"), { mask: true }),
    textTool("images", () => result({ value: "1", content: [{ type: "image", url: image }] })),
    textTool("denied", () => "1", { approval: true }),
    textTool("isError", () => result({ value: plant("error-result"), isError: true })),
  ];
  const call = (toolName: string) => ({ toolName, arguments: args(`${toolName}-arguments`) });
  const unknownTool = { toolName: plant("unknown-tool"), arguments: { [plant("key")]: 1 } };
  const model = new ScriptedModel([
    {
      reasoning: plant("reasoning"),
      text: plant("text"),
      toolCalls: [...tools.map(({ name }) => call(name)), unknownTool],
      rawFinishReason: plant("raw-reason"),
    },
    { text: plant("answer"), usage: { inputTokens: 5, outputTokens: 2 } },
  ]);
  const settings = { providerOptions: { [plant("option")]: plant("option-value") } };
  const agent = new Agent({ name: "Team", instructions: plant("instructions"), model, tools, settings });
  const earlier = { toolCallId: "e1", toolName: "inner", arguments: plant("earlier-arguments") };
  const reason = plant("denial");
  const messages = [
    { role: "system", content: plant("system") },
    { role: "user", content: plant("prompt") },
    { role: "assistant", content: [{ type: "text", text: plant("earlier") }], toolCalls: [earlier] },
    {
      role: "tool",
      result: {
        toolCallId: "e1",
        toolName: "inner",
        content: [{ type: "text", text: plant("earlier-result") }],
        isError: false,
        outcome: "success",
      },
    },
    {
      role: "user",
      content: [
        { type: "text", text: plant("part") },
        { type: "image", url: `https://images.example/${plant("address")}` },
        { type: "file", url: image, filename: plant("filename") },
      ],
    },
  ] as const;
  const context = { [plant("context-key")]: plant("context-value"), list: [plant("context-item")] };
  const stateSecret = plant("secret".repeat(8));
  return async () => {
    const { state, pending } = await run(agent, messages, { context, stateSecret });
    const approvals = pending.flatMap(({ approvalId }) =>
      approvalId === undefined ? [] : [{ approvalId, decision: "deny", reason } as const],
    );
    await run(agent, state, { approvals, stateSecret });
  };
}

test("nothing of fifty planted texts is exported by default", async () => {
  traceAll();
  await everywhere()();
  expect(planted.length).toBeGreaterThanOrEqual(50);
  expect(recorder.ended.length).toBeGreaterThan(15);
  const text = await exported();
  expect(planted.filter((each) => text.includes(each))).toEqual([]);
});

test("with content, what was said is there, and neither context nor secrets nor what is masked", async () => {
  traceAll({ content: true });
  await everywhere()();
  const text = await exported();
  const missing = planted
    .filter((each) => !text.includes(each))
    .map((each) => each.replace(/planted-\d+-/, ""));
  // The image is there as base64; the arguments of a nested call are left out once a result was masked.
  expect(missing.toSorted()).toEqual([
    "cause",
    "changed-context",
    "context-item",
    "context-key",
    "context-value",
    "filename",
    "image",
    "masked",
    "nested-arguments",
    "option",
    "option-value",
    "progress",
    "raw-reason",
    "secret".repeat(8),
    "step-name",
    "step-value",
    "thrown-name",
    "wrapped-name",
  ]);
});

test("what a provider is sent, and what it says, is not exported either", async () => {
  const headers = { "x-planted": plant("response-header"), "content-type": "application/json" };
  const server = createServer((_request, response) => {
    response.writeHead(400, headers).end(JSON.stringify({ error: { message: plant("provider-error") } }));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  traceAll();
  const model = openai("gpt-5.2", {
    baseURL: `http://127.0.0.1:${port}/${plant("path")}`,
    apiKey: plant("key"),
    headers: { authorization: plant("header") },
  });
  await expect(run(new Agent({ name: "A", model }), plant("prompt"))).rejects.toThrow(/provider-error/);
  server.close();
  const text = await exported();
  expect(planted).toHaveLength(6);
  expect(planted.filter((each) => text.includes(each))).toEqual([]);
  expect(recorder.ended.find(({ name }) => name === "chat gpt-5.2")?.attributes).toMatchObject({
    "server.address": "127.0.0.1",
    "server.port": port,
    "error.type": "invalid-request",
  });
});

test("a masked result stays masked with content, also where its tool's caller passes it on", async () => {
  traceAll({ content: true });
  const masked = plant("masked");
  const tools = [
    textTool("secret", () => masked, { mask: true }),
    textTool("partly", () => ({ open: "yes", hidden: masked }), { mask: ["hidden"] }),
    textTool("use", async (_, { call }) => {
      await call("charge", { text: String(await call("secret", { text: "a" })) });
      return "charged";
    }),
    textTool("charge"),
  ];
  const toolCalls = [
    { toolName: "secret", arguments: { text: "a" } },
    { toolName: "partly", arguments: { text: "a" } },
    { toolName: "use", arguments: { text: "a" } },
  ];
  const model = new ScriptedModel([{ toolCalls }, "Done."]);
  await run(new Agent({ name: "A", model, tools }), "Pay");
  const text = await exported();
  expect(text).not.toContain(masked);
  expect(text).toContain("charged");
  expect(text).toContain('\\"open\\":\\"yes\\"');
});
