import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Agent, run, toolset } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel, ScriptedModel, type ScriptedToolCall } from "skein/testing";
import { workspace } from "skein/toolkits";
import { describe, expect, test } from "vitest";
import { fakeTier } from "../../sandbox/test-box.ts";
import { stopAtEveryEvent } from "../toolkits/test-stops.ts";
import { folder, kinds, project, runCalls, textIn, textsOf, use } from "./test-workspace.ts";

describe.each(kinds)("%s", (_, options) => {
  const open = (root: string) => workspace({ root, ...options });

  test("files are read, written, changed, listed and searched", async () => {
    const root = project({ "src/a.ts": "one\ntwo\nthree\n", "src/b.md": "two" });
    const result = await runCalls(
      open(root),
      use("read", { path: "src/a.ts" }),
      use("read", { path: "./src/a.ts", from: 2, lines: 1 }),
      use("write", { path: "lib/deep/new.ts", content: "new\n" }),
      use("edit", {
        path: "src/a.ts",
        edits: [
          { oldText: "one", newText: "1 two" },
          { oldText: "1 two\ntwo", newText: "2" },
        ],
      }),
      use("glob", { pattern: "**/*.ts" }),
      use("grep", { pattern: "t(wo|hree)$" }),
      use("grep", { pattern: "TWO", path: "src/b.md", ignoreCase: true }),
    );
    expect(textsOf(result)).toEqual([
      "one\ntwo\nthree\n",
      "two\n[2 more lines]",
      "Wrote lib/deep/new.ts.",
      "Replaced 2 texts in src/a.ts.",
      "lib/deep/new.ts\nsrc/a.ts\n",
      expect.stringMatching(
        /^(src\/a\.ts:2:three\nsrc\/b\.md:1:two|src\/b\.md:1:two\nsrc\/a\.ts:2:three)\n$/,
      ),
      expect.stringMatching(/^(src\/b\.md:)?1:two\n$/),
    ]);
    expect(textIn(root, "src/a.ts")).toBe("2\nthree\n");
    expect(textIn(root, "lib/deep/new.ts")).toBe("new\n");
  });

  test("if one of several edits does not fit, none is made", async () => {
    const root = project({ "a.txt": "x y y" });
    const edits = [
      { oldText: "x", newText: "z" },
      { oldText: "y", newText: "z" },
    ];
    const result = await runCalls(
      open(root),
      use("edit", { path: "a.txt", edits }),
      use("edit", { path: "a.txt", edits: [{ oldText: "none", newText: "" }] }),
      use("edit", { path: "a.txt", edits: [] }),
      use("edit", { path: "none.txt", edits }),
      use("edit", { path: "a.txt", edits: [{ oldText: "y", newText: "$&", replaceAll: true }] }),
    );
    expect(textsOf(result)).toEqual([
      expect.stringContaining("edits[1]: a.txt contains oldText 2 times"),
      expect.stringContaining("a.txt does not contain oldText. Read the file again."),
      expect.stringContaining("invalid"),
      expect.stringMatching(/none\.txt/),
      "Replaced 2 texts in a.txt.",
    ]);
    expect(textIn(root, "a.txt")).toBe("x $& $&");
  });

  test("a text that overlaps itself occurs more than once", async () => {
    const root = project({ "a.txt": "aaa" });
    const edit = { oldText: "aa", newText: "b" };
    const result = await runCalls(
      open(root),
      use("edit", { path: "a.txt", edits: [edit] }),
      use("edit", { path: "a.txt", edits: [{ ...edit, replaceAll: true }] }),
    );
    expect(textsOf(result)).toEqual([
      expect.stringContaining("contains oldText 2 times"),
      "Replaced 1 text in a.txt.",
    ]);
    expect(textIn(root, "a.txt")).toBe("ba");
  });

  test("the error of an edit of lines that end in CRLF names them", async () => {
    const root = project({ "a.txt": "one\r\ntwo\r\n" });
    const result = await runCalls(
      open(root),
      use("edit", { path: "a.txt", edits: [{ oldText: "one\ntwo", newText: "1" }] }),
      use("edit", { path: "a.txt", edits: [{ oldText: "one\r\ntwo", newText: "1" }] }),
    );
    expect(textsOf(result)).toEqual([
      expect.stringContaining("The lines of a.txt end in \\r\\n: write them so in oldText and newText."),
      "Replaced 1 text in a.txt.",
    ]);
    expect(textIn(root, "a.txt")).toBe("1\r\n");
  });

  test("no path leads out of the folder", async () => {
    const root = project({ "in.txt": "in" });
    writeFileSync(join(folder, "secret.txt"), "secret");
    symlinkSync(folder, join(root, "way"));
    symlinkSync(join(folder, "secret.txt"), join(root, "link.txt"));
    symlinkSync(join(folder, "new.txt"), join(root, "dangling.txt"));
    const paths = [
      "../secret.txt",
      "/etc/passwd",
      "a/../../secret.txt",
      join(folder, "secret.txt"),
      "way/secret.txt",
      "link.txt",
      "dangling.txt",
      "",
      "a\0b",
    ];
    const calls = paths.flatMap((path) => [
      use("read", { path }),
      use("write", { path, content: "planted" }),
      use("edit", { path, edits: [{ oldText: "secret", newText: "planted" }] }),
      use("grep", { path, pattern: "secret" }),
      use("glob", { pattern: path.replace("secret", "*") }),
    ]);
    const result = await runCalls(
      open(root),
      ...calls,
      use("grep", { pattern: "secret" }),
      use("glob", { pattern: "way/*" }),
    );
    for (const message of result.messages) {
      const text = message.role === "tool" ? JSON.stringify(message.result.content) : "";
      expect(text).not.toMatch(/root:x|"secret"|:secret|project-1/);
    }
    expect(readFileSync(join(folder, "secret.txt"), "utf8")).toBe("secret");
    expect(existsSync(join(folder, "new.txt"))).toBe(false);
  });

  test("a file is replaced only by a model that knows all of its text", async () => {
    const root = project({ "a.txt": "one", "long.txt": "1\n2\n3", "empty.txt": "" });
    const write = (path: string, content: string) => use("write", { path, content });
    const result = await runCalls(
      open(root),
      write("a.txt", "two"),
      use("read", { path: "a.txt" }),
      write("a.txt", "two"),
      write("./a.txt", "three"),
      use("edit", { path: "a.txt", edits: [{ oldText: "three", newText: "four" }] }),
      write("a.txt", "five"),
      use("read", { path: "long.txt", lines: 2 }),
      write("long.txt", "1\n2"),
      write("empty.txt", "text"),
      write("long.txt", "1\n2\n3"),
    );
    const refused = expect.stringContaining("has text that you have not read");
    expect(textsOf(result)).toEqual([
      refused,
      "one",
      "Wrote a.txt.",
      "Wrote a.txt.",
      "Replaced 1 text in a.txt.",
      refused,
      "1\n2\n[1 more lines]",
      refused,
      "Wrote empty.txt.",
      "Wrote long.txt.",
    ]);
    expect([textIn(root, "a.txt"), textIn(root, "long.txt")]).toEqual(["four", "1\n2\n3"]);
  });

  test("what was read before a pause, in another run of the conversation, counts; what was changed since does not", async () => {
    const root = project({ "a.txt": "one", "b.txt": "one" });
    const session = memorySession();
    const agent = new Agent({ name: "A", tools: [open(root).prefixed("files")] });
    const turn = (...calls: readonly ScriptedToolCall[]) =>
      new ScriptedModel([{ toolCalls: calls }, "Done."]);
    const read = turn(use("files_read", { path: "a.txt" }), use("files_read", { path: "b.txt" }));
    await run(agent, "Read.", { session, model: read });
    writeFileSync(join(root, "b.txt"), "changed");
    const write = turn(
      use("files_write", { path: "a.txt", content: "two" }),
      use("files_write", { path: "b.txt", content: "two" }),
    );
    await run(agent, "Write.", { session, model: write });
    expect([textIn(root, "a.txt"), textIn(root, "b.txt")]).toEqual(["two", "changed"]);
  });

  test("what git would run is not written", async () => {
    const root = project({
      ".git/config": "[core]",
      "sub/.GIT": "gitdir: ../.git/modules/sub",
      "real/a.txt": "one",
    });
    const links = {
      way: ".git",
      "deep/way": "../.git",
      file: ".git/config",
      "of-sub": "sub/.GIT",
      new: ".git/hooks/x",
    };
    mkdirSync(join(root, "deep"));
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
    symlinkSync("real", join(root, "harmless"));
    const edits = [{ oldText: "core", newText: "alias" }];
    const result = await runCalls(
      open(root),
      use("write", { path: ".git/hooks/pre-commit", content: "x" }),
      use("write", { path: "sub/.GIT/config", content: "x" }),
      use("edit", { path: ".git/config", edits }),
      use("edit", { path: "way/config", edits }),
      use("write", { path: "way/hooks/deep/pre-commit", content: "x" }),
      use("write", { path: "deep/way/index.lock", content: "x" }),
      use("edit", { path: "file", edits }),
      use("edit", { path: "of-sub", edits: [{ oldText: "..", newText: "/tmp" }] }),
      use("read", { path: ".git/config" }),
      use("edit", { path: "harmless/a.txt", edits: [{ oldText: "one", newText: "two" }] }),
      use("write", { path: ".gitignore", content: "x" }),
      use("write", { path: "new", content: "x" }),
    );
    const texts = textsOf(result);
    const names = ["GIT~1", "git~12", ".git.", ".GIT. .", ".git::$INDEX_ALLOCATION", ".g\u200bit", ".git "];
    const others = await runCalls(
      open(root),
      ...names.map((name) => use("write", { path: `sub/${name}/config`, content: "x" })),
    );
    for (const text of textsOf(others)) expect(text).toContain("is not written with this tool");
    for (const text of texts.slice(0, 8)) expect(text).toContain("is not written with this tool");
    expect(texts.slice(8, 11)).toEqual(["[core]", "Replaced 1 text in harmless/a.txt.", "Wrote .gitignore."]);
    expect(textIn(root, ".git/config")).toBe("[core]");
    expect(textIn(root, "sub/.GIT")).toBe("gitdir: ../.git/modules/sub");
    expect(readdirSync(join(root, ".git"))).toEqual(["config"]);
  });
});

test("without a sandbox there is no shell", async () => {
  const model = new ScriptedModel(["Done."]);
  await run(new Agent({ name: "A", model, tools: [workspace({ root: project() })] }), "Go.");
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual([
    "read",
    "write",
    "edit",
    "glob",
    "grep",
  ]);
});

test("commands wait for an approval, unless the program says otherwise", async () => {
  const root = project();
  const { via, notes } = fakeTier({ stdout: "ok" });
  const call = use("bash", { command: "make" });
  expect((await runCalls(workspace({ root, sandbox: { via } }), call)).status).toBe("paused");
  const approval = ({ command }: { readonly command: string }): boolean => command !== "make";
  expect((await runCalls(workspace({ root, sandbox: { via }, approval }), call)).status).toBe("completed");
  expect(notes.filter(({ argv }) => argv.includes("make"))).toHaveLength(1);
});

test("a command and a tool see the same files, in a box that ends at the folder", async () => {
  const root = project({ "a.txt": "one" });
  const kit = workspace({ root, sandbox: { env: { GREETING: "hello" } }, approval: false });
  const result = await runCalls(
    kit,
    use("read", { path: "/work/a.txt" }),
    use("bash", { command: `echo two > a.txt; echo $GREETING; cat ${join(folder, "secret.txt")}` }),
    use("write", { path: "a.txt", content: "three" }),
  );
  const [read, bash, write] = textsOf(result);
  expect(read).toBe("one");
  expect(bash).toMatch(/^hello\n\[stderr\]\n.*No such file/);
  expect(write).toContain("changed since");
  expect(textIn(root, "a.txt")).toBe("two\n");
  await kit.close();
});

test("in a box that cannot be, nothing runs, and nothing is read", async () => {
  const root = project({ "a.txt": "x" });
  const kit = workspace({ root, sandbox: { via: { container: "skein-no-engine", image: "none" } } });
  await expect(runCalls(kit, use("read", { path: "a.txt" }))).rejects.toThrow(/cannot run programs here/);
});

test("a mistake in the options is an error at once, or in the first run", async () => {
  const root = project();
  const wrong = (options: unknown) => () => workspace(JSON.parse(JSON.stringify(options)));
  expect(wrong({})).toThrow("root of workspace()");
  expect(wrong({ root: "" })).toThrow("root of workspace()");
  expect(wrong({ root, sandbox: "yes" })).toThrow("sandbox of workspace()");
  expect(wrong({ root, approval: "no" })).toThrow("approval of workspace()");
  expect(wrong({ root, agentsFile: "no" })).toThrow("agentsFile of workspace()");
  expect(wrong({ root, shell: true })).toThrow('no option "shell"');
  await expect(runCalls(workspace({ root: join(root, "none") }))).rejects.toThrow("Create the folder first");
  writeFileSync(join(root, "file"), "x");
  await expect(runCalls(workspace({ root: join(root, "file") }))).rejects.toThrow("is not a folder");
  const sandbox: object = { nonsense: true };
  await expect(runCalls(workspace({ root, sandbox }))).rejects.toThrow('no option "nonsense"');
});

test("changes of one file at once lose nothing, and leave no other file", async () => {
  const root = project({ "many.txt": "1 2 3 4 5 6" });
  const calls = ["1", "2", "3", "4", "5", "6"].map((oldText) =>
    use("edit", { path: "many.txt", edits: [{ oldText, newText: "x" }] }),
  );
  const model = new ScriptedModel([{ toolCalls: calls }, "Done."]);
  const tools = [toolset([workspace({ root })])];
  await run(new Agent({ name: "A", model, tools }), "Go.");
  expect(textIn(root, "many.txt")).toBe("x x x x x x");
  expect(readdirSync(root)).toEqual(["many.txt"]);
});

test.each([
  [false, false],
  [true, true],
  [false, true],
])("changes of one file by workspaces within each other lose nothing; boxes: %s, %s", async (...boxes) => {
  const root = project({ "pkg/f.txt": "one=0;\ntwo=0;\nthree=0;\n" });
  const link = `${root}-link`;
  symlinkSync(join(root, "pkg"), link);
  const kits = [
    [workspace({ root, sandbox: boxes[0] }), "pkg/f.txt", "one"],
    [workspace({ root: join(root, "pkg"), sandbox: boxes[1] }), "f.txt", "two"],
    [workspace({ root: link }), "f.txt", "three"],
  ] as const;
  await Promise.all(
    kits.map(async ([kit, path, word]) => {
      await runCalls(kit, use("edit", { path, edits: [{ oldText: `${word}=0`, newText: `${word}=1` }] }));
      await kit.close();
    }),
  );
  expect(textIn(root, "pkg/f.txt")).toBe("one=1;\ntwo=1;\nthree=1;\n");
});

test("what the system refuses is reported without paths of the machine", async () => {
  const root = project({ "a.txt": "x", "sub/b.txt": "x" });
  symlinkSync("loop", join(root, "loop"));
  const result = await runCalls(
    workspace({ root }),
    use("write", { path: "a.txt/b.txt", content: "x" }),
    use("write", { path: "sub", content: "x" }),
    use("write", { path: "loop/x", content: "x" }),
    use("edit", { path: "loop/x", edits: [{ oldText: "x", newText: "y" }] }),
    use("read", { path: "loop/x" }),
    use("grep", { path: "loop/x", pattern: "x" }),
  );
  for (const text of textsOf(result)) {
    expect(text).toMatch(/(loop\/x|a\.txt\/b\.txt|sub) (cannot be (written|read)|is not a file)|has no file/);
    expect(text).not.toContain(root);
  }
});

test("a file keeps its mode", async () => {
  const root = project();
  writeFileSync(join(root, "run.sh"), "one", { mode: 0o755 });
  await runCalls(
    workspace({ root }),
    use("edit", { path: "run.sh", edits: [{ oldText: "one", newText: "two" }] }),
  );
  expect([textIn(root, "run.sh"), statSync(join(root, "run.sh")).mode & 0o777]).toEqual(["two", 0o755]);
});

test("wherever a run is stopped, the files are as the calls that succeeded have left them", async () => {
  const texts = ["one", "two", "three"];
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    const text = last?.role === "tool" ? JSON.stringify(last.result.content) : "";
    if (last?.role !== "tool" || !text.includes('"text":"log'))
      return { toolCalls: [use("read", { path: "log.txt" })] };
    const next = texts.find((each) => !text.includes(each));
    if (next === undefined) return "Done.";
    return {
      toolCalls: [use("edit", { path: "log.txt", edits: [{ oldText: "end", newText: `${next} end` }] })],
    };
  });
  const events = await stopAtEveryEvent(
    () => {
      const root = project({ "log.txt": "log: end" });
      return { root, agent: new Agent({ name: "A", model, tools: [workspace({ root })] }) };
    },
    ({ root }) => {
      expect(textIn(root, "log.txt")).toBe("log: one two three end");
      expect(readdirSync(root)).toEqual(["log.txt"]);
    },
  );
  expect(events).toBeGreaterThan(40);
});
