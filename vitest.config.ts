import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import {
  configDefaults,
  defineConfig,
  type TestProjectConfiguration,
  type ViteUserConfigFnObject,
} from "vitest/config";
import { SlowestFirst } from "./scripts/slowest-first.ts";
import { sourceEntries } from "./scripts/source-entries.ts";
import { testsApart } from "./scripts/tests-apart.ts";

// Programs that tests start load their modules in half the time.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/node", import.meta.url));

/** What starts many other programs or compiles many: every runtime, every bundler, broken things of all kinds. Minutes, not seconds. */
const elsewhere: readonly string[] = [
  "test/functions/runtimes.test.ts",
  "test/functions/{attached,bundlers,projects,table}.test.ts",
  "test/attach/*.test.ts",
  "test/bundlers/*.test.ts",
  "test/packages/*.test.ts",
  "test/builds/!(page).test.ts",
  "test/openapi/*.test.ts",
  "test/server/shared-memory.test.ts",
  "src/sources/reflection/{bad-input,built,cache,declared,live-contexts,live-parameters,outdated,outputs,passed,public-methods,replaced,runtimes,shifted,stale,program-checker}.test.ts",
  "src/sources/compiler/{callers,comments-above-calls,contexts,decorators,hidden-methods,left-out-methods,overrides,overrides-without-code,package-wrappers,running-code,this-types,undeclared-contexts,use-sites,use-sites-clashes,use-sites-properties,wrappers}.test.ts",
  "src/schema/hostile-schemas.test.ts",
  "src/code/{escapes,random-programs}.test.ts",
  "test/code/killed-at-every-write.test.ts",
  "src/connectors/openapi/large-documents.test.ts",
  "test/batches/{durable-broken,killed-processes}.test.ts",
  "src/connectors/toolkits/memory/stopped.test.ts",
  "test/providers/{ai-sdk-aimock,aimock,chaos,crossed-calls,drips,odd-answers,renumbered-calls}.test.ts",
  "src/connectors/mcp/client/{children,misbehaving,misbehaving-http}.test.ts",
  "src/connectors/mcp/server/{origins,questions,serve-http}.test.ts",
  "test/behaviour/{approval-process,approvals-anywhere,callbacks-table,hidden-by-types,session-files,tools-of-their-set}.test.ts",
  "test/{call,early-end,eval,load,mcp,mcp-tools,runs,serve,tools}-command{,s}.test.ts",
  "test/{chat,commands-in-docs,docs,package}.test.ts",
  "test/check/check.test.ts",
  "src/sources/plugin/index.test.ts",
  "src/sources/attaching/attach-folder.test.ts",
  "test/{declared,jest}/*.test.ts",
  "test/skills/public.test.ts",
  "test/mcp/conformance/*.test.ts",
  "src/testing/conformance/{broken,check}-*.test.ts",
  "test/mcp/real-servers.test.ts",
  "test/examples/{durable,evals,processes}.test.ts",
  "test/durable/{approved-once,detached-fails,ends,interrupted,killed-at-every-entry,late-decisions,own-leases,stores,waiting,waits,waits-within-steps}.test.ts",
  "src/sources/plugin/transformer.test.ts",
  "src/tool/{toolkit,unbound-this}.test.ts",
  "src/schema/attach/ambiguous.test.ts",
  "test/session-svg.test.ts",
  "examples/{airline,analyst,basic,coder,mcp,personal-shopper,support-bot,toolkits,triage,weather}/agent.test.ts",
  "test/examples/{airline,coder,custom-provider,mcp,research,server,toolkits,triage}.test.ts",
  "test/examples/sentences/table.test.ts",
  "test/examples/mcp-browser.test.ts",
  // It keeps the pace that arXiv asks for.
  "examples/research/agent.test.ts",
  "test/examples/without-network.test.ts",
  "test/terminal/*.test.ts",
  "test/api-reference.test.ts",
  "test/reliability/cheap-types.test.ts",
  "test/client/{broken-servers,cuts,decisions}.test.ts",
  "test/server/{a2a,closing}.test.ts",
  "test/acp/*.test.ts",
  "test/tracing/golden-sdk-2.test.ts",
  "src/protocols/*/random{,-runs}.test.ts",
  "test/examples/server-browser.test.ts",
  "test/studio/{call-page,check-page,decision-page,narrow-page,evals-page,chat,compare-page,elsewhere-page,hostile,keyboard,long-lists,looks,otlp-page,replay-page,vitest-case,wire}.test.ts",
  "test/studio-command.test.ts",
  "test/sandbox/{attempts,attempts-memory,attempts-runtime,attempts-container,ends,hosts,races-memory}.test.ts",
];

/** The suites, each under its mode: `vitest run --mode live`. Without a mode, everything that needs no key and no hour. */
const suites: Readonly<Record<string, readonly string[]>> = {
  test: ["src/**/*.test.ts", "test/**/*.test.ts", "docs/**/*.test.ts", "examples/**/*.test.ts"],
  live: ["test/live/**/*.test.ts"],
  long: ["test/long/**/*.test.ts", ...elsewhere],
  // What goes over the wire once more, by `fetch` instead of node:http.
  fetch: [
    "src/{model,providers}/**/*.test.ts",
    "test/{providers,reliability}/**/*.test.ts",
    "test/long/{bounded-answers,chaos}.test.ts",
  ],
};

const usual = suites["test"] ?? [];
const notUsual = [
  ...configDefaults.exclude,
  // Projects that tests have made, some of them with tests of their own.
  "**/.work/**",
  "test/live/**",
  "test/long/**",
  ...elsewhere,
];

/** Most files of the usual suite share their workers, and the modules that these have loaded: starting one takes longer than most tests. */
function usualProjects(): TestProjectConfiguration[] {
  const apart = [...testsApart(usual)];
  return [
    {
      extends: true,
      test: { name: "together", isolate: false, include: [...usual], exclude: [...notUsual, ...apart] },
    },
    { extends: true, test: { name: "apart", include: apart, exclude: notUsual } },
  ];
}

const config: ViteUserConfigFnObject = defineConfig(({ mode }) => ({
  resolve: {
    alias: [...sourceEntries].map(([name, replacement]) => ({ find: new RegExp(`^${name}$`), replacement })),
  },
  test: {
    ...(mode === "test"
      ? { projects: usualProjects() }
      : { include: [...(suites[mode] ?? [])], exclude: [...configDefaults.exclude, "**/.work/**"] }),
    // Where its time went: `npm run slowest`.
    ...(mode === "long" && {
      sequence: { sequencer: SlowestFirst },
      reporters: ["default", "json"],
      outputFile: { json: "node_modules/.cache/long-suite.json" },
    }),
    restoreMocks: true,
    setupFiles: ["test/set-hooks.ts", ...(mode === "fetch" ? ["test/over-fetch.ts"] : [])],
    // One for each processor, and more where most of them wait for what they have started.
    maxWorkers: Math.ceil(availableParallelism() * (mode === "long" ? 1.5 : 1)),
    // Tests start compilers and other runtimes; on a busy machine that takes its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
}));

export default config;
