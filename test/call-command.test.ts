import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addTypes, newProject, skein } from "./skein-command.ts";

const source = `import { Agent, tool, toolkit, type ToolContext } from "skein";

/**
 * Add two numbers.
 * @param a - The first
 * @param b - The second
 */
export function add(a: number, b = 1) {
  return { sum: a + b };
}

/** Greet the current user. */
export function greet({ context }: ToolContext<{ user: string }>) {
  return "Hello, " + context.user + "!";
}

/** Count to three, slowly. */
export async function* count() {
  yield "one";
  yield "two";
  return "three";
}

/** Fail, whatever happens. */
function fail(): string {
  throw new Error("the disk is full");
}

class Bells {
  /** Ring the bell of a room. */
  ring(room: number) {
    return "Ding, " + room;
  }
}

/** Give money back. */
function refund(amount: number) {
  return "Refunded " + amount;
}

export const adminOnly = tool(refund, { name: "admin_refund", allow: ({ context }: { context: { role?: string } }) => context.role === "admin" });
export const guarded = tool(refund, { approval: true, requires: ["add"] });
export const renamed = tool(fail, { name: "failing" });
export const bells = toolkit(new Bells());
const inner = new Agent({ name: "Inner", tools: [function hidden() { return "found"; }] });
export const agent = new Agent({ name: "Outer", handoffs: [inner] });
`;

let folder: string;
beforeAll(async () => {
  folder = await newProject();
  await addTypes(folder);
  await writeFile(join(folder, "tools.ts"), source);
  await writeFile(join(folder, "one.ts"), "/** Say hello. */\nexport const hello = () => 'Hello!';\n");
  await writeFile(join(folder, "none.ts"), "export const limit = 3;\n");
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ["a value is printed as JSON", ["tools.ts#add", '{"a":2}'], '{\n  "sum": 3\n}\n'],
  ["text is printed as it is", ["tools.ts#greet", "--context", '{"user":"Ada"}'], "Hello, Ada!\n"],
  ["a toolkit's method is found", ["tools.ts#ring", '{"room":7}'], "Ding, 7\n"],
  ["the tools of agents are found, along their handoffs", ["tools.ts#hidden"], "found\n"],
  ["--yes approves the call", ["tools.ts#guarded", '{"amount":7}', "--yes"], "Refunded 7\n"],
  ["a file's only tool needs no name", ["one.ts"], "Hello!\n"],
  ["nor does it with arguments", ["one.ts", "{}"], "Hello!\n"],
  ["the tool may be a word of its own", ["tools.ts", "ring", '{"room":7}'], "Ding, 7\n"],
  ["without arguments, too", ["tools.ts", "hidden"], "found\n"],
  ["a colon may come before the tool", ["tools.ts:ring", '{"room":7}'], "Ding, 7\n"],
])("%s", async (_, args, stdout) => {
  expect(await skein(["call", ...args], folder)).toEqual({ code: 0, stdout, stderr: "" });
});

test("a tool that needs approval is not called without --yes", async () => {
  const { code, stdout, stderr } = await skein(["call", "tools.ts#guarded", '{"amount":7}'], folder);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^\w+ was not called: it needs approval\. Pass --yes to approve the call\.\n$/);
});

test("progress goes to standard error", async () => {
  expect(await skein(["call", "tools.ts#count"], folder)).toEqual({
    code: 0,
    stdout: "three\n",
    stderr: '"one"\n"two"\n',
  });
});

test("bad arguments are answered as a model is answered", async () => {
  const { code, stdout, stderr } = await skein(["call", "tools.ts#add", '{"a":"two"}'], folder);
  expect(stdout).toBe("");
  expect(stderr).toBe(
    'add was not called, because its arguments are invalid:\n- $.a: expected a number, received a string: "two"\n' +
      'You sent:\n{\n  "a": "two"  <-- expected a number\n}\nCall the tool again with corrected arguments.\n',
  );
  expect(code).toBe(1);
});

test.each([
  ["by its own name", "tools.ts#failing"],
  ["by its export's", "tools.ts#renamed"],
])("a tool with a name of its own is found %s, and its failure told", async (_, target) => {
  const { code, stderr } = await skein(["call", target], folder);
  expect(stderr).toMatch(/^failing failed: the disk is full/);
  expect(code).toBe(1);
});

test.each([
  ["tools.ts#ad", "tools.ts has no tool ad. Did you mean add? Its tools are: add, admin_refund, adminOnly, "],
  ["tools.ts", "tools.ts has several tools. Name one. Its tools are: add, "],
  ["none.ts#x", "No tools found in none.ts. Skein looks for exports: functions, tool(...), "],
  ["nowhere.ts#x", "nowhere.ts does not exist."],
])("a target that leads nowhere is answered with what there is: %s", async (target, message) => {
  const { code, stderr } = await skein(["call", target], folder);
  expect(stderr).toContain(`skein: ${message}`);
  expect(code).toBe(1);
});

test.each([
  [["add", "tools.ts", '{"a":2}'], `The file comes first. Write: skein call tools.ts add '{"a":2}'`],
  [
    ["tools.ts", "add", "2"],
    `The arguments must be a JSON object, not 2. Write: skein call tools.ts add '{"a": ...}'`,
  ],
  [["tools.ts#ring", "room=7"], `Write: skein call tools.ts ring '{"room": ...}'`],
  [["tools.ts", "add", "{a:", "2}"], "Write: skein call tools.ts add '{...}'"],
  [["tools.ts", "ad", "{}"], "Write: skein call tools.ts add '{...}'"],
])("an error shows the command to type: %j", async (words, message) => {
  const { code, stdout, stderr } = await skein(["call", ...words], folder);
  expect(stdout).toBe("");
  expect(stderr).toContain(message);
  expect(code).toBe(1);
});

test.each([
  [
    [],
    "admin_refund is refused by its allow: no context was passed. Pass one that it accepts: --context '{...}'.",
  ],
  [
    ["-c", '{"role":"guest"}'],
    "admin_refund is refused by its allow: it did not return true for the context.",
  ],
])("reports a call that allow refuses to its developer: %j", async (flags, message) => {
  const words = ["tools.ts#adminOnly", '{"amount":3}', ...flags];
  const { code, stderr } = await skein(["call", ...words], folder);
  expect(stderr).toContain(message);
  expect(code).toBe(1);
  const allowed = await skein(
    ["call", "tools.ts#adminOnly", '{"amount":3}', "-c", '{"role":"admin"}'],
    folder,
  );
  expect(allowed.stdout).toBe("Refunded 3\n");
});

test("--help shows a command to type", async () => {
  const { stdout } = await skein(["call", "--help"], folder);
  expect(stdout).toContain("Usage: skein call [options] <file> [tool] [arguments]");
  expect(stdout).toContain(`$ skein call weather.ts getWeather '{"city": "Paris"}'`);
});

test("what the file and the tool print goes to standard error", async () => {
  await writeFile(
    join(folder, "loud.ts"),
    'console.log("loading");\nprocess.on("exit", () => console.log("leaving"));\n/** Shout. */\nexport function shout() {\n  console.log("calling");\n  return { volume: 11 };\n}\n',
  );
  const { stdout, stderr } = await skein(["call", "loud.ts"], folder);
  expect(JSON.parse(stdout)).toEqual({ volume: 11 });
  expect(stderr).toBe("loading\ncalling\nleaving\n");
});
