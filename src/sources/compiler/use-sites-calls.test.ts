import { afterAll, beforeAll, expect, test } from "vitest";
import { openCompiler, type Compiler, type ToolTree } from "./index.ts";
import { madeUpProgram, type MadeUpProgram } from "./test-use-sites.ts";

let compiler: Compiler;
let program: MadeUpProgram;

const text = `import { Agent, executeToolCalls, schemaOf, tool, toolkit, ToolRegistry, type ToolFunction } from "skein";
export function weather(city: string) { return city; }
export const add = (a: number, b: number) => a + b;
const typed: ToolFunction = weather;
const all: ToolFunction[] = [weather, add];
const growing = [weather];
growing.push(weather);
declare const which: number;
class Kit { heat(by: number) { return by; } }
function logged<A extends unknown[], R>(fn: (...args: A) => R) { return (...args: A): R => fn(...args); }
export const agent = new Agent({ name: "A", tools: [weather, tool(logged(add), { timeout: 5 }), ...all, typed] });
export const copy = agent.with({ tools: { plus: add, one: all[which]! } });
export const kit = toolkit(new Kit());
export const results = executeToolCalls([], growing);
export const wrong = schemaOf((when: () => void) => when);
export const registry = new ToolRegistry().register(weather, ...all, add);
export const two = [new Agent({ name: "B", tools: all }), new Agent({ name: "C", tools: [logged(weather)] })];
`;

beforeAll(async () => {
  program = await madeUpProgram({ "app.ts": text });
  compiler = await openCompiler({ cwd: program.folder });
});

afterAll(async () => {
  compiler.close();
  await program.remove();
});

/** What the call that begins with `start` is given. */
function at(start: string): unknown {
  const line = text.split("\n").findIndex((each) => each.includes(start));
  const column = text.split("\n")[line]?.indexOf(start) ?? -1;
  const found = compiler.toolsAt(program.path("app.ts"), { line, column });
  return found?.arguments.map((tree) => tree && plain(tree));
}

function plain(tree: ToolTree): unknown {
  if (tree.kind === "list") return tree.items.map((item) => item && plain(item));
  if (tree.kind === "record") {
    return Object.fromEntries([...tree.entries].map(([name, inner]) => [name, plain(inner)]));
  }
  const { description } = tree;
  return description instanceof Error
    ? "refused"
    : `${description.name}(${Object.keys(Object(description.inputSchema["properties"])).join()})`;
}

test.each([
  [
    'new Agent({ name: "A"',
    [{ tools: ["weather(city)", null, "weather(city)", "add(a,b)", "weather(city)"] }],
  ],
  ["tool(logged(add)", ["add(a,b)", null]],
  ["with({", [{ tools: { plus: "add(a,b)" } }]],
  ["toolkit(new Kit", [{ heat: "heat(by)", constructor: "Kit()" }]],
  ["executeToolCalls([], growing", [null, null]],
  ["schemaOf((when", ["refused"]],
  ["register(weather", ["weather(city)", null, null]],
  ['new Agent({ name: "B"', [{ tools: ["weather(city)", "add(a,b)"] }]],
  ['new Agent({ name: "C"', [{ tools: ["weather(city)"] }]],
])("finds the tools passed to a call: %s", (start, expected) => {
  expect(at(start)).toEqual(expected);
});

test("where no call stands there is nothing", () => {
  expect(at("export function weather")).toBeUndefined();
});

test("the files on which the descriptions depend are named", () => {
  const { files } = compiler.toolsAt(program.path("app.ts"), { line: 10, column: 21 }) ?? {};
  expect([...(files ?? [])]).toContain(program.path("app.ts"));
});
