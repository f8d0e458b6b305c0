import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent, run, type ModelRequest, type ToolSource } from "skein";
import { codeMode } from "skein/code";
import { skills } from "skein/skills";
import { ScriptedModel, type ScriptedTurn } from "skein/testing";
import { describe, expect, test } from "vitest";
import { callTool, textOf } from "../sandbox/test-box.ts";
import { addFiles, folderOf, listing, skillText } from "./test-skills.ts";

/** Skills in the shapes of public repositories. */
const desk = fileURLToPath(new URL("fixtures/desk", import.meta.url));

const call = (toolName: string, args: object): ScriptedTurn => ({
  toolCalls: [{ toolName, arguments: { ...args } }],
});

async function requestsOf(
  source: ToolSource,
  turns: readonly ScriptedTurn[],
): Promise<readonly ModelRequest[]> {
  const model = new ScriptedModel([...turns, { text: "Done." }]);
  await run(new Agent({ name: "Clerk", instructions: "Be brief.", model, tools: [source] }), "Go.");
  return model.requests;
}

const namesOf = async (source: ToolSource): Promise<readonly string[]> =>
  (await requestsOf(source, []))[0]?.tools?.map(({ name }) => name) ?? [];

describe("what a model sees of skills", () => {
  test("is one line each, below the agent's instructions", async () => {
    const [request] = await requestsOf(skills(desk, { functions: true }), []);
    expect(request?.instructions?.split("\n")).toEqual([
      "Be brief.",
      "",
      expect.stringMatching(/^Skills are instructions for certain tasks/),
      "- invoices: Checks and totals invoices of suppliers: line items, VAT, due dates. Use it when a bill, an invoice or an open payment is mentioned.",
      "- trips: Plans business trips. TRIGGER: trains, hotels, expenses of a journey.",
      "- template-skill: Replace this line by what the skill does, and when to use it.",
    ]);
    expect(request?.tools?.map(({ name }) => name)).toEqual([
      "load_skill",
      "read_skill_file",
      "call_skill_tool",
    ]);
    expect(request?.tools?.[0]?.inputSchema).toMatchObject({
      properties: { name: { enum: ["invoices", "trips", "template-skill"] } },
    });
  });

  test("stays the same, byte for byte, whatever it loads, reads and calls", async () => {
    const requests = await requestsOf(skills(desk, { functions: true, sandbox: { via: () => noBox } }), [
      call("load_skill", { name: "invoices" }),
      call("read_skill_file", { name: "invoices", path: "references/vat.md" }),
      call("call_skill_tool", { name: "invoices", tool: "addVat", arguments: { net: 100, rate: 7 } }),
      call("load_skill", { name: "trips" }),
    ]);
    const prefixes = requests.map(({ instructions, tools }) => JSON.stringify({ instructions, tools }));
    expect(prefixes).toHaveLength(5);
    expect(new Set(prefixes).size).toBe(1);
  });

  test("is there without instructions of the agent's own, and among tools of code mode", async () => {
    const model = new ScriptedModel(["Done.", "Done."]);
    await run(new Agent({ name: "Clerk", model, tools: [skills(desk, { functions: true })] }), "Go.");
    const inCode = codeMode([skills(desk, { functions: true })], { check: false });
    await run(new Agent({ name: "Clerk", model, tools: [inCode] }), "Go.");
    expect(model.requests[0]?.instructions).toMatch(/^Skills are instructions/);
    expect(model.requests[1]?.instructions).toBe(model.requests[0]?.instructions);
  });

  test("can be filtered and renamed: a text goes with its tool", async () => {
    const [reading] = await requestsOf(skills(desk, { functions: true }).filtered(["read_skill_file"]), []);
    expect(reading?.instructions).toBe("Be brief.");
    const prefixed = skills(desk, { functions: true }).prefixed("desk");
    expect(await namesOf(prefixed)).toEqual([
      "desk_load_skill",
      "desk_read_skill_file",
      "desk_call_skill_tool",
    ]);
    const text = textOf(await callTool(prefixed, "desk_load_skill", { name: "invoices" }));
    expect(text).toContain("for desk_read_skill_file: references/vat.md, scripts/sum.sh");
    expect(text).toContain("Tools of this skill, for desk_call_skill_tool:");
    const { content } = await callTool(prefixed, "desk_call_skill_tool", {
      name: "invoices",
      tool: "addVat",
      arguments: { net: 10, rate: 19 },
    });
    expect(content).toEqual([{ type: "text", text: "11.90" }]);
  });
});

/** A sandbox in which nothing happens. */
const noBox = {
  exec: async () => ({ exitCode: 0, stdout: "", stderr: "" }),
  read: async () => new Uint8Array(),
  write: async () => {},
  close: async () => {},
};

describe("a skill that is loaded", () => {
  test("is its instructions, and what else it has", async () => {
    const text = textOf(
      await callTool(skills(desk, { functions: true }), "load_skill", { name: "invoices" }),
    );
    expect(text.split("\n")).toEqual([
      "# Invoices",
      "",
      "1. Read `references/vat.md` for the rates.",
      "2. Add up the lines with `addVat`.",
      "3. Report the total with two decimals.",
      "",
      "Files of this skill, for read_skill_file: references/vat.md, scripts/sum.sh",
      "",
      "Its scripts can be read here, but not run.",
      "",
      "Tools of this skill, for call_skill_tool:",
      expect.stringMatching(
        /^- addVat: Add value-added tax to a net amount\. Arguments: \{"type":"object",.*"enum":\[7,19\]/,
      ),
      expect.stringMatching(/^- pay: Pay an invoice\. Arguments: /),
    ]);
  });

  test("is named by a similar name, where it is unknown", async () => {
    const { isError, content } = await callTool(skills(desk, { functions: true }), "load_skill", {
      name: "invoice",
    });
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining("invoices")]);
    const reading = await callTool(skills(desk, { functions: true }), "read_skill_file", {
      name: "invoice",
      path: "a",
    });
    expect(textOf(reading)).toContain('Unknown skill "invoice". Similar: invoices.');
  });

  test("is read in parts where it is long", async () => {
    const lines = Array.from(
      { length: 3_000 },
      (_, index) => `Line ${index} of a long skill, of many words.`,
    );
    const folder = await folderOf({
      "long/SKILL.md": skillText("long", "Long.", "compatibility: Needs git.\n", lines.join("\n")),
    });
    const text = textOf(await callTool(skills(folder), "load_skill", { name: "long" }));
    const [, rest, from] =
      /\[(\d+) more lines\. Read the rest with read_skill_file: path "SKILL\.md", from (\d+)\.\]/.exec(
        text,
      ) ?? [];
    expect(text.length).toBeLessThan(41_000);
    expect(text).toContain("Needs: Needs git.");
    const next = textOf(
      await callTool(skills(folder), "read_skill_file", {
        name: "long",
        path: "SKILL.md",
        from: Number(from),
      }),
    );
    expect(next.split("\n")[0]).toBe(lines[3_000 - Number(rest)]);
    expect(next).toMatch(/\[\d+ more lines\. Go on with from: \d+\.\]$/);
    const some = { name: "long", path: "SKILL.md", from: 7, lines: 2 };
    expect(textOf(await callTool(skills(folder), "read_skill_file", some))).toBe(
      `${lines[0]}\n${lines[1]}\n[2998 more lines. Go on with from: 9.]`,
    );
    const beyond = await callTool(skills(folder), "read_skill_file", { ...some, from: 9_999 });
    expect(textOf(beyond)).toContain("SKILL.md has 3006 lines.");
  });

  test("has no characters that a reader does not see, and no line without an end", async () => {
    const body = `Be\u200B kind.\u{E0041}\n${"x".repeat(50_000)}`;
    const folder = await folderOf({ "odd/SKILL.md": skillText("odd", "Odd.", "", body) });
    const text = textOf(await callTool(skills(folder), "load_skill", { name: "odd" }));
    expect(text.startsWith("Be kind.\n")).toBe(true);
    expect(text).toContain("Read the rest");
    const line = textOf(
      await callTool(skills(folder), "read_skill_file", { name: "odd", path: "SKILL.md", from: 7 }),
    );
    expect(line).toBe(`${"x".repeat(40_000)} [cut]`);
  });

  test("lists two hundred of its files", async () => {
    const files = Array.from({ length: 250 }, (_, index) => [
      `many/data/${String(index).padStart(3, "0")}.csv`,
      "a",
    ]);
    const folder = await folderOf({
      "many/SKILL.md": skillText("many", "Many."),
      ...Object.fromEntries(files),
    });
    const text = textOf(await callTool(skills(folder), "load_skill", { name: "many" }));
    expect(text).toContain("data/000.csv, data/001.csv");
    expect(text).toContain("data/199.csv and 50 more");
  });
});

describe("where skills are looked for", () => {
  test("at any depth, in hidden folders too, small or capital, but not in skills and packages", async () => {
    const folder = await folderOf({
      ".curated/one/SKILL.md": skillText("one", "One."),
      "plugins/a/skills/two/skill.md": skillText("two", "Two."),
      "plugins/a/skills/two/examples/inner/SKILL.md": skillText("inner", "Part of two."),
      "node_modules/x/SKILL.md": skillText("x", "X."),
      ".git/y/SKILL.md": skillText("y", "Y."),
      "README.md": "# Skills",
    });
    const text = textOf(await callTool(skills(folder), "load_skill", { name: "two" }));
    expect(text).toContain("examples/inner/SKILL.md");
    const [request] = await requestsOf(skills(folder), []);
    expect(request?.instructions).toMatch(/- one: One\.\n- two: Two\.$/);
  });

  test("one skill can be named alone", async () => {
    const folder = await folderOf({ "one/SKILL.md": skillText("one", "One.") });
    const [request] = await requestsOf(skills(join(folder, "one")), []);
    expect(request?.instructions).toMatch(/- one: One\.$/);
  });

  test("the first of two with one name wins, and a link is not followed: both are warned of", async () => {
    const folder = await folderOf({
      "mine/one/SKILL.md": skillText("one", "Mine."),
      "all/one/SKILL.md": skillText("one", "Theirs."),
      "elsewhere/two/SKILL.md": skillText("two", "Two."),
    });
    await symlink("../elsewhere/two", join(folder, "all/two"));
    await mkdir(join(folder, "elsewhere/empty"));
    await symlink("../elsewhere/empty", join(folder, "all/three"));
    const scope = listing();
    const [load] = await skills([join(folder, "mine"), join(folder, "all")]).tools(scope);
    expect(load?.instructions).toMatch(/- one: Mine\.$/);
    expect(scope.warnings).toEqual([
      `${folder}/all/two is a link, which is not followed. Name the folder that it leads to.`,
      `${folder}/all/one/SKILL.md is left out: ${folder}/mine/one/SKILL.md has the name one, too.`,
    ]);
  });

  test("a folder without skills is a warning, and has no tools", async () => {
    const scope = listing();
    const folder = await folderOf({ "README.md": "" });
    expect(await skills(folder).tools(scope)).toEqual([]);
    expect(scope.warnings).toEqual([`skills() has no skills: no SKILL.md is in ${folder}.`]);
  });

  test("a folder that does not exist is an error, and found once it does", async () => {
    const folder = await folderOf({});
    const set = skills(join(folder, "later"));
    await expect(set.tools(listing())).rejects.toMatchObject({ code: "skills-folder" });
    await addFiles(folder, { "later/one/SKILL.md": skillText("one", "One.") });
    expect(await set.tools(listing())).toHaveLength(2);
  });

  test("a folder of thousands is an error", async () => {
    const folder = await folderOf({});
    for (let index = 0; index < 2_001; index++) await mkdir(join(folder, String(index)));
    await expect(skills(folder).tools(listing())).rejects.toThrow("has more than 2000 folders");
  });
});

describe("which skills there are", () => {
  const files = {
    "one/SKILL.md": skillText("one", "One."),
    "two/SKILL.md": skillText("two", "Two."),
    "people/SKILL.md": skillText("people", "For people.", "disable-model-invocation: true\n"),
  };

  test("those that only names, in which others may have mistakes, and those for people too", async () => {
    const folder = await folderOf({ ...files, "bad/SKILL.md": "# Bad" });
    const [load] = await skills(folder, { only: ["two", "people"] }).tools(listing());
    expect(load?.instructions).toMatch(/follow it\.\n- people: For people\.\n- two: Two\.$/);
    await expect(skills(folder, { only: ["tow"] }).tools(listing())).rejects.toThrow(
      'only of skills() names "tow", which is not one of its skills.',
    );
    await expect(skills(folder, { only: ["bad"] }).tools(listing())).rejects.toThrow(
      "bad/SKILL.md:1: it must begin with front matter",
    );
  });

  test("not those for people, where none is named", async () => {
    const [load] = await skills(await folderOf(files)).tools(listing());
    expect(load?.instructions).toMatch(/follow it\.\n- one: One\.\n- two: Two\.$/);
  });

  test("mistakes end the first run, all with their files and lines", async () => {
    const folder = await folderOf({
      ...files,
      "bad/SKILL.md": "---\nname: bad\ndescription: Use it when: bad\n---\n",
      "worse/SKILL.md": "---\nname: Worse\n---\n",
      "binary/SKILL.md": new Uint8Array([0xff, 0xfe]),
    });
    const model = new ScriptedModel(["Never."]);
    const error: unknown = await run(
      new Agent({ name: "Clerk", model, tools: [skills(folder)] }),
      "Go.",
    ).catch((each: unknown) => each);
    expect(error).toMatchObject({
      code: "invalid-skill",
      message: [
        "skills() cannot load its skills:",
        `${folder}/bad/SKILL.md:3: invalid YAML: Nested mappings are not allowed in compact mappings. Put the text in quotes, or below a line with >-.`,
        `${folder}/binary/SKILL.md:1: SKILL.md is not a text file. It has 2 bytes.`,
        `${folder}/worse/SKILL.md:2: "Worse" cannot be a name. Write small letters, digits and single hyphens, at most 64: pdf-forms.`,
        `${folder}/worse/SKILL.md:1: description is missing. Write description: ...`,
      ].join("\n"),
      data: { problems: { length: 4, 0: { file: `${folder}/bad/SKILL.md`, line: 3 } } },
    });
    expect(model.requests).toEqual([]);
  });

  test("many mistakes are counted", async () => {
    const many = Array.from({ length: 25 }, (_, index) => [`s${index}/SKILL.md`, "# Bad"]);
    const folder = await folderOf(Object.fromEntries(many));
    await expect(skills(folder).tools(listing())).rejects.toThrow(/\nand 5 more$/);
  });

  test("a SKILL.md that is a link to elsewhere is not read", async () => {
    const folder = await folderOf({ "secret.md": skillText("one", "Secret."), "all/one/notes.md": "" });
    await symlink("../../secret.md", join(folder, "all/one/SKILL.md"));
    await expect(skills(join(folder, "all")).tools(listing())).rejects.toThrow(
      /one\/SKILL\.md:1: .*leads out/,
    );
  });
});

test("options that make no sense are errors at once", () => {
  expect(() => skills("")).toThrow(
    'skills() takes a folder or a list of folders, not "": skills("./skills").',
  );
  expect(() => skills([])).toThrow("skills() takes a folder");
  expect(() => skills(7 as never)).toThrow("not 7");
  expect(() => skills("a", { onyl: [] } as never)).toThrow('Did you mean "only"?');
  expect(() => skills("a", { only: "one" as never })).toThrow("only of skills() must be a list of names");
  expect(() => skills("a", { functions: 1 as never })).toThrow(
    "functions of skills() must be true or false, not 1.",
  );
  expect(() => skills("a", { sandbox: "yes" as never })).toThrow(
    "sandbox of skills() must be true, false or options",
  );
  expect(() => skills("a", { sandbox: { memory: 1 } as never })).toThrow(
    'sandbox of skills() has no option "memory"',
  );
  expect(() => skills("a", { sandbox: { timeout: -1 } })).toThrow("timeout of sandbox of skills()");
  expect(() => skills("a", { sandbox: { approval: "yes" as never } })).toThrow(
    "approval of skills() must be",
  );
});
