/** Holds an application, and each entry of the built package, to its budget: `node scripts/size.ts`, after a build. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type BuildOptions, type Metafile, type Plugin } from "esbuild";
import { studioPageSize } from "./studio-page.ts";
import packageJson from "../package.json" with { type: "json" };

/** The most bytes that each entry loads, minified and gzipped, with all that it imports, dependencies included. */
const budgets: Readonly<Record<string, number>> = {
  index: 39_650,
  "providers/openai/index": 43_650,
  "providers/anthropic/index": 37_450,
  "providers/google/index": 35_350,
  "providers/ai-sdk/index": 23_350,
  "providers/wrappers/index": 17_350,
  "connectors/openapi/index": 3_500,
  "providers/offline/index": 38_250,
  "testing/index": 16_050,
  "testing/conformance/index": 78_750,
  "sessions/index": 38_450,
  "durable/index": 75_150,
  "durable/postgres/index": 7_050,
  "durable/cloudflare/index": 69_950,
  "durable/restate/index": 71_950,
  // Most of these two is the framework's own, which a program that runs agents has loaded anyway: the protocols of a server come on demand.
  "protocols/encoders/index": 66_950,
  "server/index": 83_450,
  // Most of it is the framework's own, too.
  "tracing/index": 40_950,
  "code/index": 43_750,
  "sandbox/index": 27_300,
  "guards/index": 35_650,
  "client/index": 6_000,
  "studio/index": 114_650,
  "connectors/toolkits/index": 29_050,
  "connectors/mcp/index": 30_850,
  "evals/index": 65_350,
  "schema/attach/index": 1_900,
};

/** The most bytes that an entry may load later, each part when it is first used. */
const onDemandBudget = 65_800;
/** All that runs can use, and client and server both: few load more than one of them. */
const largerOnDemand: Readonly<Record<string, number>> = {
  index: 116_050,
  "testing/conformance/index": 85_850,
  "durable/index": 91_650,
  "durable/cloudflare/index": 91_950,
  "durable/restate/index": 92_150,
  "server/index": 140_550,
  "connectors/mcp/index": 157_250,
  "studio/index": 144_950,
  "evals/index": 92_050,
  "connectors/toolkits/index": 61_500,
};

/**
 * An application of one agent with one provider, bundled for an edge runtime: what it ships, and what is loaded once its first
 * run has begun. Four fifths of that are needed by every run: provider and HTTP (25 KB), agents, tools and JSON Schema (23 KB), the
 * loop, the reading of arguments and the execution of calls (28 KB). The rest are sessions, policies, decisions and the like: options
 * of `run` and `tool`, which a bundler cannot leave out. For comparison: the `openai` package alone is 86 KB, the AI SDK 222 KB.
 */
const application =
  'import { Agent, run } from "skein"; import { openai } from "skein/openai";' +
  'export const answer = () => run(new Agent({ name: "A", model: openai("gpt-5.2") }), "Hello");';
const applicationBudget: ApplicationSize = { shipped: 189_750, firstRun: 125_450 };

/** The most bytes that the page of the studio ships, its files gzipped. */
const pageBudget = 60_000;

/** Bytes, minified and gzipped. */
export interface BundledSize {
  /** What is there once the entry is imported. */
  readonly loaded: number;
  /** All that is loaded when it is first used: what runs agents, also policies of tools, sessions, the search of tools. */
  readonly onDemand: number;
}

/** Bytes, minified and gzipped, each chunk by itself. */
export interface ApplicationSize {
  /** All chunks that the program can load. */
  readonly shipped: number;
  /** Those that it has loaded once its first run has begun. */
  readonly firstRun: number;
}

/** How many bytes an application ships that imports all of an entry. */
export async function bundledSize(entry: string): Promise<BundledSize> {
  const contents = `export * from "./dist/${entry}.js";`;
  const loaded = await sizeOf(contents, [leaveForLater]);
  return { loaded, onDemand: (await sizeOf(contents, [])) - loaded };
}

/** How many bytes the smallest application ships, and loads for its first run. */
export async function applicationSize(): Promise<ApplicationSize> {
  const { outputFiles, metafile } = await build({
    ...settings,
    stdin: { contents: application, resolveDir: root, sourcefile: "application.js" },
    conditions: ["workerd", "worker", "browser"],
    splitting: true,
    metafile: true,
    outdir: "application",
  });
  const { outputs } = metafile;
  const sizes = new Map(outputFiles.map(({ path, contents }) => [relative(root, path), gzipped(contents)]));
  const total = (files: Iterable<string>): number =>
    [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
  const entry = chunkOf(outputs, /^application\.js$/);
  const runner = chunkOf(outputs, /\/runner-\w+\.js$/);
  const isStatic = (kind: string): boolean => kind === "import-statement";
  return {
    // esbuild also writes chunks that nothing refers to, of features that the program does not import.
    shipped: total(loadedBy([entry], outputs, () => true)),
    firstRun: total(loadedBy([entry, runner], outputs, isStatic)),
  };
}

function chunkOf(outputs: Metafile["outputs"], name: RegExp): string {
  const chunk = Object.keys(outputs).find((file) => name.test(outputs[file]?.entryPoint ?? ""));
  if (chunk === undefined) throw new Error(`The application has no chunk of ${name}.`);
  return chunk;
}

/** Files and all that they import, directly or not, by imports of these kinds. */
function loadedBy(
  files: readonly string[],
  outputs: Metafile["outputs"],
  isLoaded: (kind: string) => boolean,
): ReadonlySet<string> {
  const loaded = new Set(files);
  // A set that grows while it is walked.
  for (const file of loaded) {
    for (const { path, kind, external } of outputs[file]?.imports ?? [])
      if (!external && isLoaded(kind)) loaded.add(path);
  }
  return loaded;
}

const root = fileURLToPath(new URL("..", import.meta.url));

const settings = {
  absWorkingDir: root,
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
  logLevel: "error",
} as const satisfies BuildOptions;

async function sizeOf(contents: string, plugins: Plugin[]): Promise<number> {
  const { outputFiles } = await build({ ...settings, stdin: { contents, resolveDir: root }, plugins });
  return gzipped(outputFiles[0]?.contents ?? "");
}

function gzipped(contents: string | Uint8Array): number {
  return gzipSync(contents, { level: 9 }).byteLength;
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
  const { shipped, firstRun } = await applicationSize();
  const isOver = shipped > applicationBudget.shipped || firstRun > applicationBudget.firstRun;
  console.log(
    `an application ships ${kilobytes(shipped)} of ${kilobytes(applicationBudget.shipped)}, ` +
      `and has loaded ${kilobytes(firstRun)} of ${kilobytes(applicationBudget.firstRun)} in its first run${isOver ? "  TOO BIG" : ""}`,
  );
  if (isOver) process.exitCode = 1;
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

if (import.meta.main) {
  const page = await studioPageSize(fileURLToPath(new URL("../dist/studio/page", import.meta.url)));
  const isOver = page > pageBudget;
  console.log(
    `the studio's page    ${kilobytes(page)} of ${kilobytes(pageBudget)}${isOver ? "  TOO BIG" : ""}`,
  );
  if (isOver) process.exitCode = 1;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}
