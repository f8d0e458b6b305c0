import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Agent, executeToolCalls, run, type RunEvent, type ToolResult } from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { memory } from "skein/toolkits";
import { describe, expect, test } from "vitest";
import { call, commands, path, places } from "./test-memory.ts";

/** What the model reads of a result. */
const resultText = ({ content }: Pick<ToolResult, "content">): string =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("\n");

/** A file that is neither a folder nor a database. */
function fileAt(file: string): string {
  writeFileSync(file, "not a database at all".repeat(100));
  return file;
}

describe.each(places)("in %s", (_, place) => {
  test("commands answer in the form that models know", async () => {
    const kit = memory(place());
    const texts = await commands(
      kit,
      { command: "view", path: "/memories" },
      { command: "create", path: "/memories/tone.md", file_text: "Be brief.\nUse euros.\n" },
      { command: "str_replace", path: "/memories/tone.md", old_str: "euros", new_str: "pounds" },
      { command: "insert", path: "/memories/tone.md", insert_line: 0, insert_text: "# Tone\n" },
      { command: "view", path: "/memories/tone.md" },
      { command: "view", path: "/memories/tone.md", view_range: [2, -1] },
      { command: "create", path: "/memories/people/ana/notes.md", file_text: "Likes geese." },
      { command: "rename", old_path: "/memories/people", new_path: "/memories/friends" },
      { command: "view", path: "/memories/" },
      { command: "delete", path: "/memories/friends" },
      { command: "view", path: "/memories" },
    );
    const header =
      "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:";
    expect(texts).toEqual([
      `${header}\n0B\t/memories`,
      "File created successfully at: /memories/tone.md",
      "The memory file has been edited. Here's a snippet of /memories/tone.md with line numbers:\n     1\tBe brief.\n     2\tUse pounds.",
      "The file /memories/tone.md has been edited.",
      "Here's the content of /memories/tone.md with line numbers:\n     1\t# Tone\n     2\tBe brief.\n     3\tUse pounds.",
      "Here's the content of /memories/tone.md with line numbers:\n     2\tBe brief.\n     3\tUse pounds.",
      "File created successfully at: /memories/people/ana/notes.md",
      "Successfully renamed /memories/people to /memories/friends",
      `${header}\n41B\t/memories\n12B\t/memories/friends/\n12B\t/memories/friends/ana/\n29B\t/memories/tone.md`,
      "Successfully deleted /memories/friends",
      `${header}\n29B\t/memories\n29B\t/memories/tone.md`,
    ]);
    await kit.close();
  });

  test("what cannot be done changes nothing, and the model reads why", async () => {
    const kit = memory(place());
    const texts = await commands(
      kit,
      { command: "create", path: "/memories/a.md", file_text: "one\none\n" },
      { command: "create", path: "/memories/a.md", file_text: "one\none\n" },
      { command: "create", path: "/memories/a.md", file_text: "two" },
      { command: "create", path: "/memories/a.md/b.md", file_text: "two" },
      { command: "create", path: "/memories/b.md" },
      { command: "str_replace", path: "/memories/a.md", old_str: "one", new_str: "two" },
      { command: "str_replace", path: "/memories/a.md", old_str: "three", new_str: "two" },
      { command: "insert", path: "/memories/a.md", insert_line: 3, insert_text: "x" },
      { command: "view", path: "/memories/a.md", view_range: [4, 9] },
      { command: "view", path: "/memories/none" },
      { command: "delete", path: "/memories/none" },
      { command: "delete", path: "/memories" },
      { command: "rename", old_path: "/memories/a.md", new_path: "/memories/a.md/c" },
      { command: "view", path: "/memories/a.md" },
    );
    expect(texts).toEqual([
      "File created successfully at: /memories/a.md",
      "File created successfully at: /memories/a.md",
      expect.stringContaining("Error: File /memories/a.md already exists."),
      expect.stringContaining("/memories/a.md is a file, so nothing can be in it."),
      expect.stringContaining("needs `file_text`"),
      expect.stringContaining(
        "Multiple occurrences of old_str `one` in lines: 1, 2. Please ensure it is unique.",
      ),
      expect.stringContaining("old_str `three` did not appear verbatim in /memories/a.md."),
      expect.stringContaining("It should be within the range of lines of the file: [0, 2]."),
      expect.stringContaining("has the lines 1 to 2."),
      expect.stringContaining("The path /memories/none does not exist. Please provide a valid path."),
      expect.stringContaining("The path /memories/none does not exist."),
      expect.stringContaining("is the folder of all memories"),
      expect.stringContaining("cannot be moved into itself"),
      expect.stringContaining("     1\tone\n     2\tone"),
    ]);
    await kit.close();
  });

  test("no path leads out of it", async () => {
    const kit = memory(place());
    const paths = [
      "/etc/passwd",
      "memories/a",
      "/memories/../a",
      "/memories/a/../../b",
      "/memories/%2e%2e/a",
      "/memories/..%2fa",
      "/memories/%5c..%5ca",
      "/memories/a\\..\\b",
      "/memories//a",
      "/memories/./a",
      "/memories/.hidden",
      "/memories/a\0b",
      "/memories/a\nb",
      "/memories/a\u200bb",
      "/memories/c:a",
      "/memoriesx/a",
      "/memories/ a",
      "/memories/a.",
      `/memories/${"a/".repeat(9)}a`,
      `/memories/${"a".repeat(101)}`,
      "",
    ];
    const texts = await commands(
      kit,
      ...paths.map((each) => ({ command: "create", path: each, file_text: "x" })),
      ...paths.map((each) => ({ command: "view", path: each })),
    );
    for (const [index, text] of texts.entries())
      expect([paths[index % paths.length], text]).toEqual([
        paths[index % paths.length],
        expect.stringContaining("Invalid path"),
      ]);
    await kit.close();
  });

  test("an owner has nothing of another one, and without one there is no memory", async () => {
    const model = new FunctionModel(({ messages }) => {
      const last = messages.at(-1);
      if (last?.role !== "tool") return { toolCalls: create.slice(0, 1) };
      return last.result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    });
    const create = [
      {
        toolName: "memory",
        arguments: { command: "create", path: "/memories/a.md", file_text: "secret geese" },
      },
      { toolName: "search_memory", arguments: { query: "geese" } },
      { toolName: "memory", arguments: { command: "view", path: "/memories/a.md" } },
    ];
    const kit = memory<{ user?: string }>(place(), { owner: ({ user }) => user });
    const agent = new Agent<{ user?: string }>({ name: "A", model, tools: [kit] });
    const read = new ScriptedModel([{ toolCalls: create.slice(1) }, "Done."]);
    expect((await run(agent, "Go.", { context: { user: "Ann" } })).text).toContain("File created");
    for (const context of [{ user: "ann" }, { user: "Ann/" }, { user: "../Ann" }, { user: "%" }]) {
      const { messages } = await run(agent, "Go.", {
        context,
        model: new ScriptedModel([{ toolCalls: create.slice(1) }, "Done."]),
      });
      expect(JSON.stringify(messages.filter(({ role }) => role === "tool"))).not.toContain("secret");
    }
    for (const context of [{}, { user: "" }, { user: "\ud800" }, { user: "a\0b" }])
      expect((await run(agent, "Go.", { context })).text).toContain("does not say whose it is");
    const { messages } = await run(agent, "Go.", { context: { user: "Ann" }, model: read });
    expect(JSON.stringify(messages)).toContain("/memories/a.md: secret geese");
    await kit.close();
  });

  test("words are found, whatever else a query has", async () => {
    const kit = memory(place());
    await commands(
      kit,
      {
        command: "create",
        path: "/memories/birds.md",
        file_text: `${"so on ".repeat(60)}\nGrey geese fly south in autumn.\n`,
      },
      { command: "create", path: "/memories/geese/food.md", file_text: "They eat grass. Résumé." },
      { command: "create", path: "/memories/cars.md", file_text: "NEAR and OR, NOT words of a query." },
    );
    const search = async (query: string, limit = 5): Promise<string> =>
      (await call(kit, ["search_memory", { query, limit }]))[0] ?? "";
    expect(await search("goose geese")).toMatch(
      /^\/memories\/geese\/food\.md: .*\n\/memories\/birds\.md: .*Grey geese fly/,
    );
    expect(await search("geese", 1)).toMatch(/^\/memories\/geese\/food\.md: [^\n]*$/);
    expect(await search("autum")).toContain("birds.md");
    expect(await search("trains")).toBe("No file matches.");
    for (const query of ['"', "* OR", 'path : "x"', "'; DROP TABLE skein_memory; --", "NEAR(a b)", "^", "()"])
      expect([query, await search(query)]).toEqual([query, expect.not.stringContaining("failed")]);
    await commands(kit, { command: "delete", path: "/memories/birds.md" });
    expect(await search("autumn")).toBe("No file matches.");
    await kit.close();
  });

  test("it has an end", async () => {
    const kit = memory(place());
    const large = "x".repeat(100_000);
    const files = Array.from({ length: 51 }, (_each, index) => ({
      command: "create",
      path: `/memories/${index}`,
      file_text: large,
    }));
    const texts = await commands(kit, ...files);
    expect(texts.filter((text) => text.startsWith("File created"))).toHaveLength(50);
    expect(texts.at(-1)).toContain("The memory is full");
    const [added, cut, long] = await commands(
      kit,
      { command: "insert", path: "/memories/1", insert_line: 1, insert_text: "more" },
      { command: "view", path: "/memories/1" },
      { command: "create", path: "/memories/long", file_text: `${large}x` },
    );
    expect(added).toContain("A file has 100000 characters at most");
    expect(cut?.length).toBeLessThan(41_000);
    expect(long).toContain("expected at most 100000 characters");
    await kit.close();
  });

  test("the calls of an answer follow each other", async () => {
    const kit = memory(place());
    await commands(kit, { command: "create", path: "/memories/a.md", file_text: "begin\n" });
    const calls = Array.from({ length: 8 }, (_each, index) => ({
      toolCallId: `${index}`,
      toolName: "memory",
      arguments: JSON.stringify({
        command: "insert",
        path: "/memories/a.md",
        insert_line: 1,
        insert_text: `line ${index}`,
      }),
    }));
    const results = await executeToolCalls(calls, [kit]);
    const done = results.flatMap(({ outcome, toolCallId }) =>
      outcome === "success" ? [`line ${toolCallId}`] : [],
    );
    expect(done.length).toBeGreaterThan(3);
    const [text = ""] = await commands(kit, { command: "view", path: "/memories/a.md" });
    expect(text.match(/line \d/g)?.toSorted()).toEqual(done);
    await kit.close();
  });

  test("a search sees what the calls before it in its answer have changed", async () => {
    const kit = memory(place());
    const search = { toolCallId: "2", toolName: "search_memory", arguments: '{"query":"zebra"}' };
    const searchAfter = async (input: object): Promise<string> => {
      const change = { toolCallId: "1", toolName: "memory", arguments: JSON.stringify(input) };
      const [, outcome] = await executeToolCalls([change, search], [kit]);
      return outcome ? resultText(outcome) : "";
    };
    const create = { command: "create", path: "/memories/a.md", file_text: "zebra" };
    expect(await searchAfter(create)).toBe("/memories/a.md: zebra");
    expect(await searchAfter({ command: "delete", path: "/memories/a.md" })).toBe("No file matches.");
    await kit.close();
  });
});

test("a folder's links are not followed, and its files are for people, too", async () => {
  const root = path();
  const kit = memory({ folder: root });
  await commands(kit, { command: "create", path: "/memories/a/b.md", file_text: "text" });
  expect(readFileSync(join(root, "a/b.md"), "utf8")).toBe("text");
  const outside = path();
  mkdirSync(outside);
  writeFileSync(join(outside, "key"), "secret");
  symlinkSync(outside, join(root, "way"));
  symlinkSync(join(outside, "key"), join(root, "link"));
  const texts = await commands(
    kit,
    { command: "view", path: "/memories" },
    { command: "view", path: "/memories/link" },
    { command: "view", path: "/memories/way/key" },
    { command: "create", path: "/memories/way/new", file_text: "x" },
    { command: "create", path: "/memories/link", file_text: "x" },
    { command: "rename", old_path: "/memories/a", new_path: "/memories/way/a" },
  );
  expect(texts[0]).not.toMatch(/link|way/);
  for (const text of texts.slice(1)) expect(text).toContain("is reached by a link");
  expect(readdirSync(outside)).toEqual(["key"]);
  expect(readFileSync(join(outside, "key"), "utf8")).toBe("secret");
  await commands(kit, { command: "delete", path: "/memories/a" });
  expect(readdirSync(root).filter((name) => !name.startsWith("."))).toEqual(["link", "way"]);
});

test("what is deleted is not in the database any more", async () => {
  const file = path();
  const kit = memory({ sqlite: file });
  const text = "geese-8d2f61";
  await commands(
    kit,
    { command: "create", path: "/memories/a.md", file_text: text },
    { command: "delete", path: "/memories/a.md" },
  );
  await kit.close();
  expect(readFileSync(file).includes("8d2f61")).toBe(false);
});

test("its instructions are the same in every request", async () => {
  const kit = memory({ sqlite: ":memory:" });
  const model = new ScriptedModel([
    {
      toolCalls: [
        { toolName: "memory", arguments: { command: "create", path: "/memories/a", file_text: "x" } },
      ],
    },
    "Done.",
  ]);
  await run(new Agent({ name: "A", instructions: "Help.", model, tools: [kit] }), "Go.");
  const [first, second] = model.requests;
  expect(first?.instructions).toMatch(/^Help\.\n\nYou have a memory in \/memories/);
  expect([second?.instructions, second?.tools]).toEqual([first?.instructions, first?.tools]);
  await kit.close();
});

test("what is deleted or replaced is gone from all files of a database, while it is open", async () => {
  const folder = path();
  mkdirSync(folder);
  const kit = memory({ sqlite: join(folder, "m.db") });
  const texts = () => readdirSync(folder).map((file) => readFileSync(join(folder, file), "latin1"));
  await commands(
    kit,
    { command: "create", path: "/memories/a.md", file_text: "zqxsecretzqx of Ana" },
    { command: "create", path: "/memories/b.md", file_text: "kept qzxsecretqzx" },
  );
  expect(texts().join("")).toMatch(/zqxsecretzqx[^]*qzxsecretqzx/);
  await commands(
    kit,
    { command: "delete", path: "/memories/a.md" },
    { command: "str_replace", path: "/memories/b.md", old_str: " qzxsecretqzx", new_str: "" },
  );
  expect(texts().join("")).not.toMatch(/zqxsecret|qzxsecret/);
  expect(texts().join("")).toContain("kept");
  await kit.close();
});

test("a deletion is done while another connection reads, and its text is gone with the next change", async () => {
  const folder = path();
  mkdirSync(folder);
  const kit = memory({ sqlite: join(folder, "m.db") });
  await commands(kit, { command: "create", path: "/memories/a.md", file_text: "zqxsecretzqx" });
  const reader = new DatabaseSync(join(folder, "m.db"));
  reader.exec("BEGIN; SELECT count(*) FROM skein_memory");
  const [deleted] = await commands(kit, { command: "delete", path: "/memories/a.md" });
  expect(deleted).toBe("Successfully deleted /memories/a.md");
  reader.exec("COMMIT");
  reader.close();
  await commands(kit, { command: "create", path: "/memories/b.md", file_text: "other" });
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "latin1"));
  expect(texts.join("")).not.toContain("zqxsecret");
  await kit.close();
});

test("a file that cannot be read as text is left out of a search, with a note", async () => {
  const folder = path();
  const kit = memory({ folder });
  const search = ["search_memory", { query: "prices" }] as const;
  await commands(kit, { command: "create", path: "/memories/a.md", file_text: "prices in euros" });
  writeFileSync(join(folder, "logo.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]));
  const [some] = await call(kit, search);
  expect(some).toBe("/memories/a.md: prices in euros\n[not searched: /memories/logo.png is not a text.]");
  await commands(kit, { command: "delete", path: "/memories/a.md" });
  const [none] = await call(kit, search);
  expect(none).toBe("No file matches.\n[not searched: /memories/logo.png is not a text.]");
});

test.each([
  ["a database in a folder that is not there", () => ({ sqlite: join(path(), "none", "x.db") })],
  ["a database that is not one", () => ({ sqlite: fileAt(path()) })],
  ["a folder in a file", () => ({ folder: join(fileAt(path()), "memory") })],
])("%s fails without its path, which the program learns", async (_, place) => {
  const create = { command: "create", path: "/memories/a.md", file_text: "x" };
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "memory", arguments: create }] }, "Done."]);
  const ends: RunEvent[] = [];
  await run(new Agent({ name: "Clerk", model, tools: [memory(place())] }), "Go.", {
    onEvent: (event) => void (event.type === "tool-end" && ends.push(event)),
  });
  const text = expect.stringMatching(
    /^memory failed: The memory cannot be used: [A-Z_]+\. Continue without it\.$/,
  );
  expect(ends).toMatchObject([
    { result: { content: [{ text }] }, error: expect.objectContaining({ cause: expect.any(Error) }) },
  ]);
});

test("a file in the place of a folder is an error, not an empty memory", async () => {
  const kit = memory({ folder: fileAt(path()) });
  const texts = await call(
    kit,
    ["search_memory", { query: "x" }],
    ["memory", { command: "view", path: "/memories" }],
    ["memory", { command: "create", path: "/memories/a.md", file_text: "x" }],
  );
  const words = "failed: The memory cannot be used: its place is a file, not a folder.";
  for (const text of texts) expect(text).toContain(words);
});

test("a text that overlaps itself occurs more than once", async () => {
  const [, replaced] = await commands(
    memory({ sqlite: ":memory:" }),
    { command: "create", path: "/memories/a.md", file_text: "aaa" },
    { command: "str_replace", path: "/memories/a.md", old_str: "aa", new_str: "b" },
  );
  expect(replaced).toContain("Multiple occurrences");
});
