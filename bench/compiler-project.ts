import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder with as many functions as are to be described, and the same schemas written with zod. */
export interface CompilerProject {
  readonly folder: string;
  remove(): void;
}

/** The text of one file of functions, all of them different from those of other files and versions. */
export function functionsText(count: number, version: string): string {
  const functions = Array.from(
    { length: count },
    (_, index) => `
/**
 * Looks up order ${index} of ${version}.
 * @param id - The number of the order
 * @param limit - How many lines to give back @minimum 1
 */
export function lookUp${index}(id: string, filter: Filter, limit: number = ${index + 1}): string {
  return [id, filter.kind, limit].join();
}
`,
  );
  return `
/** What to look at. */
interface Filter {
  /** The kind of order. */
  kind: "open" | "closed" | "refunded";
  since?: string;
  lines: { name: string; count: number }[];
}
${functions.join("")}`;
}

function zodText(count: number, zod: string): string {
  const schemas = Array.from(
    { length: count },
    (_, index) => `z.object({
  id: z.string().describe("The number of the order"),
  filter: z.object({
    kind: z.enum(["open", "closed", "refunded"]).describe("The kind of order."),
    since: z.string().optional(),
    lines: z.array(z.object({ name: z.string(), count: z.number() })),
  }).describe("What to look at."),
  limit: z.number().min(1).default(${index + 1}).describe("How many lines to give back"),
})`,
  );
  return `import { z } from ${JSON.stringify(zod)};
const schemas = [${schemas.join(",\n")}];
for (const schema of schemas) z.toJSONSchema(schema);
`;
}

/** The same functions read by ts-json-schema-generator, which gives its own answer to what a function's schema is. */
function generatorText(generator: string): string {
  return `import { createGenerator } from ${JSON.stringify(generator)};
const options = { path: "tools*.ts", tsconfig: "tsconfig.json", skipTypeCheck: true, functions: "comment" };
const { definitions } = createGenerator(options as object).createSchema("*");
if (!("lookUp0" in definitions)) throw new Error("no functions are found");
`;
}

/** Addresses of packages that do the same. */
export interface OtherPackages {
  readonly zod: string;
  /** ts-json-schema-generator, where it is installed. */
  readonly generator: string | undefined;
}

/**
 * Makes a project of `files` files with `functions` functions each: `bare.ts` loads them, `plain.ts` does no more,
 * `skein.ts` describes them, `zod.ts` does the same by hand, `generator.ts` with ts-json-schema-generator.
 */
export function makeCompilerProject(
  files: number,
  functions: number,
  { zod, generator }: OtherPackages,
): CompilerProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skein-bench-")));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, "node_modules"));
  write("package.json", '{ "type": "module" }');
  write("tsconfig.json", '{ "compilerOptions": { "strict": true, "module": "nodenext" } }');
  const names = Array.from({ length: files }, (_, index) => `tools${index}`);
  for (const name of names) write(`${name}.ts`, functionsText(functions, name));
  const imports = names.map((name) => `import * as ${name} from "./${name}.ts";\n`).join("");
  const all = `[${names.map((name) => `...Object.values(${name})`).join(", ")}]`;
  const reflection = new URL("../dist/sources/reflection/index.js", import.meta.url).href;
  const bare = `${imports}export const functions = ${all};\nexport const reflection = ${JSON.stringify(reflection)};\n`;
  write("bare.ts", bare);
  write("plain.ts", plainText);
  write("skein.ts", describingText);
  write("warm.ts", warmText(functions));
  write("loop.ts", loopText);
  write("zod.ts", zodText(files * functions, zod));
  if (generator !== undefined) write("generator.ts", generatorText(generator));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** What a program does anyway. */
const plainText = `
const { functions } = await import("./bare.ts");
console.log(functions.length);
`;

/** Prints how many processes were started. */
const describingText = `
import { subscribe } from "node:diagnostics_channel";
let processes = 0;
subscribe("child_process", () => (processes += 1));
const { functions, reflection } = await import("./bare.ts");
const { describeFunctions } = await import(reflection);
const found = await describeFunctions(functions);
for (const each of found) if (each instanceof Error) throw each;
console.log(processes);
`;

/** Prints the milliseconds that one changed file takes once everything is known. */
function warmText(functions: number): string {
  return `
import { writeFileSync } from "node:fs";
import { functions, reflection } from "./bare.ts";
const { describeFunctions } = await import(reflection);
await describeFunctions(functions);
const taken = [];
for (let round = 0; round < 5; round++) {
  const text = ${JSON.stringify(functionsText(functions, "ROUND"))}.replaceAll("ROUND", "round " + round);
  writeFileSync(new URL("./tools0.ts", import.meta.url), text);
  const changed = Object.values(await import("./tools0.ts?" + round));
  const startedAt = performance.now();
  const found = await describeFunctions(changed);
  taken.push(performance.now() - startedAt);
  for (const each of found) {
    if (each instanceof Error) throw each;
    if (!each.description.endsWith("round " + round + ".")) throw new Error("old: " + each.description);
  }
}
console.log(taken.sort((left, right) => left - right)[2]);
`;
}

/** Prints how many milliseconds of computing a loop takes that awaits; if told so, after functions were described. */
const loopText = `
import { functions, reflection } from "./bare.ts";
async function loop(turns: number): Promise<number> {
  const startedAt = process.threadCpuUsage();
  for (let turn = 0; turn < turns; turn++) await turn;
  const { user, system } = process.threadCpuUsage(startedAt);
  return (user + system) / 1000;
}
await loop(1_000_000);
if (process.argv[2] === "after") {
  const { describeFunctions } = await import(reflection);
  // Code from no file makes the debugger look for it, too.
  await describeFunctions([...functions, new Function("return 1")]);
}
console.log(await loop(5_000_000));
`;
