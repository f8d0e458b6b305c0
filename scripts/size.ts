/** Holds each entry of the built package to its budget: `node scripts/size.ts`, after a build. */
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import packageJson from "../package.json" with { type: "json" };

/** The most bytes that each entry loads, minified and gzipped, with all that it imports, dependencies included. */
const budgets: Readonly<Record<string, number>> = {
  index: 25_000,
  "providers/openai/index": 25_600,
  "providers/anthropic/index": 23_100,
  "providers/google/index": 23_000,
  "providers/ai-sdk/index": 17_600,
  "providers/wrappers/index": 9_000,
  "connectors/openapi/index": 3_000,
  "providers/offline/index": 23_000,
  "testing/index": 9_500,
  "testing/conformance/index": 52_000,
  "sessions/index": 5_000,
  "connectors/toolkits/index": 24_000,
  "connectors/mcp/index": 25_000,
  "evals/index": 47_500,
  "schema/attach/index": 1_500,
};

/** The most bytes that an entry may load later, each part when it is first used. */
const onDemandBudget = 55_500;
/** Client and server both: few load more than one of them. */
const largerOnDemand: Readonly<Record<string, number>> = {
  "connectors/mcp/index": 82_500,
  "connectors/toolkits/index": 61_000,
};

/** Bytes, minified and gzipped. */
export interface BundledSize {
  /** What is there once the entry is imported. */
  readonly loaded: number;
  /** That, and what an agent's first run loads besides: the loop, the execution of tools. */
  readonly running: number;
  /** All that is loaded when it is first used: also policies of tools, repair of arguments, sessions, the search of tools. */
  readonly onDemand: number;
}

/** How many bytes an application ships that imports all of an entry. */
export async function bundledSize(entry: string): Promise<BundledSize> {
  const own = [`./dist/${entry}.js`];
  const loaded = await sizeOf(own, [leaveForLater]);
  const running = await sizeOf([...own, "./dist/running.js"], [leaveForLater]);
  return { loaded, running, onDemand: (await sizeOf(own, [])) - loaded };
}

async function sizeOf(files: readonly string[], plugins: Plugin[]): Promise<number> {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: files.map((file) => `export * from "${file}";`).join("\n"), resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    // Optional peers are there only for those who install them.
    external: ["node:*", ...Object.keys(packageJson.peerDependencies).flatMap((name) => [name, `${name}/*`])],
    target: "es2023",
    // The project's own tsconfig would lead from the package's imports back to the sources.
    tsconfigRaw: {},
    plugins,
    logLevel: "error",
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).byteLength;
}

/** What is imported on demand is not there at first. */
const leaveForLater: Plugin = {
  name: "leave for later",
  setup(build) {
    build.onResolve({ filter: /^[.#]/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "later", external: true } : undefined,
    );
  },
};

if (import.meta.main) {
  for (const [entry, budget] of Object.entries(budgets)) {
    const { loaded, onDemand } = await bundledSize(entry);
    const isOver = loaded > budget || onDemand > (largerOnDemand[entry] ?? onDemandBudget);
    const later = onDemand === 0 ? "" : `, and ${kilobytes(onDemand)} on demand`;
    console.log(
      `${entry.padEnd(18)} ${kilobytes(loaded).padStart(8)} of ${kilobytes(budget)}${later}${isOver ? "  TOO BIG" : ""}`,
    );
    if (isOver) process.exitCode = 1;
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}
