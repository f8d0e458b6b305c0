import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCompiler, SchemaNotFoundError, type Compiler } from "./index.ts";

const skein = fileURLToPath(new URL("../../index.ts", import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "skein-loose-")));
const file = join(folder, "app.ts");
let compiler: Compiler;

beforeAll(async () => {
  const compilerOptions = {
    strict: false,
    noEmit: true,
    target: "es2024",
    module: "nodenext",
    allowImportingTsExtensions: true,
    types: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["app.ts"] }));
  writeFileSync(
    file,
    `import { Agent, type ToolContext } from ${JSON.stringify(skein)};
const memoize = <F extends (...args: never[]) => unknown>(fn: F): F => fn;
export const agent = new Agent({
  name: "A",
  tools: {
    typed: (name: string, context: ToolContext, days = 3) => name,
    context: (name: string, context) => name,
    everything: (...all) => all,
    memoized: memoize(function memoized(name: string, context) { return name; }),
  },
});
`,
  );
  compiler = await openCompiler();
});

afterAll(() => {
  compiler.close();
  rmSync(folder, { recursive: true });
});

/** The parameters that a model fills; the untyped ones where there is no schema. */
function parametersOf(name: string): unknown {
  const [match] = compiler.functionsLike(file, { name });
  const description = match?.describe();
  if (description instanceof SchemaNotFoundError) return description.message.match(/(?<=parameter ")\w+/g);
  return description?.inputSchema["properties"];
}

test("without strict, a parameter without a type is untyped in a list of tools, too", () => {
  expect(parametersOf("context")).toEqual(["context"]);
  expect(parametersOf("everything")).toEqual(["all"]);
  expect(parametersOf("memoized")).toEqual(["context"]);
});

test("without strict, a default says the type of its parameter in a list of tools, too", () => {
  expect(parametersOf("typed")).toEqual({ name: { type: "string" }, days: { type: "number", default: 3 } });
});
