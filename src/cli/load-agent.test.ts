import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Agent } from "../agent/agent.ts";
import { chooseAgent, loadAgent } from "./load-agent.ts";

const one = new Agent({ name: "One" });
const two = new Agent({ name: "Two" });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skein-load-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, source: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, source);
  return path;
}

test("the export `agent` comes first, then `default`, then the only one", () => {
  expect(chooseAgent("a.ts", { default: two, agent: one })).toBe(one);
  expect(chooseAgent("a.ts", { other: one, default: two })).toBe(two);
  expect(chooseAgent("a.ts", { helper: () => 1, other: one })).toBe(one);
  expect(chooseAgent("a.ts", { agent: () => 1, default: two })).toBe(two);
});

test("a name chooses, and a wrong one is answered with the nearest and with what there is", () => {
  const exports = { triage: one, sales: two, limit: 3 };
  expect(chooseAgent("a.ts", exports, "sales")).toBe(two);
  expect(() => chooseAgent("a.ts", exports, "trige")).toThrow(
    "a.ts does not export trige. Did you mean triage? It exports triage (an agent), sales (an agent), limit (number).",
  );
  expect(() => chooseAgent("a.ts", exports, "limit")).toThrow("a.ts exports limit, which is not an agent.");
  expect(() => chooseAgent("a.ts", exports, "toString")).toThrow("does not export toString");
});

test("several agents without a usual name ask for a choice", () => {
  expect(() => chooseAgent("a.ts", { triage: one, sales: two })).toThrow(
    "a.ts exports several agents: triage, sales. Choose one with --agent.",
  );
});

test("no agent at all is answered with what there is", () => {
  expect(() => chooseAgent("a.ts", {})).toThrow("a.ts exports no agent. It exports nothing.");
  expect(() => chooseAgent("a.ts", { a: null, b() {} })).toThrow("It exports a (null), b (function).");
});

test.each([
  [
    { default: function createAgent() {} },
    "If default makes the agent, call it and export the result: export const agent = createAgent()",
  ],
  [{ default: () => one }, "call it and export the result: export const agent = createAgent()"],
  [{ createAgent: () => one }, "If createAgent makes the agent, call it and export the result"],
  [{ agentName: "x", helper: () => 1 }, "Write: export const agent = new Agent({ ... })"],
])("suggests to call a function that may create the agent: %j", (exports, hint) => {
  expect(() => chooseAgent("a.ts", exports)).toThrow(hint);
});

test("an agent of another copy of the package is an agent", async () => {
  vi.resetModules();
  const { Agent: Other } = await import("../agent/agent.ts");
  expect(Other).not.toBe(Agent);
  const agent = new Other({ name: "Other" });
  expect(chooseAgent("a.ts", { agent })).toBe(agent);
  expect(chooseAgent("a.ts", { named: agent }, "named")).toBe(agent);
});

test("an agent that lacks what runs read of one is refused", () => {
  const stranger = { name: "Stranger", [Symbol.for("skein.agent")]: true };
  expect(() => chooseAgent("a.ts", { agent: stranger }, "agent")).toThrow("another version of skein");
  expect(() => chooseAgent("a.ts", { agent: stranger })).toThrow("another version of skein");
});

test("a missing file, a folder and a file that is not a module are named", async () => {
  const missing = join(folder, "missing.ts");
  await expect(loadAgent(missing)).rejects.toThrow(`${missing} does not exist.`);
  await expect(loadAgent(folder)).rejects.toThrow(
    `${folder} is not a file. Name the modules in it, such as ${folder}`,
  );
});

test("what a module throws is shown with the place in the module, without Node's own frames", async () => {
  const path = await file(
    "throws.mjs",
    'function connect() { throw new RangeError("no database"); }\nconnect();\n',
  );
  const error: unknown = await loadAgent(path).catch((thrown: unknown) => thrown);
  const message = error instanceof Error ? error.message : "";
  expect(message).toContain(`${path} failed while it was loaded: RangeError: no database\n`);
  expect(message).toContain("throws.mjs:1");
  expect(message).not.toContain("node:internal");
});

test("a module that throws something other than an error is shown too", async () => {
  const path = await file("throws-text.mjs", 'throw "plain words";\n');
  await expect(loadAgent(path)).rejects.toThrow(`${path} failed while it was loaded: plain words`);
});
