import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { checkModules } from "../scripts/check-modules.ts";
import { readModules } from "../scripts/modules.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

function sourceFiles(): Record<string, string> {
  const paths = globSync("src/**/*.ts", {
    cwd: root,
    exclude: ["**/*.test.ts", "**/*.test-d.ts", "**/test-*.ts", "**/fixtures/**"],
  });
  return Object.fromEntries(
    paths.map((path) => path.replaceAll("\\", "/")).map((path) => [path, readFileSync(root + path, "utf8")]),
  );
}

const check = (files: Record<string, string>): string[] => checkModules(readModules(files));

test("src/ keeps its layers, has no import cycle, no long file and no undocumented export", () => {
  const files = sourceFiles();
  expect(Object.keys(files)).toContain("src/errors.ts");
  expect(check(files)).toEqual([]);
});

describe("the check finds", () => {
  const errors = "/** Doc. */\nexport class SkeinError extends Error {}";

  test("nothing wrong with imports of lower layers and of the own folder", () => {
    const files = {
      "src/errors.ts": errors,
      "src/run/loop.ts": 'import { SkeinError } from "../errors.ts"; import "./turn.ts"; import "node:fs";',
      "src/run/turn.ts": "// import '../cli/chat.ts'\nconst text = \"import '../cli/chat.ts'\";",
      "src/index.ts": 'export { SkeinError } from "./errors.ts"; import "./run/loop.ts";',
    };
    expect(check(files)).toEqual([]);
  });

  test.each([
    ["a value", 'import { SkeinError } from "../../errors.ts";'],
    ["a type", "import type { SkeinError } from '../../errors.ts';"],
    ["a type in place", 'type E = import("../../errors.ts").SkeinError;'],
    ["something at run time", 'const load = () => import("../../errors.ts");'],
    ["something handed on", 'export * from "../../errors.ts";'],
    ["nothing by name", 'import "../../errors.ts";'],
  ])("an import of %s from a higher layer", (_, source) => {
    expect(check({ "src/errors.ts": errors, "src/base/util/json.ts": source })).toEqual([
      "src/base/util/json.ts imports src/errors.ts: base/util must not import errors",
    ]);
  });

  test("a leaf that imports another leaf, and anything that imports the root", () => {
    const files = {
      "src/index.ts": "",
      "src/providers/openai/index.ts": 'import "../anthropic/wire/events.ts";',
      "src/providers/anthropic/wire/events.ts": 'import "../../../index.ts";',
    };
    expect(check(files)).toEqual([
      "src/providers/openai/index.ts imports src/providers/anthropic/wire/events.ts: providers/openai must not import providers/anthropic",
      "src/providers/anthropic/wire/events.ts imports src/index.ts: providers/anthropic must not import index",
    ]);
  });

  test("a file that is not there, and the package's own name", () => {
    expect(check({ "src/run/loop.ts": 'import "./gone.ts"; import "skein/openai";' })).toEqual([
      "src/run/loop.ts imports ./gone.ts, which is not a file of src/",
      "src/run/loop.ts imports skein/openai instead of a file",
    ]);
  });

  test("an import cycle, of types too", () => {
    const files = {
      "src/run/a.ts": 'import type { B } from "./b.ts";',
      "src/run/b.ts": 'import "./c.ts";',
      "src/run/c.ts": 'import "./b.ts"; import "./a.ts";',
    };
    expect(check(files)).toEqual([
      "import cycle: src/run/b.ts -> src/run/c.ts -> src/run/b.ts",
      "import cycle: src/run/a.ts -> src/run/b.ts -> src/run/c.ts -> src/run/a.ts",
    ]);
  });

  test("an asset that the root entry reaches, and no other", () => {
    const asset =
      "export {};\nfunction folder(): string { return new URL(`../a.${1}`, import.meta.url).href; }";
    const files = {
      "src/index.ts": 'import "./run/a.ts";',
      "src/run/a.ts": 'const load = () => import("./b.ts");',
      "src/run/b.ts": asset,
      "src/base/offload/index.ts": asset,
      "src/sources/plugin/index.ts": asset,
      "src/run/c.ts": asset,
    };
    expect(check(files)).toEqual([
      "src/base/offload/index.ts says new URL(..., import.meta.url), which bundlers of the root entry take for a file",
      "src/run/b.ts says new URL(..., import.meta.url), which bundlers of the root entry take for a file",
    ]);
  });

  test("a file of more than 400 lines", () => {
    expect(check({ "src/run/a.ts": "let a;\n".repeat(400), "src/run/b.ts": "let b;\n".repeat(401) })).toEqual(
      ["src/run/b.ts has 401 lines; 400 is the most"],
    );
  });

  test("exports without a doc comment, however they are exported", () => {
    const source = `
      /** Documented. */
      export const one = 1, two = 2;
      export const three = 3; // no doc comment
      /* Nor is this. */
      export async function four(): Promise<void> {}
      /** The first of two overloads. */
      export function five(a: string): void;
      export function five(a: unknown): void {}
      interface Six {}
      /** Documented. */
      class Seven {}
      export { type Six, Seven as Renamed };
      const inside = 0;
    `;
    expect(check({ "src/run/a.ts": source })).toEqual([
      "src/run/a.ts exports three without a doc comment",
      "src/run/a.ts exports four without a doc comment",
      "src/run/a.ts exports Six without a doc comment",
    ]);
  });
});
