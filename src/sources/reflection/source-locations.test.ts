import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { transformSync } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

// Built as programs are, and run by Node without anything that knows of TypeScript.
const folder = realpathSync(mkdtempSync(join(tmpdir(), "skein-source-")));
const reflection = new URL("index.ts", import.meta.url).href;
const source =
  "\n\nexport const tools = [\n" +
  "  () => function pick(unit: 'z' | 'a') { return unit; },\n" +
  "  () => function pick(unit: number) { return unit; },\n];\n";
/** The source after it was built, where it is another. */
const texts: Readonly<Record<string, string>> = {
  mended: `// Of no weight.${source}`,
  changed: source.replaceAll("return unit", "return unit + unit"),
};
const names = ["inline", "linked", "alone", ...Object.keys(texts)];
let answers: Readonly<Record<string, unknown>>;

/** Builds a module into the folder, its source map within or beside it. */
function build(name: string, sourcemap: "inline" | "external"): void {
  const output = transformSync(source, {
    loader: "ts",
    sourcemap,
    sourcefile: `${name}.ts`,
    minifyWhitespace: true,
  });
  const comment = sourcemap === "external" ? `//# sourceMappingURL=${name}.mjs.map\n` : "";
  writeFileSync(join(folder, `${name}.mjs`), output.code + comment);
  if (sourcemap === "external") writeFileSync(join(folder, `${name}.mjs.map`), output.map);
}

beforeAll(async () => {
  for (const name of names) {
    build(name, name === "linked" || name === "alone" ? "external" : "inline");
    if (name !== "alone") writeFileSync(join(folder, `${name}.ts`), texts[name] ?? source);
  }
  writeFileSync(
    join(folder, "main.mjs"),
    `import { describeFunctions } from ${JSON.stringify(reflection)};\n` +
      "const answers = {};\n" +
      `for (const name of ${JSON.stringify(names)}) {\n` +
      "  const { tools } = await import(`./${name}.mjs`);\n" +
      "  const found = await describeFunctions(tools.map((make) => make()));\n" +
      "  answers[name] = found.map((each) => each instanceof Error ? { message: each.message } : each);\n" +
      "}\n" +
      "console.log(JSON.stringify(answers));\n",
  );
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "main.mjs")]);
  answers = JSON.parse(stdout);
});

afterAll(() => rmSync(folder, { recursive: true }));

test.each(["inline", "linked", "mended"])(
  "a built function is described from the TypeScript that its %s source map names",
  (name) => {
    expect(answers[name]).toMatchObject([
      { inputSchema: { properties: { unit: { type: "string", enum: ["z", "a"] } } } },
      { inputSchema: { properties: { unit: { type: "number" } } } },
    ]);
  },
);

test("a built function without its TypeScript is refused, since nothing says what it takes", () => {
  const message = expect.stringContaining('parameter "unit": it has no type');
  expect(answers["alone"]).toEqual([{ message }, { message }]);
});

test("a built function whose TypeScript has changed since is a named error", () => {
  const message = expect.stringMatching(
    /changed\.ts: it was changed after .*changed\.mjs was built of it: build/,
  );
  expect(answers["changed"]).toEqual([{ message }, { message }]);
});
