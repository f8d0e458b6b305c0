import { afterAll, beforeAll, expect, test } from "vitest";
import { openCompiler, type Compiler, type UseSites } from "./index.ts";
import { madeUpProgram, type MadeUpProgram } from "./test-use-sites.ts";

let compiler: Compiler;
let program: MadeUpProgram;
let sites: UseSites;

const app = `
import { Agent, output as formOf, run, type Output } from "skein";
import type { Place } from "./types.ts";
interface Trip { readonly places: readonly Place[]; readonly next?: Trip }
const form: Output<Trip> = formOf<Trip>();
const agent = new Agent({ name: "A", output: formOf<Place>() });
function within<T>(): unknown { return [formOf<{ [Key in keyof T]: T[Key] }>(), formOf<T>()]; }
const mapped = formOf<{ [Key in "a" | "b"]: Place["city"] }>();
const lost = formOf();
const other = new Map<string, number>();
declare function output<T>(): T;
output<Place>();
await run(agent, "go", { output: formOf<symbol>() });
`;

beforeAll(async () => {
  program = await madeUpProgram({
    "types.ts":
      "/** Somewhere. */\nexport interface Place { city: string; /** @minimum 1 */ people: number }",
    "app.ts": app,
  });
  compiler = await openCompiler({ cwd: program.folder });
  sites = compiler.useSites(program.path("app.ts"));
});

afterAll(async () => {
  compiler.close();
  await program.remove();
});

const place = {
  type: "object",
  description: "Somewhere.",
  properties: { city: { type: "string" }, people: { type: "number", minimum: 1 } },
  required: ["city", "people"],
  additionalProperties: false,
};

test("a build attaches the schema of each type to its call of Skein's output, and to no other", () => {
  const found = sites.sites.map(({ start, end, schemas }) => {
    const { inputSchema } = JSON.parse(typeof schemas === "string" ? schemas : "{}");
    return [sites.text.slice(start, end), inputSchema];
  });
  expect(found).toMatchObject([
    [
      "formOf<Trip>()",
      { $ref: "#/$defs/Trip", $defs: { Trip: { properties: { places: { items: place } } } } },
    ],
    ["formOf<Place>()", place],
    ['formOf<{ [Key in "a" | "b"]: Place["city"] }>()', { properties: { a: { type: "string" } } }],
  ]);
});

test("a type that cannot be determined is a problem that names the line", () => {
  expect(sites.problems).toEqual([
    expect.stringMatching(/app\.ts:7: no schema can be attached to formOf<\{ \[Key .*\n.*"T" is known only/),
    expect.stringMatching(/app\.ts:7: no schema can be attached to formOf<T>\(\): .*\n.*"T" is known only/),
    expect.stringMatching(/app\.ts:13: .*The type of output<symbol>\(\) cannot be expressed/),
  ]);
});

test("the schema is created again when a file of its type changes", () => {
  expect(sites.files).toContain(program.path("types.ts"));
});
