/**
 * Which changes of the code no test notices: `npm run mutate -- --room executor --seed 1 --sample 40`. Stryker changes the sources
 * of a room in one place at a time (an operator, a condition, a block) and runs the tests that reach the place; what they and the
 * type check let pass is listed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installOnce } from "../test/consumer.ts";
import { refusedByTypes } from "../test/mutation/refused.ts";
import { rooms, type Room } from "../test/mutation/rooms.ts";
import type { SampleOptions } from "../test/mutation/sample.ts";

/** The part of Stryker's report that is read here. */
interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = join(root, "test/mutation");
const work = join(folder, ".work");
const reportFile = join(work, "report.json");
const stryker = join(folder, "node_modules/@stryker-mutator/core/bin/stryker.js");

const { values } = parseArgs({
  options: {
    /** One of `rooms`; several are checked in one go. */
    room: { type: "string", multiple: true, default: [] },
    /** Narrows the rooms to some of their sources. */
    files: { type: "string" },
    seed: { type: "string", default: "1" },
    sample: { type: "string", default: "40" },
    /** Also changes what is made once, when a module is loaded: each such change runs every test. */
    static: { type: "boolean", default: false },
  },
});

const size = Number(values.sample);
if (!Number.isSafeInteger(size) || size < 1)
  fail(`--sample must be a number of mutants, not "${values.sample}".`);
const chosen = values.room.map((name) => ({ name, ...roomOf(name) }));
if (chosen.length === 0) fail(`--room is missing. Choose from ${Object.keys(rooms).join(", ")}.`);

await installOnce(folder, () => existsSync(stryker));
runStryker(chosen);
const report: Report = JSON.parse(readFileSync(reportFile, "utf8"));
for (const { name, sources } of chosen) printReport(report, name, sources);

function roomOf(name: string): Room {
  const room = Object.hasOwn(rooms, name) ? rooms[name] : undefined;
  if (!room) return fail(`Unknown room "${name}". Choose from ${Object.keys(rooms).join(", ")}.`);
  return values.files === undefined ? room : { ...room, sources: [values.files] };
}

function runStryker(chosen: readonly Room[]): void {
  mkdirSync(work, { recursive: true });
  const config = join(work, "stryker.json");
  const options: SampleOptions = {
    sample: { seed: values.seed, size, rooms: chosen.map(({ sources }) => sources) },
  };
  const sources = new Set(chosen.flatMap((room) => room.sources));
  writeFileSync(config, JSON.stringify({ ...settings([...sources]), ...options }, undefined, 2));
  const { status } = spawnSync(process.execPath, [stryker, "run", config], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      MUTATION_SOURCES: [...sources].join(" "),
      MUTATION_TESTS: [...new Set(chosen.flatMap(({ tests }) => tests))].join(" "),
    },
  });
  if (status !== 0) fail("Stryker failed.");
}

function settings(sources: readonly string[]): object {
  const tests = ["!src/**/*.test.ts", "!src/**/*.test-d.ts", "!src/**/test-*.ts", "!src/**/fixtures/**"];
  return {
    testRunner: "vitest",
    vitest: { configFile: "test/mutation/vitest.config.ts" },
    plugins: ["@stryker-mutator/vitest-runner", join(folder, "sample.ts")],
    checkers: ["sample"],
    mutate: [...sources, ...tests],
    // Of texts, those that matter are names that the type check knows; the others are messages.
    mutator: { excludedMutations: ["StringLiteral"] },
    ignorePatterns: [".mutants", "bench", "docs/.api", "test/**/.work", "test/mutation/node_modules"],
    tempDirName: join(root, ".mutants"),
    // Stryker reads the file with an interface that TypeScript 7 does not have; nothing here needs it.
    tsconfigFile: "none.json",
    concurrency: 1,
    coverageAnalysis: "perTest",
    ignoreStatic: !values.static,
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 60,
    disableTypeChecks: false,
    reporters: ["json", "lines"],
    jsonReporter: { fileName: reportFile },
    allowConsoleColors: false,
    warnings: { unknownOptions: false },
  };
}

function printReport({ files }: Report, name: string, sources: readonly string[]): void {
  const mutants = Object.entries(files)
    .filter(([file]) => sources.some((source) => matchesGlob(file, source)))
    .flatMap(([file, { source, mutants }]) => mutants.map((mutant) => ({ file, source, mutant })));
  const sample = mutants.filter(({ mutant }) => !["CompileError", "Ignored"].includes(mutant.status));
  const unnoticed = sample
    .filter(({ mutant }) => ["Survived", "NoCoverage"].includes(mutant.status))
    .map((change) => ({ ...change, changed: withChange(change.source, change.mutant) }));
  const refused = refusedByTypes(root, work, unnoticed);
  const survivors = unnoticed.filter((change) => !refused.has(change));
  for (const { file, source, mutant } of survivors) {
    const { line, column } = mutant.location.start;
    const reach = mutant.status === "NoCoverage" ? " (reached by no test)" : "";
    console.log(`\n${file}:${line}:${column} ${mutant.mutatorName}${reach}`);
    console.log(`- ${oneLine(textAt(source, mutant.location))}\n+ ${oneLine(mutant.replacement ?? "")}`);
  }
  const noticed = sample.length - survivors.length;
  const share = ((100 * noticed) / sample.length).toFixed(1);
  const byTypes = `${refused.size} of them by the type check alone`;
  console.log(
    `\n${name}, seed ${values.seed}: ${noticed} of ${sample.length} noticed (${share}%), ${byTypes}`,
  );
}

function withChange(source: string, { location: { start, end }, replacement = "" }: Mutant): string {
  const lines = source.split("\n");
  const before = [
    ...lines.slice(0, start.line - 1),
    (lines[start.line - 1] ?? "").slice(0, start.column - 1),
  ];
  const after = [(lines[end.line - 1] ?? "").slice(end.column - 1), ...lines.slice(end.line)];
  return before.join("\n") + replacement + after.join("\n");
}

function textAt(source: string, { start, end }: Mutant["location"]): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const last = lines.length - 1;
  // The end first: both may be in the same line.
  lines[last] = (lines[last] ?? "").slice(0, end.column - 1);
  lines[0] = (lines[0] ?? "").slice(start.column - 1);
  return lines.join("\n");
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 160 ? `${line.slice(0, 160)} ...` : line;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
