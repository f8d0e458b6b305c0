import { fileURLToPath } from "node:url";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { AlwaysOffSampler, NoopSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { build } from "esbuild";
import { Agent, run } from "skein";
import { traceAll } from "skein/tracing";
import { instantModel } from "./instant-model.ts";
import { medians, processorTime, type Sample } from "./measure.ts";
import { shoutTool } from "./shout.ts";
import { spansByHand } from "./spans-by-hand.ts";
import type { Row } from "./table.ts";

const turns = 50;
const agent = new Agent({ name: "Bench", instructions: "Shout.", tools: [shoutTool] });
const options = { model: instantModel(turns), maxTurns: turns + 1 };

/** What tracing costs a turn of one tool call: spans that go nowhere, and none at all. */
export async function tracingRows(): Promise<readonly Row[]> {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const figures = await medians({
    plain: perTurn(undefined, () => run(agent, "go", options)),
    byHand: perTurn(noop(), () => spansByHand(turns), false),
    off: perTurn(noop(), () => run(agent, "go", { ...options, tracing: false })),
    sampledOut: perTurn({ sampler: new AlwaysOffSampler() }, () => run(agent, "go", options)),
    on: perTurn(noop(), () => run(agent, "go", options)),
    content: perTurn(noop(), () => run(agent, "go", { ...options, tracing: { content: true } })),
  });
  context.disable();
  const row = (
    what: string,
    name: "off" | "on" | "sampledOut" | "content",
    floor = figures("plain"),
  ): Row => ({
    what,
    unit: "us",
    floor,
    skein: figures(name),
  });
  return [
    {
      what: "tracing: its modules in a program that does not import it",
      unit: "",
      skein: await modulesOfTracing(),
      limit: { of: "skein", most: 0 },
    },
    { ...row(`  off for this run, a turn of ${turns}`, "off"), limit: { of: "ratio", most: 1.01 } },
    row("  on, not sampled", "sampledOut"),
    { ...row("  on, no-op processor", "on"), limit: { of: "difference", most: 15 } },
    row("  the same, beside these spans by hand", "on", figures("plain") + figures("byHand")),
    row("  on, with content", "content"),
  ];
}

function noop(): Provider {
  return { spanProcessors: [new NoopSpanProcessor()] };
}

type Provider = ConstructorParameters<typeof TracerProvider>[0];

/** Microseconds a turn. `provider` is what the SDK is made with; without it, nothing is traced. */
function perTurn(provider: Provider | undefined, work: () => Promise<unknown>, isTraced = true): Sample {
  return async () => {
    if (provider) trace.setGlobalTracerProvider(new TracerProvider(provider));
    const end = provider && isTraced ? traceAll() : undefined;
    const milliseconds = await processorTime(work, 200);
    end?.();
    trace.disable();
    return (milliseconds / turns) * 1000;
  };
}

async function modulesOfTracing(): Promise<number> {
  const { metafile } = await build({
    stdin: {
      contents: 'export { run } from "skein"',
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
    },
    bundle: true,
    splitting: true,
    outdir: "out",
    format: "esm",
    platform: "node",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  return Object.keys(metafile.inputs).filter((path) => /tracing|opentelemetry/.test(path)).length;
}
