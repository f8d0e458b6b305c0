/** The exporters of docs/tracing.md, each as it is written there but for its host, which is a receiver of ours. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { context, trace } from "@opentelemetry/api";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { run } from "skein";
import { traceAll } from "skein/tracing";
import { receiveOtlp } from "./otlp-receiver.ts";
import { agentOf, callOf, textTool } from "./scripted-runs.ts";

const folder = fileURLToPath(new URL(`.work/${process.pid}`, import.meta.url));
const page = await readFile(new URL("../../docs/tracing.md", import.meta.url), "utf8");
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => {
  traceAll()();
  trace.disable();
  context.disable();
  vi.unstubAllEnvs();
});

/** The file of a block of the page, its requests going to `host`. */
async function load(name: string, host: string): Promise<Record<string, unknown>> {
  const [, code = ""] = new RegExp(`\`\`\`ts\n(// ${name}\\.ts\n.*?)\`\`\``, "s").exec(page) ?? [];
  const file = join(folder, `${name}.ts`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, code.replace(/https?:\/\/[^/]+/, host));
  return import(pathToFileURL(file).href);
}

const backends = [
  ["logfire", "/v1/traces", { authorization: "token" }],
  [
    "langfuse",
    "/api/public/otel/v1/traces",
    { authorization: `Basic ${btoa("public:secret")}`, "x-langfuse-ingestion-version": "4" },
  ],
  ["phoenix", "/v1/traces", { authorization: "Bearer phoenix" }],
  ["sentry", "/api/7/integration/otlp/v1/traces", { "x-sentry-auth": "sentry sentry_key=sentry" }],
  ["datadog", "/v1/traces", { "dd-api-key": "datadog", "dd-otlp-source": "llmobs" }],
] as const;

test.each(backends)("spans arrive at %s as its page says", async (name, path, headers) => {
  const variables = {
    LOGFIRE_TOKEN: "token",
    LANGFUSE_PUBLIC_KEY: "public",
    LANGFUSE_SECRET_KEY: "secret",
    PHOENIX_API_KEY: "phoenix",
    SENTRY_KEY: "sentry",
    SENTRY_ORGANIZATION: "1",
    SENTRY_PROJECT: "7",
    DD_API_KEY: "datadog",
  };
  for (const [variable, value] of Object.entries(variables)) vi.stubEnv(variable, value);
  const receiver = await receiveOtlp();
  const { exporter } = await load(name, receiver.url);
  const { startTracing } = await load("telemetry", receiver.url);
  expect(startTracing).toBeTypeOf("function");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page's own function
  const start = startTracing as (exporter: SpanExporter) => () => Promise<void>;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page's own exporter
  const stop = start(exporter as SpanExporter);
  await run(agentOf("A", [{ toolCalls: [callOf("look")] }, "Done."], [textTool("look")]), "Hi");
  await stop();
  receiver.close();
  expect(receiver.requests).toMatchObject([{ path, headers }]);
  expect(receiver.spans.map((span) => span.name).toSorted()).toEqual([
    "chat scripted",
    "chat scripted",
    "execute_tool look",
    "invoke_agent A",
  ]);
});
