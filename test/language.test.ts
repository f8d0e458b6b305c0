import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { checkFiles, checkTitles, checkWording } from "../scripts/language.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

test("code, comments, messages and pages are worded plainly", () => {
  expect(checkFiles(root)).toEqual([]);
});

describe("the check finds", () => {
  test.each([
    ["`${name} is no list`", "is no list"],
    ["// what\n  // are no tools", "are no tools"],
    ["/**\n * A value that is\n * no object.\n */", "is no object"],
    ["an option that there is not.", "there is not"],
    ["tools that there are not are refused", "there are not"],
    ["the page shall be short", "shall"],
    ["begins anew", "anew"],
    ["whoever reads it", "whoever"],
    ["keeps so many entries", "so many"],
    ["which is none of its tools", "is none of"],
    ["Beside that, it waits", "Beside that"],
    ["options that cannot be meant", "cannot be meant"],
    ["a port that cannot be had", "cannot be had"],
    ["/** What a model is told of a tool. */", "is told"],
    ["the failure, which is only told once", "is only told"],
    ["nothing is said of it", "is said"],
    ["what a server hears", "hears"],
    ["// Gives\n// back the text.", "Gives back"],
  ])("%j", (text, phrase) => {
    const problems = checkWording("a.ts", text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`"${phrase}": write `);
  });

  test.each([
    ['test("nobody is called", () => {});', "nobody"],
    ['describe("what the model is told", () => {});', "is told"],
    ["] as const)(`of %s the error says so`, () => {});", "says so"],
    ['test.skipIf(isSlow)("a.ts", () => {});\ntest.each(rows)(\n  "so does a list", () => {});', "so does"],
    ['  it("is given a list", () => {});', "is given"],
  ])("in a title: %j", (text, phrase) => {
    expect(checkTitles("a.test.ts", text)).toEqual([expect.stringContaining(`"${phrase}": write `)]);
  });

  test("no phrase of titles elsewhere, and none about values where customers speak", () => {
    expect(checkWording("src/a.ts", "// nobody waits any more")).toEqual([]);
    expect(checkWording("examples/shop/agent.ts", "/** How a customer is told. */")).toEqual([]);
    expect(checkTitles("a.test.ts", 'call("nobody"); test("is fine", () => say("it is told"));')).toEqual([]);
  });

  test("the line that a phrase begins on", () => {
    expect(checkWording("docs/a.md", "One.\n\nIt is\nno list.")[0]).toMatch(/^docs\/a\.md:3: "is no list"/);
  });
});

test.each([
  "there is no tool named x",
  "There are no tools.",
  "it is no longer open",
  "there are not enough places",
  "Where shall we meet?",
  "so many events that readers fall behind",
  "users need none of the packages",
  "the file beside that of the program",
  "nobody is\nnot a word",
  "const is = no;",
  "two tools are told apart by name",
])("plain English passes: %j", (text) => {
  expect(checkWording("a.ts", text)).toEqual([]);
});
