import { existsSync, readFileSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build as bundle } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { edgeEntries, entries } from "../scripts/entries.ts";
import { installPacked, installRuntimes, type Consumer } from "./consumer.ts";
import { firstProgram } from "./readme-program.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly imports: unknown;
  readonly bin: unknown;
}
const manifest: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const modules = Object.entries(manifest.exports).flatMap(([entry, target]) =>
  typeof target === "string" ? [] : [{ name: entry.replace(".", "skein"), path: target.default }],
);
// What extends vitest is imported where vitest is.
const publicEntries = modules.map(({ name }) => name).filter((name) => !name.endsWith("/vitest"));
const edgePaths = new Set(edgeEntries.map((entry) => `./dist/${entry}.js`));
const edgeTypes = modules.filter(({ path }) => edgePaths.has(path)).map(({ name }) => name);
const nodes = ["Node 22", "Node 24", "Node 26"];

const strict = ["--noEmit", "--strict", "--target", "es2024", "--module", "nodenext"];
const typeRoots = join(root, "node_modules", "@types");
const libraries = "es2024,dom,dom.iterable,dom.asynciterable,esnext.disposable";
const nodeTypes = ["--typeRoots", typeRoots, "--types", "node", "--lib", libraries];

let consumer: Consumer;
let runtimes: Readonly<Record<string, readonly string[]>>;

beforeAll(async () => {
  [consumer, runtimes] = await Promise.all([installPacked(), installRuntimes()]);
}, 240_000);

afterAll(async () => {
  if (consumer) await rm(consumer.folder, { recursive: true, force: true });
});

/** Runs a program in the consumer's folder on one runtime, and gives back what it printed. */
async function runProgram(
  runtime: string,
  file: string,
  source: string,
  env?: Readonly<Record<string, string>>,
): Promise<string> {
  await writeFile(join(consumer.folder, file), source);
  const { stdout, stderr, exitCode } = await consumer.run([...(runtimes[runtime] ?? []), file], env);
  expect(exitCode, stderr).toBe(0);
  return stdout;
}

describe("the tarball", () => {
  test("holds what the manifest names, the pages that README links to, and no tests", () => {
    const named =
      JSON.stringify([manifest.exports, manifest.imports, manifest.bin]).match(/dist\/[^"]+/g) ?? [];
    expect(named.length).toBeGreaterThan(entries.length);
    expect(consumer.packedFiles).toEqual(expect.arrayContaining(named));
    expect(consumer.packedFiles).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    expect(consumer.packedFiles).toEqual(expect.arrayContaining(["docs/tools.md", "docs/session.svg"]));
    const strays = consumer.packedFiles.filter(
      (file) =>
        !/^(dist\/.+\.(js|js\.map|d\.ts)|dist\/studio\/page\/[\w-]+\.(html|css)|docs\/[\w-]+\.(md|svg)|LICENSE|README\.md|package\.json)$/.test(
          file,
        ) || /\.test|fixtures/.test(file),
    );
    expect(strays).toEqual([]);
  });

  test("has nothing of development in its manifest", async () => {
    const installed = join(consumer.folder, "node_modules", "skein", "package.json");
    const published: unknown = JSON.parse(await readFile(installed, "utf8"));
    const { scripts, workspaces, devDependencies, allowScripts, ...rest } = JSON.parse(
      await readFile(join(root, "package.json"), "utf8"),
    );
    expect([scripts, workspaces, devDependencies, allowScripts]).not.toContain(undefined);
    expect(published).toEqual(rest);
  });

  test.each([
    { entries: edgeTypes, needing: "nothing beside the package", options: ["--types", ""] },
    { entries: publicEntries, needing: "Node's types at most", options: nodeTypes },
  ])("has types, needing $needing", async ({ entries: typed, options }) => {
    const imports = typed.map((entry, index) => `import * as entry${index} from "${entry}";`);
    const uses = typed.map((_, index) => `entry${index}`).join(", ");
    await writeFile(
      join(consumer.folder, "types.ts"),
      `${imports.join("\n")}\nexport const all = [${uses}];\n`,
    );
    const tsc = join(consumer.folder, "node_modules", ".bin", "tsc");
    const { stdout, exitCode } = await consumer.run([tsc, ...strict, ...options, "types.ts"]);
    expect(stdout).toBe("");
    expect(exitCode).toBe(0);
  });

  test.each([
    [`{ maxTurns: 1 }`, /TS2345: [^]*Property 'context' is missing in type '{ maxTurns: number; }'/],
    [`{ context: { role: "boss" } }`, /TS2322: Type '"boss"' is not assignable to type '"admin" \| "guest"'/],
  ])("has types whose errors speak of the context: %s", async (options, message) => {
    const source = `import { Agent, run } from "skein";
      const agent = new Agent<{ role: "admin" | "guest" }>({ name: "A" });
      export const result = run(agent, "Go.", ${options});`;
    await writeFile(join(consumer.folder, "context.ts"), source);
    const tsc = join(consumer.folder, "node_modules", ".bin", "tsc");
    const { stdout, exitCode } = await consumer.run([tsc, ...strict, ...nodeTypes, "context.ts"]);
    expect(stdout).toMatch(message);
    expect(stdout).not.toContain("session");
    expect(exitCode).not.toBe(0);
  });

  test("brings the skein command", async () => {
    const { stdout, exitCode } = await consumer.run([
      join(consumer.folder, "node_modules", ".bin", "skein"),
      "--help",
    ]);
    expect(stdout).toContain("chat");
    expect(exitCode).toBe(0);
  });
});

describe.each(nodes)("on %s", (runtime) => {
  test("every entry imports", async () => {
    const source = `
      for (const entry of ${JSON.stringify(publicEntries)}) {
        console.log(entry, Object.keys(await import(entry)).length > 0 || entry === "skein/register");
      }`;
    const printed = await runProgram(runtime, "entries.mjs", source);
    expect(printed).toBe(publicEntries.map((entry) => `${entry} true\n`).join(""));
  });

  test("the README's program runs as it stands, offline", async () => {
    const program = firstProgram(await readFile(join(root, "README.md"), "utf8"));
    const printed = await runProgram(runtime, "program.ts", program, { SKEIN_MODEL: "offline" });
    expect(printed).toMatch(/18 degrees celsius in Paris/);
  });
});

test.each([...nodes, "Bun", "Deno"])("an agent with a described tool runs on %s", async (runtime) => {
  const source = `
    import { Agent, run, tool } from "skein";
    import { FunctionModel } from "skein/testing";

    const number = { type: "number" };
    const add = tool({
      name: "add",
      description: "Add two numbers",
      input: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
      execute: ({ a, b }) => a + b,
    });
    const model = new FunctionModel(({ messages }) => {
      const last = messages.at(-1);
      if (last.role === "user") return { toolCalls: [{ toolName: "add", arguments: { a: 20, b: "22" } }] };
      return "The sum is " + last.result.content[0].text;
    });
    const { text } = await run(new Agent({ name: "Sum", model, tools: [add] }), "What is 20 + 22?");
    console.log(text);
  `;
  expect(await runProgram(runtime, "agent.mjs", source)).toBe("The sum is 42\n");
});

describe("Node's own modules", () => {
  /** The modules that a built entry reaches, statically or dynamically, outside the package. */
  async function reached(entry: string): Promise<string[]> {
    const { metafile } = await bundle({
      entryPoints: [join(root, "dist", `${entry}.js`)],
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "neutral",
      packages: "external",
      external: ["#*"],
      logLevel: "error",
    });
    return Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter((target) => target.external).map((target) => target.path),
    );
  }
  const isBuiltin = (path: string): boolean => path.startsWith("node:") || builtinModules.includes(path);

  test.each(edgeEntries)("%s reaches none of them", async (entry) => {
    expect((await reached(entry)).filter(isBuiltin)).toEqual([]);
  });

  test("are found where they are used", async () => {
    expect((await reached("cli/bin")).filter(isBuiltin)).not.toEqual([]);
  });
});

describe("the page's program", () => {
  test("is its first TypeScript block that makes an agent", () => {
    const page =
      "```sh\nnew Agent\n```\n\n```ts\nconst a = 1;\n```\n\n```ts twoslash\r\nnew Agent({});\r\n```\n\n```ts\nnew Agent(2);\n```\n";
    expect(firstProgram(page)).toBe("new Agent({});\n");
    expect(() => firstProgram("```ts\nconst a = 1;\n```\n")).toThrow(/no TypeScript block/);
  });

  test("is in the README", () => {
    expect(existsSync(join(root, "README.md"))).toBe(true);
    expect(firstProgram(readFileSync(join(root, "README.md"), "utf8"))).toContain('from "skein"');
  });
});
