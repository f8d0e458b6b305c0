import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCompiler, type Compiler, type SchemaTree } from "./index.ts";
import { madeUpProgram, type MadeUpProgram } from "./test-use-sites.ts";

let compiler: Compiler;
let program: MadeUpProgram;

beforeAll(async () => {
  program = await madeUpProgram({
    "tools.ts": `
      /** Get the weather. */
      export async function weather(city: string) { return city; }
      /** Add. */
      export const add = (a: number, b: number) => a + b;
      export const all = [weather, add];
      export const more = [...all, function third(x: string) { return x; }] as const;
      export const bag = { weather, plus: add, ["in" + "side"]: add };
      export const clean = { weather, plus: add };
      export const growing = [weather];
      growing.push(weather);
      export const merged = { weather, plus: add };
      Object.assign(merged, { plus: weather });
      export const aliased = { plus: add };
      const other = aliased;
      other.plus = add;
      export const swapped = [weather, add];
      [swapped[0], swapped[1]] = [swapped[1]!, swapped[0]!];
      export const unpacked = { plus: add };
      ({ first: unpacked.plus } = { first: add });
      export const calm = [weather, add];
      const counts: number[] = [];
      const first: { fn: typeof calm[0] } = { fn: calm[0] };
      counts[calm.length] = [calm[0], first].length;
      export const called = (city: string) => city;
      Object.assign(called, { displayName: "called" });
      export default all;
      export let changing = weather;
      export function makeTools(unit: string) {
        /** Look up. */
        async function lookUp(key: string) { return key + unit; }
        return { lookUp, drop: (id: number) => id };
      }
      export const makeList = (unit: string) => [weather, (measure: string) => measure + unit];
      export const pick = (index: number) => all[index]!;
      export const either = (yes: boolean) => { if (yes) return weather; return add; };
      export class Kit {
        unit = "K";
        /** Heat it. */
        heat(by: number) { return by + this.unit; }
        cool = (by: number) => by;
        get warm() { return () => 1; }
        private secret(by: symbol) { return by; }
        _hidden() { return 1; }
      }
      export const kit = new Kit();
      export const config = { name: "A", tools: [weather, add], instructions: (x: symbol) => String(x) };
    `,
  });
  await program.write(Object.fromEntries(bodies.map((body) => [nameOf(body), appOf(body)])));
  compiler = await openCompiler({ cwd: program.folder });
  compiler.open(bodies.map(fileOf));
});

afterAll(async () => {
  compiler.close();
  await program.remove();
});

const imports = `
  import { Agent, executeToolCalls, generate, schemaOf, tool, toolkit, type ToolFunction, type ToolSource } from "skein";
  import list, { add, aliased, all, bag, called, calm, changing, clean, config, either, growing, Kit, kit, makeList, makeTools, merged, more, pick, swapped, unpacked, weather } from "./tools.ts";
  import * as everything from "./tools.ts";
  declare function ambient(x: string): string;
  declare const typed: { search(text: string): string };
`;

/** What is seen: each expression with the names of its tools. */
const seen: readonly (readonly [string, readonly string[]])[] = [
  ["new Agent({ name, tools: [weather, add] })", ["weather -> weather", "add -> add"]],
  ["agent.with({ tools: [weather] })", ["weather -> weather"]],
  ["new Agent({ name, tools: { plus: add, weather } })", ["add -> add", "weather -> weather"]],
  ["tool(weather, { timeout: 5 })", ["weather -> weather"]],
  ["executeToolCalls([], [weather])", ["weather -> weather"]],
  ["generate(model, { messages: [], tools: [add] })", ["add -> add"]],
  ["schemaOf(called)", ["called -> called"]],
  ["schemaOf(everything.weather)", ["everything.weather -> weather"]],
  ["new Agent({ name, tools: all })", ["all -> [weather, add]"]],
  ["new Agent({ name, tools: calm })", ["calm -> [weather, add]"]],
  ["new Agent({ name, tools: list })", ["list -> [weather, add]"]],
  ["new Agent({ name, tools: [...more, add] })", ["more -> [weather, add, third]", "add -> add"]],
  ["const tools = [weather, tool(add)]; new Agent({ name, tools })", ["add -> add", "tools -> [weather, -]"]],
  ["new Agent(config)", ["config -> {tools: [weather, add]}"]],
  ["new Agent({ ...config, name })", ["config -> {tools: [weather, add]}"]],
  ["new Agent({ name, tools: config.tools })", ["config.tools -> [weather, add]"]],
  ["new Agent({ name, tools: clean })", ["clean -> {weather: weather, plus: add}"]],
  ["new Agent({ name, tools: { ...clean } })", ["clean -> {weather: weather, plus: add}"]],
  ["new Agent({ name, tools: makeTools('K') })", ["makeTools('K') -> {lookUp: lookUp, drop: drop}"]],
  ["new Agent({ name, tools: [makeTools('K').lookUp] })", ["makeTools('K').lookUp -> lookUp"]],
  ["const { lookUp } = makeTools('K'); schemaOf(lookUp)", ["lookUp -> lookUp"]],
  ["const [first] = all; schemaOf(first!)", ["first -> weather"]],
  ["new Agent({ name, tools: makeList('K') })", ["makeList('K') -> [weather, (unnamed)]"]],
  ["schemaOf(add.bind(null, 1))", ["add.bind(null, 1) -> add"]],
  ["schemaOf(kit.heat.bind(kit))", ["kit.heat.bind(kit) -> heat"]],
  ["schemaOf((city: string) => city)", ["(city: string) => city -> (unnamed)"]],
  ["toolkit(kit)", ["kit -> {heat: heat, cool: cool, secret: secret, constructor: Kit}"]],
  ["toolkit(new Kit())", ["new Kit() -> {heat: heat, cool: cool, secret: secret, constructor: Kit}"]],
  ["toolkit(makeTools('K'))", ["makeTools('K') -> {lookUp: lookUp, drop: drop}"]],
  ["schemaOf(yes ? weather : add)", ["weather -> weather", "add -> add"]],
  [
    "new Agent({ name, tools: [...(yes ? [weather] : all)] })",
    ["weather -> weather", "all -> [weather, add]"],
  ],
  ["new Agent({ name, tools: { ...(yes ? { weather } : {}) } })", ["weather -> weather"]],
  ["const f: ToolFunction = weather; schemaOf(f)", ["weather -> weather"]],
  [
    "const mine: ToolSource[] = [weather]; mine.push(add); new Agent({ name, tools: mine })",
    ["weather -> weather", "add -> add"],
  ],
  ["function team(tools: ToolFunction[]) { return new Agent({ name, tools }); } team([add])", ["add -> add"]],
  ["function mine(): ToolSource[] { return [add]; } new Agent({ name, tools: mine() })", ["add -> add"]],
  [
    "const own = { tools: [weather] } satisfies { tools: ToolFunction[] }; new Agent({ name, ...own })",
    ["weather -> weather", "own -> {tools: [weather]}"],
  ],
  ["new Agent({ name, tools: Object.freeze([weather]) })", ["Object.freeze([weather]) -> [weather]"]],
  [
    "async function load() { return all; } new Agent({ name, tools: await load() })",
    ["await load() -> [weather, add]"],
  ],
  [
    "new Agent({ name, tools: { async inline(city: string) { return city; } } })",
    ["{ async inline(city: string) { return city; } } -> {inline: inline}"],
  ],
  [
    "function team<const T extends readonly ToolSource[]>(tools: T) { return tools; } team([add, weather])",
    ["add -> add", "weather -> weather"],
  ],
  [
    "function team<T extends readonly ToolSource[]>(name: string, tools: T) { return tools; } team(name, all)",
    ["all -> [weather, add]"],
  ],
  [
    "function team<T extends { tools: ToolSource[] }>(options: T) { return options; } team({ tools: [add] })",
    ["add -> add"],
  ],
  ["function team<T extends ToolFunction>(fn: T) { return fn; } team(weather)", ["weather -> weather"]],
  ["function same<T>(value: T) { return value; } same([add])", []],
  ["schemaOf(ambient)", ["ambient -> ambient"]],
  ["schemaOf(typed.search)", ["typed.search -> search"]],
  ["function own(text: string) { schemaOf(own); }", ["own -> own"]],
];

/** What is not, the expression, and why. */
const unseen: readonly (readonly [string, string, string])[] = [
  ["schemaOf(pick(1))", "pick(1)", "which element it is, is decided when the program runs"],
  ["schemaOf(all[0]!)", "all[0]", "which element it is"],
  ["new Agent({ name, tools: Object.values(bag) })", "Object.values(bag)", "it is a list of unknown length"],
  ["new Agent({ name, tools: bag })", "bag", "a name in it is computed"],
  ["new Agent({ name, tools: growing })", "growing", "growing is changed after it is made"],
  ["new Agent({ name, tools: merged })", "merged", "merged is changed after it is made"],
  ["new Agent({ name, tools: swapped })", "swapped", "swapped is changed after it is made"],
  ["new Agent({ name, tools: unpacked })", "unpacked", "unpacked is changed after it is made"],
  ["schemaOf(aliased.plus)", "aliased.plus", "aliased is changed after it is made"],
  ["schemaOf(changing)", "changing", "declare it with const"],
  ["schemaOf(either(yes))", "either(yes)", "either returns one thing or another"],
  ["const use = (fn: (x: string) => string) => schemaOf(fn)", "fn", "the parameter fn can be any function"],
  ["for (const fn of all) schemaOf(fn)", "fn", "it is decided when the program runs"],
  ["schemaOf(JSON.parse('1'))", "JSON.parse('1')", "its type is any"],
  ["schemaOf((x: symbol) => x)", "(x: symbol) => x", "symbol"],
];

const bodies = [...seen, ...unseen].map(([body]) => body);

const nameOf = (body: string): string => `app-${bodies.indexOf(body)}.ts`;
const fileOf = (body: string): string => program.path(nameOf(body));

function appOf(body: string): string {
  const parameters = 'agent: Agent, model: import("skein").Model, name: string, yes: boolean';
  return `${imports}\nexport async function app(${parameters}) {\n${body} }`;
}

/** `weather`, `[weather, add]`, `{plus: add}`. */
function namesIn(schemas: SchemaTree | null): string {
  if (schemas === null) return "-";
  if (typeof schemas === "string") return JSON.parse(schemas).name || "(unnamed)";
  if (Array.isArray(schemas)) return `[${schemas.map(namesIn).join(", ")}]`;
  return `{${Object.entries(schemas)
    .map(([name, inner]) => `${name}: ${namesIn(inner)}`)
    .join(", ")}}`;
}

describe("tools are seen in", () => {
  test.each(seen)("%s", (body, expected) => {
    const { sites, problems, text } = compiler.useSites(fileOf(body));
    const found = sites.map(({ start, end, schemas }) => `${text.slice(start, end)} -> ${namesIn(schemas)}`);
    expect(problems).toEqual([]);
    expect([...found].sort()).toEqual([...expected].sort());
  });
});

describe("what cannot be determined is reported", () => {
  test.each(unseen)("%s", (body, expression, reason) => {
    const { sites, problems } = compiler.useSites(fileOf(body));
    expect(sites).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/app-\d+\.ts:9: no schema can be attached to /);
    expect(problems[0]).toContain(`attached to ${expression}: `);
    expect(problems[0]).toContain(reason);
  });
});

test("of a function with a schema of its own, what its arguments are is attached, in outline", async () => {
  const file = "placement.ts";
  await program.write({
    [file]: `import { tool, type ToolContext } from "skein";
      /**
       * Sends.
       * @param to Whom.
       */
      function send(context: ToolContext, to: string, done: () => void) { return [context, to, done]; }
      declare const untyped: any;
      export const one = tool(send, { input: { type: "object" } });
      export const two = tool((a: string, ...rest: unknown[]) => [a, rest], { input: { type: "object" } });
      export const three = tool(untyped.fn, { input: { type: "object" } });`,
  });
  compiler.refresh();
  const { sites, problems } = compiler.useSites(program.path(file));
  expect(sites.map(({ schemas }) => (typeof schemas === "string" ? JSON.parse(schemas) : schemas))).toEqual([
    {
      name: "send",
      description: "Sends.",
      inputSchema: {
        type: "object",
        properties: { to: { type: "string", description: "Whom." }, done: {} },
        required: ["to", "done"],
        additionalProperties: false,
      },
      parameters: [{ kind: "context" }, { kind: "property", name: "to" }, { kind: "property", name: "done" }],
      placementOnly: true,
    },
    {
      name: "",
      inputSchema: {
        type: "object",
        properties: { a: { type: "string" }, rest: { type: "array" } },
        required: ["a"],
        additionalProperties: false,
      },
      parameters: [
        { kind: "property", name: "a" },
        { kind: "rest", name: "rest" },
      ],
      placementOnly: true,
    },
  ]);
  expect(problems).toEqual([expect.stringContaining("its type is any")]);
});
