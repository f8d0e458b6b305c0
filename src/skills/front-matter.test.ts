import * as yaml from "yaml";
import { describe, expect, test } from "vitest";
import { readManifest } from "./front-matter.ts";

const read = (frontMatter: string, folder = "pdf-forms"): ReturnType<typeof readManifest> =>
  readManifest(yaml, `---\n${frontMatter}\n---\n\n# Steps\n`, folder);

describe("front matter as public skills have it", () => {
  test.each([
    ["plain texts", "name: pdf-forms\ndescription: Fills in forms.", "Fills in forms."],
    [
      "comments",
      "name: pdf-forms # small letters\n# two lines\ndescription: Fills in forms.",
      "Fills in forms.",
    ],
    [
      "quotes within a text",
      'name: pdf-forms\ndescription: Forms like "sign this for me."',
      'Forms like "sign this for me."',
    ],
    [
      "a text in quotes, with a colon",
      'name: pdf-forms\ndescription: "Use it when: forms."',
      "Use it when: forms.",
    ],
    [
      "a folded text",
      "name: pdf-forms\ndescription: >\n  Fills in\n  forms. Trigger on: forms.\n",
      "Fills in forms. Trigger on: forms.",
    ],
    [
      "a text of several lines",
      "name: pdf-forms\ndescription: |-\n  Fills in forms.\n  TRIGGER - a form.\n  SKIP - a letter.",
      "Fills in forms. TRIGGER - a form. SKIP - a letter.",
    ],
    ["another language", "name: pdf-forms\ndescription: 填写表单：签名。", "填写表单：签名。"],
    ["space behind a name", "name: pdf-forms \ndescription: Fills in forms.", "Fills in forms."],
    ["what looks like another type", "name: pdf-forms\ndescription: 2024\nversion: 1.0", "2024"],
    [
      "fields of products",
      "name: pdf-forms\ndescription: Forms.\nlicence: MIT\nmodel: fast\ntools: [a, b]\nauth:\n  env: [KEY]",
      "Forms.",
    ],
    ["Windows lines", "name: pdf-forms\r\ndescription: Fills in forms.\r", "Fills in forms."],
  ])("%s", (_, frontMatter, description) => {
    expect(read(frontMatter)).toMatchObject({
      manifest: { name: "pdf-forms", description, isHidden: false },
      body: "# Steps",
      warnings: [],
    });
  });

  test("a list of tools, in both forms", () => {
    const allowedTools = [{ name: "Read" }, { name: "Bash", pattern: "git add:*" }, { name: "fill" }];
    const start = "name: pdf-forms\ndescription: Forms.\n";
    expect(read(`${start}allowed-tools: Read, Bash(git add:*) fill`)).toMatchObject({
      manifest: { allowedTools },
    });
    expect(read(`${start}allowed-tools:\n  - Read\n  - Bash(git add:*)\n  - fill`)).toMatchObject({
      manifest: { allowedTools },
    });
    expect(read(`${start}allowed-tools: [Read, "Bash(git add:*)", fill]`)).toMatchObject({
      manifest: { allowedTools },
    });
    expect(read(`${start}allowed-tools: ""`)).toMatchObject({ manifest: { allowedTools: [] } });
    expect(read(start)).not.toHaveProperty("manifest.allowedTools");
  });

  test("a name in other letters, and one that is for people alone", () => {
    expect(read("name: übersicht-2\ndescription: Zählt.", "übersicht-2")).toMatchObject({
      manifest: { name: "übersicht-2" },
      warnings: [],
    });
    expect(read("name: pdf-forms\ndescription: Forms.\ndisable-model-invocation: true")).toMatchObject({
      manifest: { isHidden: true },
    });
  });

  test("the body begins with the first line of words", () => {
    expect(readManifest(yaml, "---\nname: a\ndescription: b\n---\n\n\nOne\n\nTwo\n\n", "a")).toMatchObject({
      body: "One\n\nTwo",
      bodyLine: 7,
    });
    expect(readManifest(yaml, "---\nname: a\ndescription: b\n---", "a")).toMatchObject({ body: "" });
    expect(readManifest(yaml, "---\nname: a\ndescription: b\n---\nOne\n---\nTwo", "a")).toMatchObject({
      body: "One\n---\nTwo",
      bodyLine: 5,
    });
  });
});

describe("what is odd is a warning, at its line", () => {
  test.each([
    [
      "a name that is not its folder's",
      "name: pdf\ndescription: Forms.",
      2,
      'the name "pdf" is not that of its folder, "pdf-forms". Rename one of them.',
    ],
    [
      "a long description",
      `name: pdf-forms\ndescription: ${"x".repeat(1_100)}`,
      3,
      "the description has 1100 characters. The format has at most 1024, and models see 2000. Shorten it.",
    ],
  ])("%s", (_, frontMatter, line, problem) => {
    expect(read(frontMatter)).toMatchObject({ warnings: [{ line, problem }] });
  });

  test("a long description is cut, and what no reader sees is left out", () => {
    const lengthOf = (length: number): unknown => {
      const answer = read(`name: pdf-forms\ndescription: ${"x".repeat(length)}`);
      return "manifest" in answer && answer.manifest.description;
    };
    expect(lengthOf(1_100)).toBe("x".repeat(1_100));
    expect(lengthOf(2_100)).toBe(`${"x".repeat(1_999)}…`);
    const hidden = read('name: pdf-forms\ndescription: "For\\u200Bms\\u202E.\\e[31m"');
    expect(hidden).toHaveProperty("manifest.description", "Forms.[31m");
  });
});

describe("a mistake names its line and the fix", () => {
  test.each([
    [
      "a colon in a plain text",
      "name: pdf-forms\ndescription: Use it when: a form is there",
      3,
      /^invalid YAML: Nested mappings .*\. Put the text in quotes, or below a line with >-\.$/,
    ],
    [
      "a list without an end",
      "name: pdf-forms\ndescription: Forms.\nallowed-tools: [a, b",
      4,
      /^invalid YAML: /,
    ],
    ["a tab", "name: pdf-forms\n\tdescription: Forms.", 3, /^invalid YAML: /],
    [
      "a field twice",
      "name: pdf-forms\ndescription: Forms.\nname: other",
      4,
      /^invalid YAML: Map keys must be unique/,
    ],
    ["no name", "description: Forms.", 1, "name is missing. Write name: ..."],
    ["no description", "name: pdf-forms", 1, "description is missing. Write description: ..."],
    [
      "an empty description",
      "name: pdf-forms\ndescription:",
      3,
      "description must be a text, and not empty. Write description: ...",
    ],
    [
      "a list as a name",
      "name: [pdf]\ndescription: Forms.",
      2,
      "name must be a text, and not empty. Write name: ...",
    ],
    [
      "an alias",
      "name: &name pdf-forms\ndescription: *name",
      3,
      "description must be a text, and not empty. Write description: ...",
    ],
    [
      "capitals",
      "name: PDF-Forms\ndescription: Forms.",
      2,
      /^"PDF-Forms" cannot be a name\. Write small letters/,
    ],
    ["hyphens in a row", "name: pdf--forms\ndescription: Forms.", 2, /cannot be a name/],
    ["a hyphen at the edge", "name: -pdf\ndescription: Forms.", 2, /cannot be a name/],
    ["a path as a name", "name: ../pdf\ndescription: Forms.", 2, /cannot be a name/],
    ["a long name", `name: ${"a".repeat(65)}\ndescription: Forms.`, 2, /at most 64/],
    [
      "a misspelled limit",
      "name: pdf-forms\ndescription: Forms.\nallowed_tools: Read",
      4,
      'unknown field "allowed_tools". Did you mean "allowed-tools"?',
    ],
    [
      "a list of tools that is none",
      "name: pdf-forms\ndescription: Forms.\nallowed-tools: { a: b }",
      4,
      /^allowed-tools must be a text or a list/,
    ],
    [
      "a list with a list",
      "name: pdf-forms\ndescription: Forms.\nallowed-tools: [[a]]",
      4,
      /^allowed-tools must be a text or a list/,
    ],
    [
      "an invisible description",
      'name: pdf-forms\ndescription: "\\u200B"',
      3,
      "the description has nothing that can be seen. Write one.",
    ],
    ["no fields", "just words", 1, "the front matter must have fields. Write name: and description: in it."],
    ["far too much", `name: ${"a\n".repeat(30_000)}`, 1, /longer than 50000 characters/],
  ])("%s", (_, frontMatter, line, problem) => {
    const answer = read(frontMatter);
    expect(answer).toEqual({ problems: [{ line, problem: expect.any(String) }] });
    const [first] = "problems" in answer ? answer.problems : [];
    expect(first?.problem).toMatch(problem);
  });

  test.each([
    ["nothing", "", 1, /^it must begin with front matter/],
    ["a text alone", "# Steps", 1, /^it must begin with front matter/],
    ["something above it", "\n---\nname: a\n---", 1, /^it must begin with front matter/],
    ["no end", "---\nname: a\ndescription: b\n", 1, /^the front matter has no end/],
  ])("%s in the file", (_, text, line, problem) => {
    expect(readManifest(yaml, text, "a")).toEqual({
      problems: [{ line, problem: expect.stringMatching(problem) }],
    });
  });

  test("lists within lists that no parser can follow", () => {
    expect(read(`name: ${"[".repeat(20_000)}`)).toMatchObject({ problems: { length: 1 } });
  });

  test("all mistakes are named at once", () => {
    expect(read("name: A B\ndescription:\nallowed-tool: x")).toMatchObject({
      problems: [{ line: 4 }, { line: 2 }, { line: 3 }],
    });
  });
});
