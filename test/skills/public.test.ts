/** Skills that others have written for other products, as they are published: each is listed and loaded whole. */
import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Agent, run, type Message } from "skein";
import { skills } from "skein/skills";
import { FunctionModel } from "skein/testing";

const execute = promisify(execFile);
const root = mkdtempSync(join(tmpdir(), "skein-public-skills-"));
afterAll(() => rm(root, { recursive: true, force: true }));

/** Packages with skills in them, the folder of these, how many there are, and what warnings say. */
const repositories = [
  ["bmad-method", "6.12.0", "src", 50, /^$/],
  ["ecc-universal", "2.0.0", "skills", 197, /the name "[\w-]+" is not that of its folder/],
  [
    "oh-my-opencode",
    "4.19.4",
    "",
    38,
    /is left out: \S+ has the name|the description has|the name "[\w-]+" is not that/,
  ],
  ["claude-skills", "1.0.2", "", 5, /^$/],
] as const;

beforeAll(async () => {
  for (const [name, version] of repositories) {
    // Unpacked, not installed: nothing of them is executed.
    const { stdout } = await execute("npm", ["pack", `${name}@${version}`, "--silent"], { cwd: root });
    const packed = stdout.trim().split("\n").at(-1) ?? "";
    const folder = join(root, name);
    await execute("mkdir", [folder]);
    await execute("tar", ["xzf", join(root, packed), "-C", folder, "--strip-components=1"]);
  }
}, 240_000);

/** Loads every skill that the model can see. */
function loader(names: string[]): FunctionModel {
  return new FunctionModel(({ instructions = "", messages }) => {
    if (messages.at(-1)?.role === "tool") return "Done.";
    names.push(...[...instructions.matchAll(/^- ([^:\n]+):/gm)].map(([, name = ""]) => name));
    return { toolCalls: names.map((name) => ({ toolName: "load_skill", arguments: { name } })) };
  });
}

const textsOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) => {
    const isLoaded = message.role === "tool" && message.result.outcome === "success";
    return isLoaded ? message.result.content.flatMap((part) => (part.type === "text" ? part.text : [])) : [];
  });

test.each(repositories)("%s %s: all skills are listed and loaded", async (name, _, place, count, warning) => {
  const names: string[] = [];
  const tools = [skills(join(root, name, place))];
  const { messages, warnings } = await run(new Agent({ name: "Reader", model: loader(names), tools }), "Go.");
  expect(names.length).toBe(count);
  expect(new Set(names).size).toBe(count);
  expect(textsOf(messages).filter((text) => text.length > 20).length).toBe(count);
  expect(warnings.filter((each) => !warning.test(each))).toEqual([]);
});

test("instructions reach the model as they are written", async () => {
  const folder = join(root, "claude-skills");
  const names: string[] = [];
  const agent = new Agent({ name: "Reader", model: loader(names), tools: [skills(folder)] });
  const { messages } = await run(agent, "Go.");
  const { stdout } = await execute("find", [folder, "-iname", "SKILL.md"]);
  const paths = stdout.trim().split("\n");
  const sources = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  const bodies = sources.map((text) =>
    text
      .replace(/^---\n[\s\S]*?\n---\n/, "")
      .trim()
      .slice(0, 2_000),
  );
  const loaded = textsOf(messages);
  expect(bodies.filter((body) => !loaded.some((text) => text.includes(body)))).toEqual([]);
});
