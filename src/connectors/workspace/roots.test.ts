import { mkdirSync } from "node:fs";
import { Agent, run, type RunResult } from "skein";
import { ScriptedModel, type ScriptedToolCall } from "skein/testing";
import { workspace } from "skein/toolkits";
import { expect, test } from "vitest";
import { project, textIn, textsOf, use } from "./test-workspace.ts";

/** What an editor adds to the context. */
interface Project {
  readonly editor: { readonly cwd: string };
}

const files = workspace<Project>({ root: ({ context }) => context.editor.cwd });

function runIn(cwd: string, ...calls: readonly ScriptedToolCall[]): Promise<RunResult<Project>> {
  const model = new ScriptedModel([...calls.map((call) => ({ toolCalls: [call] })), "Done."]);
  const agent = new Agent<Project>({ name: "A", model, tools: [files] });
  return run(agent, "Go.", { context: { editor: { cwd } } });
}

test("runs at once work each in the folder of their context", async () => {
  const roots = ["one", "two"].map((name) => project({ "a.md": name, "AGENTS.md": `Project ${name}.` }));
  const results = await Promise.all(
    roots.map((root, index) =>
      runIn(root, use("read", { path: "a.md" }), use("write", { path: "b.md", content: `b${index}` })),
    ),
  );
  expect(results.map((result) => textsOf(result)[0])).toEqual(["one", "two"]);
  expect(roots.map((root) => textIn(root, "b.md"))).toEqual(["b0", "b1"]);
});

test("what was read in one folder is not known of another one", async () => {
  const [one, two] = [project({ "a.md": "one" }), project({ "a.md": "two" })];
  const { state } = await runIn(one, use("read", { path: "a.md" }));
  const model = new ScriptedModel([{ toolCalls: [use("write", { path: "a.md", content: "new" })] }, "Done."]);
  const agent = new Agent<Project>({ name: "A", model, tools: [files] });
  const result = await run(agent, [...state.messages, { role: "user", content: "Go on." }], {
    context: { editor: { cwd: two } },
  });
  expect(textsOf(result)[0]).toContain("has text that you have not read");
  expect(textIn(two, "a.md")).toBe("two");
});

test("a folder that was missing is opened once it is there, and a function may take its time", async () => {
  const parent = project();
  const cwd = `${parent}/later`;
  const tools = [workspace<Project>({ root: async ({ context }) => context.editor.cwd })];
  const model = new ScriptedModel([{ toolCalls: [use("write", { path: "a.md", content: "1" })] }, "Done."]);
  const agent = new Agent<Project>({ name: "A", model, tools });
  const go = (): Promise<unknown> => run(agent, "Go.", { context: { editor: { cwd } } });
  await expect(go()).rejects.toThrow(
    /The root of workspace\(\) cannot be opened: .*later.*Create the folder first\./,
  );
  mkdirSync(cwd);
  await go();
  expect(textIn(cwd, "a.md")).toBe("1");
});

test.each([
  [() => undefined, "root of workspace() returned undefined, and no path."],
  [() => "", "root of workspace() returned"],
  [() => "a\0b", "root of workspace() returned"],
  [({ context }: { readonly context: Project }) => context.editor.cwd, "root of workspace() threw: "],
])("a run whose context leads to no folder ends before a model is called: %o", async (root, words) => {
  const model = new ScriptedModel(["Done."]);
  const failure = run(new Agent<Project>({ name: "A", model, tools: [workspace({ root })] }), "Go.", {
    context: JSON.parse("{}"),
  });
  await expect(failure).rejects.toMatchObject({
    code: "workspace-root",
    message: expect.stringContaining(words),
  });
  await expect(failure).rejects.toThrow(
    'pass what it reads, as in run(agent, input, { context: { editor: { cwd: "./project" } } })',
  );
  expect(model.requests).toEqual([]);
});

test.each([undefined, "", 1, {}])("a root that is neither a path nor a function is an error: %o", (root) => {
  expect(() => workspace({ root: JSON.parse(JSON.stringify(root ?? null)) })).toThrow(
    'root of workspace() must be a path, such as "./project", or a function of the context, not ',
  );
});
