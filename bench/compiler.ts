import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { makeCompilerProject, type CompilerProject } from "./compiler-project.ts";
import { medians } from "./measure.ts";
import type { Row } from "./table.ts";

/** What it costs to find the schemas of functions in development; by hand is zod, from schemas to JSON Schema. */
export async function compilerRows(): Promise<readonly Row[]> {
  const others = { zod: import.meta.resolve("zod"), generator: generatorAddress() };
  const small = makeCompilerProject(1, 20, others);
  const large = makeCompilerProject(50, 10, others);
  try {
    const isCompared = others.generator !== undefined;
    if (!isCompared)
      console.error("Without ts-json-schema-generator: npm ci --prefix bench/peers installs it.");
    const first = await smallRows(small);
    return [...first, ...(isCompared ? [await generatorRow(small)] : []), ...(await largeRows(large))];
  } finally {
    small.remove();
    large.remove();
  }
}

/** `undefined` where it is not installed: it brings a TypeScript of its own, so only those have it who ask for it. */
function generatorAddress(): string | undefined {
  const { resolve } = createRequire(new URL("peers/package.json", import.meta.url));
  try {
    return pathToFileURL(resolve("ts-json-schema-generator")).href;
  } catch {
    return undefined;
  }
}

async function generatorRow(project: CompilerProject): Promise<Row> {
  const taken = await medians({
    generator: () => timed(project, "generator.ts"),
    cold: () => timed(project, "skein.ts", "off"),
  });
  return {
    what: "  from source, beside ts-json-schema-generator",
    unit: "ms",
    floor: taken("generator"),
    skein: taken("cold"),
  };
}

async function smallRows(project: CompilerProject): Promise<readonly Row[]> {
  const taken = await medians({
    plain: () => timed(project, "plain.ts"),
    zod: () => timed(project, "zod.ts"),
    cold: () => timed(project, "skein.ts", "off"),
    cached: () => timed(project, "skein.ts"),
  });
  const processes = Number(execute(project, "skein.ts"));
  // Whatever a process did before has made its heap larger, which alone would make awaiting quicker: here all begin large.
  const loop = "--min-semi-space-size=16 loop.ts";
  const awaiting = await medians({
    before: () => Number(execute(project, `${loop} before`, "off")),
    after: () => Number(execute(project, `${loop} after`, "off")),
  });
  return [
    {
      what: "a process with 20 functions: schemas from source",
      unit: "ms",
      floor: taken("zod"),
      skein: taken("cold"),
      limit: { of: "skein", most: 350 },
    },
    {
      what: "  from the cache, beside a process without schemas",
      unit: "ms",
      floor: taken("plain"),
      skein: taken("cached"),
      limit: { of: "difference", most: 50 },
    },
    { what: "  processes that this starts", unit: "", skein: processes, limit: { of: "skein", most: 0 } },
    {
      what: "  5,000,000 awaits, before and after",
      unit: "ms",
      floor: awaiting("before"),
      skein: awaiting("after"),
      limit: { of: "ratio", most: 1.2 },
    },
  ];
}

async function largeRows(project: CompilerProject): Promise<readonly Row[]> {
  const taken = await medians({
    zod: () => timed(project, "zod.ts"),
    cold: () => timed(project, "skein.ts", "off"),
    warm: () => Number(execute(project, "warm.ts")),
  });
  return [
    {
      what: "a process with 500 functions in 50 files: from source",
      unit: "ms",
      floor: taken("zod"),
      skein: taken("cold"),
      limit: { of: "skein", most: 1200 },
    },
    {
      what: "  one changed file of it, 10 functions",
      unit: "ms",
      skein: taken("warm"),
      limit: { of: "skein", most: 40 },
    },
  ];
}

/** Milliseconds of a fresh process. */
function timed(project: CompilerProject, program: string, cache?: "off"): number {
  const startedAt = performance.now();
  execute(project, program, cache);
  return performance.now() - startedAt;
}

/** What a program of the project prints; flags of Node may stand before its name, and arguments behind. */
function execute({ folder }: CompilerProject, program: string, cache: "on" | "off" = "on"): string {
  const env = { ...process.env, SKEIN_CACHE: cache };
  return execFileSync(process.execPath, program.split(" "), { cwd: folder, env, encoding: "utf8" });
}
