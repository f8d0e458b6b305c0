import { describe, expect, test } from "vitest";
import { allowsFunction, allowsScript, allowsScripts, parseAllowedTools } from "./allowed-tools.ts";

test("a list is separated by spaces or commas, but for what stands in parentheses", () => {
  expect(parseAllowedTools("Read, Write  Bash(git add:*),Bash(uv run *) Edit(*)")).toEqual([
    { name: "Read" },
    { name: "Write" },
    { name: "Bash", pattern: "git add:*" },
    { name: "Bash", pattern: "uv run *" },
    { name: "Edit" },
  ]);
  expect(parseAllowedTools("  ")).toEqual([]);
});

test("a function is allowed by its name, and all are without a list", () => {
  const list = parseAllowedTools("fill sign(x)");
  expect(["fill", "sign", "other"].map((name) => allowsFunction(list, name))).toEqual([true, false, false]);
  expect(allowsFunction(undefined, "other")).toBe(true);
  expect(allowsFunction([], "other")).toBe(false);
});

describe("a script", () => {
  test.each([
    [undefined, true],
    ["", false],
    ["Read Write", false],
    ["Bash", true],
    ["Bash(*)", true],
    ["run_skill_script", true],
    ["Bash(git:*)", false],
    ["Bash(git *)", false],
    ["Bash(python:*)", true],
    ["Bash(python3 scripts/fill.py:*)", true],
    ["Bash(python scripts/other.py:*)", false],
    ["Bash(scripts/*)", true],
    ["Bash(./scripts/fill.py --fast)", true],
    ["Bash(./scripts/fill.py)", false],
    ["Bash(python3 * --fast)", true],
    ["Bash(*fill.py*fast)", true],
    ["Bash(*fill.py*slow)", false],
    ["Bash(*slow*fast)", false],
    ["Bash(pyth:*)", false],
  ])("with allowed-tools %j: %s", (text, isAllowed) => {
    const list = text === undefined ? undefined : parseAllowedTools(text);
    expect(allowsScript(list, "scripts/fill.py", ["--fast"])).toBe(isAllowed);
  });

  test("is offered where a list has programs at all", () => {
    expect(["Read", "Bash(git:*)"].map((text) => allowsScripts(parseAllowedTools(text)))).toEqual([
      false,
      true,
    ]);
  });

  test("is matched by patterns that say nothing of its language, too", () => {
    expect(allowsScript(parseAllowedTools("Bash(bash:*)"), "scripts/a.sh", [])).toBe(true);
    expect(allowsScript(parseAllowedTools("Bash(scripts/a *)"), "scripts/a", [])).toBe(true);
    expect(allowsScript(parseAllowedTools("Bash(bash *)"), "scripts/a", [])).toBe(false);
  });
});
