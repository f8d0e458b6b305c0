import { writeFileSync } from "node:fs";
import { build } from "esbuild";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { OutputType } from "../../tool/output.ts";
import type { Compiler } from "../compiler/index.ts";
import { describeOutput } from "./index.ts";
import { makeProject, type Project } from "./test-process.ts";

/** What happens while the compiler reads a type. */
let duringCompilation: () => void = () => undefined;

vi.mock(import("./opened-compiler.ts"), async (load) => {
  const actual = await load();
  const freshCompiler = async (): Promise<Compiler> => {
    const compiler = await actual.freshCompiler();
    return {
      ...compiler,
      outputTypeAt(...place) {
        const description = compiler.outputTypeAt(...place);
        duringCompilation();
        return description;
      },
    };
  };
  return { ...actual, freshCompiler };
});

const outputFile = fileURLToPath(new URL("../../tool/output.ts", import.meta.url));

let project: Project;

beforeEach(async () => {
  project = makeProject({
    "main.ts": `import { output } from ${JSON.stringify(outputFile)};
      import type { Unit } from "./unit.ts";
      export const { calledAt } = output<{ unit: Unit }>();`,
    "unit.ts": 'export type Unit = "celsius";',
  });
  // Built, with its text in the source map: a source that is newer than this process may not be what runs.
  await build({
    entryPoints: [project.path("main.ts")],
    outfile: project.path("node_modules/built/main.js"),
    bundle: true,
    format: "esm",
    sourcemap: true,
    external: [outputFile],
  });
});

afterEach(() => {
  duringCompilation = () => undefined;
  project.remove();
});

test("a type whose file changes while it is read is read again the next time, not taken from the cache", async () => {
  const { calledAt }: OutputType = await import(
    pathToFileURL(project.path("node_modules/built/main.js")).href
  );
  const unitsOf = async (): Promise<string> => {
    const description = await describeOutput(calledAt);
    return description instanceof Error ? description.message : JSON.stringify(description.inputSchema);
  };
  duringCompilation = () => writeFileSync(project.path("unit.ts"), 'export type Unit = "kelvin";');
  expect(await unitsOf()).toContain('"celsius"');
  duringCompilation = () => undefined;
  expect(await unitsOf()).toContain('"kelvin"');
});
