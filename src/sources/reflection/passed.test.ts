import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { makeProject, type Project } from "./test-process.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

let project: Project | undefined;

afterEach(() => {
  project?.remove();
  project = undefined;
});

/** A project in which the package is installed as it is built. */
function makeInstalled(files: Readonly<Record<string, string>>): Project {
  const made = makeProject(files);
  const skein = made.path("node_modules/skein");
  mkdirSync(skein, { recursive: true });
  for (const name of ["dist", "package.json"])
    cpSync(join(root, name), join(skein, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(skein, "node_modules"), "junction");
  mkdirSync(dirname(made.path("node_modules/.cache")), { recursive: true });
  project = made;
  return made;
}

/** Prints the tools of its agent, or the error, and how many processes were started. */
const main = `
import { subscribe } from "node:diagnostics_channel";
let processes = 0;
subscribe("child_process", () => (processes += 1));
const { Agent, run } = await import("skein");
const { FunctionModel } = await import("skein/testing");
const { makeAgent } = await import("./agent.ts");
let tools;
const model = new FunctionModel((request) => ((tools = request.tools.map(({ name, inputSchema }) => [name, inputSchema.properties])), "Done."));
await run(makeAgent(), "Go.", { model }).catch((error) => (tools = error.message));
console.log(JSON.stringify({ tools, processes }));
`;

const wrap = `
export function logged<A extends unknown[], R>(fn: (...args: A) => R): (...args: A) => R {
  return (...args) => fn(...args);
}
`;

const tools = `
export const weather = (city: string): string => city;
export const late = (days: number): number => days;
`;

const agent = `
import { Agent, type ToolFunction } from "skein";
import { logged } from "./wrap.ts";
import { late, weather } from "./tools.ts";
const others: ToolFunction[] = [];
others.push(late);
export const makeAgent = () => new Agent({ name: "A", tools: [logged(weather), ...others] });
`;

const text = { type: "string" };
const number = { type: "number" };

test("a second start finds what calls pass on in the cache, and starts no process", async () => {
  const { run } = makeInstalled({
    "main.ts": main,
    "wrap.ts": wrap,
    "tools.ts": tools,
    "agent.ts": agent.replace("...others", "late"),
  });
  const found = [
    ["weather", { city: text }],
    ["late", { days: number }],
  ];
  expect(await run()).toEqual({ tools: found, processes: 1 });
  expect(await run()).toEqual({ tools: found, processes: 0 });
});

test("so it does for what only the function's own source tells", async () => {
  const { run } = makeInstalled({
    "main.ts": main,
    "wrap.ts": wrap,
    "tools.ts": tools,
    "agent.ts": agent.replace("[logged(weather), ...others]", "others"),
  });
  const found = [["late", { days: number }]];
  expect(await run()).toEqual({ tools: found, processes: 1 });
  expect(await run()).toEqual({ tools: found, processes: 0 });
});

test("a change of the call, of a wrapper's types and of the function is seen at the next start", async () => {
  const installed = makeInstalled({
    "main.ts": main,
    "wrap.ts": wrap,
    "tools.ts": tools,
    "agent.ts": agent.replace(", ...others", ""),
  });
  expect(await installed.run()).toMatchObject({ tools: [["weather", { city: text }]] });
  installed.write("tools.ts", tools.replace("city: string", 'city: "Paris" | "Rome"'));
  expect(await installed.run()).toMatchObject({
    tools: [["weather", { city: { type: "string", enum: ["Paris", "Rome"] } }]],
  });
  installed.write(
    "wrap.ts",
    wrap
      .replace("): (...args: A) => R {", "): (only: A[0], times: number) => R {")
      .replace("(...args) => fn(...args)", "(only, times) => fn(...([only, times] as never))"),
  );
  expect(await installed.run()).toMatchObject({
    tools: [["weather", { only: { enum: ["Paris", "Rome"] }, times: number }]],
  });
  installed.write("agent.ts", agent.replace("[logged(weather), ...others]", "[logged(late)]"));
  expect(await installed.run()).toMatchObject({ tools: [["late", { only: number, times: number }]] });
});

test("a list that grows while the program runs is refused where only the call could tell", async () => {
  const { run } = makeInstalled({
    "main.ts": main,
    "wrap.ts": wrap,
    "tools.ts": tools,
    "agent.ts": agent
      .replace("others.push(late);", "others.push(logged(late));")
      .replace("logged(weather), ", ""),
  });
  expect(await run()).toMatchObject({
    tools: expect.stringMatching(
      /"args": its type is known only where .* is called \(wrap\.ts:3\)\nWrite the type where you pass it/,
    ),
  });
});

test("a function with a context is refused within a package's wrapper: it may pass a model's value as the context", async () => {
  const installed = makeInstalled({
    "main.ts": main,
    "agent.ts": `
      import { Agent, type ToolContext } from "skein";
      import { flip } from "turn";
      const remove = (target: { context: { role: string } }, caller: ToolContext<{ role: string }>) => [target, caller];
      export const makeAgent = () => new Agent({ name: "A", tools: [flip(remove)] });
    `,
  });
  installed.write(
    "node_modules/turn/package.json",
    '{ "name": "turn", "type": "module", "exports": { "types": "./index.d.ts", "default": "./index.js" } }',
  );
  installed.write(
    "node_modules/turn/index.js",
    "export const flip = (fn) => (...args) => fn(...args.reverse());",
  );
  installed.write(
    "node_modules/turn/index.d.ts",
    "export declare function flip<F extends (...args: any[]) => unknown>(fn: F): F;",
  );
  expect(await installed.run()).toMatchObject({
    tools: expect.stringMatching(
      /only the code of flip shows at which place it passes the ToolContext on[^]*\(city: string, caller: ToolContext\) => wrapped/,
    ),
  });
});

const kits = `
import type { ToolContext } from "skein";
type Caller = ToolContext<{ user: string }>;
export interface Sending { send(to: string, from: object): string }
export class Plain { send(to: string, from: object): string { return String(to) + String(from); } }
export class Mail { send(to: string, from: Caller): string { return String(to) + String(from); } }
`;

const kitAgent = `
import { Agent } from "skein";
import { Mail, Plain, type Sending } from "./kits.ts";
const toolsOf = (kit: Sending) => new Agent({ name: "A", tools: [BOUND] });
export const makeAgent = () => toolsOf(process.env.KIT === "mail" ? new Mail() : new Plain());
`;

test.each(["kit.send", "kit.send.bind(kit)"])(
  "what the cache has of %s does not speak of another function with the same text",
  async (passed) => {
    const { run } = makeInstalled({
      "main.ts": main,
      "kits.ts": kits,
      "agent.ts": kitAgent.replace("BOUND", passed),
    });
    const found = { tools: [["send", { to: text, from: { type: "object" } }]] };
    expect(await run()).toMatchObject(found);
    expect(await run()).toEqual({ ...found, processes: 0 });
    const refused = "it takes a ToolContext, which the type of the expression does not have there";
    expect(await run({ KIT: "mail" })).toMatchObject({ tools: expect.stringContaining(refused) });
  },
);

const ports = `
export interface Port { pay(from: string, to: number): string }
export class Straight implements Port { pay(from: string, to: number): string { return from + String(to); } }
export class Renamed implements Port { pay(payer: string, payee: number): string { return payer + String(payee); } }
export const open = (): Port => (process.env.PORT === "renamed" ? new Renamed() : new Straight());
`;

const portAgent = `
import { Agent, toolkit } from "skein";
import { open } from "./ports.ts";
const port = open();
export const makeAgent = () => new Agent({ name: "A", tools: [BOUND] });
`;

test.each(["port.pay", "port.pay.bind(port)", "toolkit(port)"])(
  "%s has the parameters of the method that runs, also from the cache",
  async (passed) => {
    const installed = makeInstalled({
      "main.ts": main,
      "ports.ts": ports,
      "agent.ts": portAgent.replace("BOUND", passed),
    });
    const renamed = { PORT: "renamed" };
    const straight = [["pay", { from: text, to: number }]];
    const own = [["pay", { payer: text, payee: number }]];
    expect(await installed.run(renamed)).toEqual({ tools: own, processes: 1 });
    expect(await installed.run(renamed)).toEqual({ tools: own, processes: 0 });
    expect(await installed.run()).toEqual({ tools: straight, processes: 1 });
    expect(await installed.run()).toEqual({ tools: straight, processes: 0 });
    installed.write("ports.ts", ports.replace("payer: string", "payer: string | null"));
    expect(await installed.run(renamed)).toMatchObject({
      tools: [["pay", { payer: { type: ["string", "null"] } }]],
    });
  },
);
