import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newProject, skein } from "./skein-command.ts";

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** A project of its own; the manifest and the tsconfig are JSON. */
async function project(
  files: Readonly<Record<string, string>>,
  manifest: object = {},
  compilerOptions?: object,
): Promise<string> {
  const folder = await newProject(manifest);
  folders.push(folder);
  const config = compilerOptions && JSON.stringify({ compilerOptions: { strict: true, ...compilerOptions } });
  const all = { ...files, ...(config !== undefined && { "tsconfig.json": config }) };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** A tool of a file that only running it can tell, so that every command has to load the file. */
const asTool = 'import { tool } from "skein";\n';
const price =
  "/** Price of a thing. */\nfunction price(thing: string, count = 1) {\n  return `${factor} ${thing} ${count}`;\n}\n";
const exported = 'export const cost = tool(price, { name: "cost" });\n';

interface Case {
  readonly name: string;
  readonly file: string;
  readonly files: Readonly<Record<string, string>>;
  readonly manifest?: object;
  readonly options?: object;
}

const cases: readonly Case[] = [
  {
    name: "erasable TypeScript",
    file: "a.ts",
    files: { "a.ts": `${asTool}const factor = "x2";\n${price}${exported}` },
  },
  { name: ".mts", file: "a.mts", files: { "a.mts": `${asTool}const factor = "x2";\n${price}${exported}` } },
  {
    name: ".cts with import = and export =",
    file: "a.cts",
    files: {
      "a.cts": `import { tool } from "skein";\nimport path = require("node:path");\nconst factor = path.basename("/x2");\n${price}const cost = tool(price, { name: "cost" });\nexport = { cost };\n`,
    },
    options: { module: "nodenext" },
  },
  {
    name: ".cts with export",
    file: "a.cts",
    files: { "a.cts": `${asTool}const factor = "x2";\n${price}${exported}` },
    options: { module: "nodenext" },
  },
  {
    name: "an enum",
    file: "a.ts",
    files: { "a.ts": `${asTool}enum Factor { Two = "x2" }\nconst factor = Factor.Two;\n${price}${exported}` },
  },
  {
    name: "a namespace and a parameter property",
    file: "a.ts",
    files: {
      "a.ts": `${asTool}namespace Factors { export const two = "x2"; }\nclass Shop { constructor(private readonly by: string) {} get factor() { return this.by; } }\nconst { factor } = new Shop(Factors.two);\n${price}${exported}`,
    },
  },
  {
    name: "legacy decorators with metadata",
    file: "a.ts",
    files: {
      "a.ts": `${asTool}let factor = "";\nReflect.metadata = (key: string, value: unknown) => () => { if (key === "design:paramtypes" && String(value).includes("Number")) factor = "x2"; };\ndeclare global { namespace Reflect { let metadata: unknown } }\nconst log = (_t: object, _k: string, d: PropertyDescriptor) => d;\nclass Desk { @log open(door: number) { return door; } }\nnew Desk();\n${price}${exported}`,
    },
    options: { experimentalDecorators: true, emitDecoratorMetadata: true },
  },
  {
    name: "standard decorators and an accessor",
    file: "a.ts",
    files: {
      "a.ts": `${asTool}function doubled(_v: unknown, _c: ClassAccessorDecoratorContext) { return { init: (by: string) => by.replace("1", "2") }; }\nclass Shop { @doubled accessor factor: string = "x1"; }\nconst { factor } = new Shop();\n${price}${exported}`,
    },
  },
  {
    name: "legacy decorators in a file that the tsconfig leaves out",
    file: "scripts/a.ts",
    files: {
      "scripts/a.ts": `${asTool}let factor = "";\nconst log = (_target: object, key: string) => { factor = key; };\nclass Desk { @log x2() {} }\nnew Desk();\n${price}${exported}`,
      "src/b.ts": "export const b = 1;\n",
      "tsconfig.json": JSON.stringify({
        compilerOptions: { strict: true, experimentalDecorators: true },
        include: ["src"],
      }),
    },
  },
  {
    name: "path aliases of a tsconfig that extends another",
    file: "src/a.ts",
    files: {
      "src/a.ts": `${asTool}import { factor } from "@lib/factor";\n${price}${exported}`,
      "src/lib/factor.ts": 'export const factor = "x2";\n',
      "base.json": JSON.stringify({
        compilerOptions: { strict: true, paths: { "@lib/*": ["./src/lib/*"] } },
      }),
      "tsconfig.json": JSON.stringify({ extends: "./base.json" }),
    },
  },
  {
    name: "imports without extension, of a folder, and .js for .ts",
    file: "a.ts",
    files: {
      "a.ts": `${asTool}import { factor } from "./lib";\n${price}${exported}`,
      "lib/index.ts": 'export * from "./one.js";\n',
      "lib/one.ts": 'export { factor } from "./two";\n',
      "lib/two.ts": 'export const factor = "x2";\n',
    },
  },
  {
    name: "JSX, and tsconfigs that preserve it",
    file: "a.tsx",
    files: {
      "a.tsx": `${asTool}const { props } = <b>x2</b>;\nconst factor = props.children;\n${price}${exported}`,
      "node_modules/h/package.json": '{"type":"module","exports":{"./jsx-runtime":"./run.js"}}',
      "node_modules/h/run.js": "export const jsx = (type, props) => ({ type, props });\n",
    },
    options: { jsx: "preserve", jsxImportSource: "h" },
  },
  {
    name: ".jsx",
    file: "a.jsx",
    files: {
      "a.jsx": `${asTool}const factor = (<b>x2</b>).props.children;\n/** Price of a thing.\n * @param {string} thing\n * @param {number} [count]\n */\nfunction price(thing, count = 1) {\n  return \`\${factor} \${thing} \${count}\`;\n}\n${exported}`,
      "node_modules/h/package.json": '{"type":"module","exports":{"./jsx-runtime":"./run.js"}}',
      "node_modules/h/run.js": "export const jsx = (type, props) => ({ type, props });\n",
    },
    options: { jsx: "react-jsx", jsxImportSource: "h", allowJs: true },
  },
  {
    name: "JSON without attributes, and top-level await",
    file: "a.ts",
    files: {
      "a.ts": `${asTool}import rates from "./rates.json";\nconst factor = await Promise.resolve(rates.factor);\n${price}${exported}`,
      "rates.json": '{"factor":"x2"}',
    },
    options: { module: "esnext", moduleResolution: "bundler", resolveJsonModule: true },
  },
  {
    name: "import and export in a package of CommonJS",
    file: "a.ts",
    files: {
      "a.ts": `${asTool}import { factor } from "./factor";\n${price}${exported}`,
      "factor.ts":
        'import { basename } from "node:path";\nexport const factor = basename(__dirname).replace(/.*/s, "x2");\n',
    },
    manifest: { type: "commonjs" },
    options: { module: "commonjs", ignoreDeprecations: "6.0", esModuleInterop: true },
  },
  {
    name: "JavaScript modules",
    file: "a.js",
    files: {
      "a.js": `${asTool}import { factor } from "./factor.cjs";\n/** Price of a thing.\n * @param {string} thing\n * @param {number} [count]\n */\nfunction price(thing, count = 1) {\n  return \`\${factor} \${thing} \${count}\`;\n}\n${exported}`,
      "factor.cjs": 'exports.factor = require("./two/two").two;\n',
      "two/two.js": 'exports.two = "x2";\n',
      "two/package.json": "{}",
    },
  },
];

describe.each(cases)("$name", ({ file, files, manifest, options }) => {
  let folder: string;
  beforeAll(async () => {
    folder = await project(files, manifest, options);
  });

  test("skein tools lists it", async () => {
    const { stdout, stderr, code } = await skein(["tools", file, "--json"], folder);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        name: "cost",
        description: "Price of a thing.",
        inputSchema: {
          properties: { thing: { type: "string" }, count: { type: "number", default: 1 } },
          required: ["thing"],
        },
      },
    ]);
  });

  test("skein call runs it", async () => {
    const { stdout, stderr } = await skein(["call", `${file}#cost`, '{"thing":"pen"}'], folder);
    expect(stderr).toBe("");
    expect(stdout).toBe("x2 pen 1\n");
  });
});

test("a parameter without a type is shown at its place, with what to write there", async () => {
  const folder = await project({ "a.mjs": "export function half(number) {\n  return number / 2;\n}\n" });
  const { stderr, code } = await skein(["tools", "a.mjs"], folder);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^a\.mjs:1:22 - error: parameter number: .*\n\n {2}1 \| export function half\(number\)/,
  );
  expect(stderr).toContain("  help: Write its type in a JSDoc comment, such as @param {string} number");
});

test("what a module throws under the loader is shown with its own line", async () => {
  const folder = await project({
    "a.ts":
      'import { tool } from "skein";\nenum Size { Small }\nfunction connect(size: Size) {\n  throw new RangeError("no database");\n}\nexport const a = tool(() => connect(Size.Small), { name: "a" });\nconnect(Size.Small);\n',
  });
  const { stderr, code } = await skein(["call", "a.ts", "{}"], folder);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^skein: a\.ts failed while it was loaded: RangeError: no database\n.*a\.ts:4:9\)\n.*a\.ts:7:1/,
  );
});

test("a syntax error is shown at its place with every loader", async () => {
  const folder = await project({
    "a.ts": 'import { b } from "./b";\nexport const a = {;\n',
    "b.ts": "export const b = 1;\n",
  });
  const { stderr, code } = await skein(["chat", "a.ts"], folder);
  expect(code).toBe(1);
  expect(stderr).toMatch(/SyntaxError: .*\n {4}at .*a\.ts:2:19\nexport const a = \{;\n {18}\^\n$/);
});

test("functions that a file exports from a package are tools of it", async () => {
  const folder = await project(
    {
      "a.ts": 'export { half } from "halves";\nexport type { Halves } from "halves";\n',
      "node_modules/halves/package.json":
        '{"type":"module","types":"./index.d.ts","exports":{"types":"./index.d.ts","default":"./index.js"}}',
      "node_modules/halves/index.js": "export const half = (number) => number / 2;\n",
      "node_modules/halves/index.d.ts":
        'export interface Halves { half(number: number): number }\nexport declare const half: Halves["half"];\n',
    },
    {},
    { module: "nodenext" },
  );
  const { stderr, stdout } = await skein(["tools", "a.ts", "--json"], folder);
  // Described by the declaration of the package, or refused by name.
  expect(stdout + stderr).not.toContain("exports no tools");
  expect(stdout + stderr).toMatch(/"half"|half\b/);
});
