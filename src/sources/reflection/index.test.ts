import { AsyncResource } from "node:async_hooks";
import { readFile } from "node:fs/promises";
import { deprecate } from "node:util";
import { existsSync, readFileSync } from "node:fs";
import { Session } from "node:inspector";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { expected, expectedTwins, withoutOutput } from "./fixtures/expected.ts";
import anonymousDefault, { functions, twinFunctions } from "./fixtures/functions.ts";
import { describeFunctions } from "./index.ts";
import { printProgram, runProcess } from "./test-process.ts";

beforeEach(() => void vi.stubEnv("SKEIN_CACHE", "off"));
afterEach(() => void vi.unstubAllEnvs());

test("under vitest, functions of all kinds are found, and those that only their place tells apart", async () => {
  const all = [...Object.values(functions), anonymousDefault, ...twinFunctions];
  expect(withoutOutput(await describeFunctions(all))).toEqual([...expected, ...expectedTwins]);
});

test("under --permission, the error says what must be allowed", async () => {
  const { stdout } = await runProcess([process.execPath, "--permission", "--allow-fs-read=*", printProgram]);
  const answers: readonly { readonly error?: string }[] = JSON.parse(stdout);
  expect(answers).toHaveLength(expected.length + expectedTwins.length);
  for (const { error } of answers) {
    expect(error).toContain("--allow-inspector");
    expect(error).toContain("write tool({ name, description, input: schema, execute })");
  }
});

test("returns a separate error, in its place, for each value that is not a plain function of a file", async () => {
  function fine(city: string): string {
    return city;
  }
  function withSymbol(when: symbol): string {
    return String(when);
  }
  // oxlint-disable-next-line no-new-func -- code that comes from no file
  const evaluated = new Function("a", "return a");
  class Kit {
    readonly size: number = 1;
  }
  const descriptions = await describeFunctions([Math.max, evaluated, Kit, withSymbol, fine]);
  expect(descriptions.map((each) => (each instanceof Error ? each.message : each.name))).toEqual([
    expect.stringMatching(/^No schema is found for the function "max": it is built in/),
    expect.stringMatching(/^No schema is found for the function "anonymous": its code comes from no file/),
    expect.stringMatching(/^No schema is found for the function "Kit": it is a class/),
    expect.stringMatching(/parameter "when": a symbol is not JSON.*index\.test\.ts:\d+\)/),
    "fine",
  ]);
});

test("a function of Node's own modules, or one that they return, is named as such, with what to do", async () => {
  const descriptions = await describeFunctions([
    readFile,
    deprecate((city: string) => city, "old"),
    AsyncResource.bind((city: string) => city),
    URL.prototype.toString,
  ]);
  for (const description of descriptions) {
    expect(description).toMatchObject({
      message: expect.stringMatching(
        /: it is a function of Node itself \(node:[\w/]+\), .*Pass a function of your own that calls it, .*"types": \["node"\]/,
      ),
    });
  }
});

test("a function that was renamed is not taken for another", async () => {
  const renamed = Object.defineProperty((city: string): string => city, "name", { value: "elsewhere" });
  const [description] = await describeFunctions([renamed]);
  expect(description).toMatchObject({
    message: expect.stringMatching(/"elsewhere" in .*index\.test\.ts: it has no function of that name/),
    data: { function: "elsewhere", file: expect.stringMatching(/index\.test\.ts$/) },
  });
});

test("a function without a name is named by the start of its text", async () => {
  // oxlint-disable-next-line no-new-func -- code that comes from no file
  const anonymous: Function = new Function(
    "return (text) => text.toUpperCase().padEnd(80).trim().split('').join('-')",
  )();
  const [description] = await describeFunctions([anonymous]);
  expect(description).toMatchObject({
    message: expect.stringContaining(
      "for the function `(text) => text.toUpperCase().padEnd(80).trim().split('').joi...`: its code comes from no file",
    ),
  });
});

const childList = `/proc/${process.pid}/task/${process.pid}/children`;

test.skipIf(!existsSync(childList))(
  "a compiler whose process was ended is started again (where the system lists processes in /proc)",
  async () => {
    const [before] = await describeFunctions([(first: string): string => first]);
    expect(before).toMatchObject({ inputSchema: { required: ["first"] } });
    const children = readFileSync(childList, "utf8").trim().split(" ");
    expect(children).not.toEqual([""]);
    for (const pid of children) process.kill(Number(pid), "SIGKILL");
    const [after] = await describeFunctions([(second: string): string => second]);
    expect(after).toMatchObject({ inputSchema: { required: ["second"] } });
  },
);

test("uses the debugger only where nothing else helps, and never leaves it enabled", async () => {
  const post = vi.spyOn(Session.prototype, "post");
  const disconnect = vi.spyOn(Session.prototype, "disconnect");
  await describeFunctions([(only: string): string => only]);
  const quick = post.mock.calls.map(([method]) => method);
  expect(quick.filter((method) => method.startsWith("Debugger."))).toEqual([]);
  expect(disconnect).toHaveBeenCalledTimes(1);
  // oxlint-disable-next-line no-new-func -- code that comes from no file
  await describeFunctions([new Function("a", "return a")]);
  const thorough = post.mock.calls.map(([method]) => method).slice(quick.length);
  expect(thorough.filter((method) => method.startsWith("Debugger."))).toEqual([
    "Debugger.enable",
    "Debugger.getScriptSource",
    "Debugger.disable",
  ]);
  expect(disconnect).toHaveBeenCalledTimes(3);
});

test("functions created again from the same code are found without a look at all scripts", async () => {
  const make =
    (prefix: string): ((text: string) => string) =>
    (text: string): string =>
      prefix + text;
  await describeFunctions([make("a")]);
  const post = vi.spyOn(Session.prototype, "post");
  expect(await describeFunctions([make("b")])).toMatchObject([{ inputSchema: { required: ["text"] } }]);
  expect(post.mock.calls.filter(([method]) => method.startsWith("Profiler."))).toEqual([]);
});

test("describes a function once, for any number of requests", async () => {
  const [first, second] = await Promise.all([describeFunctions([arrowOf]), describeFunctions([arrowOf])]);
  const [third] = await describeFunctions([arrowOf]);
  expect(first[0]).toBe(second[0]);
  expect(third).toBe(first[0]);
});

const arrowOf = (city: string): string => city;
