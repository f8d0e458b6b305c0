import { execFileSync } from "node:child_process";
import { makeCompilerProject, type CompilerProject } from "./compiler-project.ts";
import { medians } from "./measure.ts";
import type { Row } from "./table.ts";

/** What it costs to find the schemas of functions in development; by hand is zod, from schemas to JSON Schema. */
export async function compilerRows(): Promise<readonly Row[]> {
  const zod = import.meta.resolve("zod");
  const small = makeCompilerProject(1, 20, zod);
  const large = makeCompilerProject(50, 10, zod);
  try {
    return [...(await smallRows(small)), ...(await largeRows(large))];
  } finally {
    small.remove();
    large.remove();
  }
}

async function smallRows(project: CompilerProject): Promise<readonly Row[]> {
  let processes = 0;
  const taken = await medians({
    bare: () => timed(project, "bare.ts"),
    zod: () => timed(project, "zod.ts"),
    cold: () => timed(project, "skein.ts", "off"),
    cached: () => timed(project, "skein.ts"),
  });
  processes = Number(execute(project, "skein.ts"));
  const [before = Number.NaN, after = Number.NaN] = ratioOf(execute(project, "loop.ts", "off"));
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
      floor: taken("bare"),
      skein: taken("cached"),
      limit: { of: "difference", most: 50 },
    },
    { what: "  processes that this starts", unit: "", skein: processes, limit: { of: "skein", most: 0 } },
    {
      what: "  300,000 awaits, before and after",
      unit: "ms",
      floor: before,
      skein: after,
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

/** What a program of the project prints. */
function execute({ folder }: CompilerProject, program: string, cache: "on" | "off" = "on"): string {
  const env = { ...process.env, SKEIN_CACHE: cache };
  return execFileSync(process.execPath, [program], { cwd: folder, env, encoding: "utf8" });
}

function ratioOf(printed: string): readonly number[] {
  const figures: unknown = JSON.parse(printed);
  return Array.isArray(figures) ? figures.map(Number) : [];
}
