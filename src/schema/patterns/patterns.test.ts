import { assert, constantFrom, letrec, oneof, pre, property, string, tuple } from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { Agent, compileSchema, type JsonSchema, run, tool } from "../../index.ts";
import { ScriptedModel, type ScriptedToolCall } from "../../testing/index.ts";
import { isPattern } from "./is-pattern.ts";
import { matchLinear } from "./match-linear.ts";
import { readPattern } from "./pattern.ts";

async function fits(schema: JsonSchema, value: unknown): Promise<boolean> {
  return (await compileSchema(schema).validateAsync(value)).ok;
}

function isRegularMatch(source: string, text: string, flags: string): boolean | undefined {
  return matchLinear(new RegExp(source, flags))?.(text, { patternSteps: 10_000_000 });
}

describe("time", () => {
  const repeated = "a".repeat(50_000);
  const frozen: readonly (readonly [string, string])[] = [
    ["^(a+)+$", `${repeated}!`],
    ["^(a|a)*$", `${repeated}!`],
    ["^(a|aa)+$", `${repeated}!`],
    ["(.*a){12}", `${"a".repeat(11)}${"b".repeat(20_000)}`],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", repeated],
    ["^(?:a?){30}a{30}$", "a".repeat(29)],
    ["\\s+$", `${" ".repeat(50_000)}x`],
    ["a*a*a*a*b", repeated],
    [
      "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$",
      repeated,
    ],
    ["^(?=(a+)+$)x", `${repeated}!`],
    ["(?<=(a+)+b)$", repeated],
    ["^(?:(?:a*)*)*$", `${repeated}!`],
    ["^(?:(?=a*b)a)*$", repeated],
    ["(?:(?:a{10}){10}){10}b", repeated.repeat(10)],
    ["x*y*z*(?:aa)*b", repeated],
    ["^(?:aa)*(?:aaa)*$", `${repeated}b`],
    ["a+?a+?a+?b|a+c", repeated],
    ["(?:a{0,200}){0,20}b", repeated.slice(0, 300)],
    ["^(?:(?:[a-z0-9]|[a-z0-9][a-z0-9-]{0,61}[a-z0-9])\\.){1,20}$", repeated],
  ];

  test.each(frozen)("%s is tested in bounded time", async (pattern, text) => {
    const startedAt = performance.now();
    expect(await fits({ pattern }, text)).toBe(false);
    expect(await fits({ patternProperties: { [pattern]: false } }, { [text]: 1 })).toBeTypeOf("boolean");
    expect(performance.now() - startedAt).toBeLessThan(40_000);
  });

  test.each([
    "^[a-z]+@[a-z]+\\.[a-z]+$",
    "b+",
    "f.*o",
    "^(?:[A-Za-z0-9+/]{4})*$",
    "^(a|b)-(\\d{3}-){2}",
    "(a)?(b|c)",
    `^[${"a".repeat(9_996)}]`,
  ])("%.40s is tested at once", async (pattern) => {
    vi.resetModules();
    const { compileSchema: compile } = await import("../../index.ts");
    expect(compile({ pattern }).validate("-").ok).toBeTypeOf("boolean");
  });

  test("a character that comes often at least takes no more room than one that comes once", () => {
    expect(isRegularMatch("^(?:a{20000,}b)+$", `${"a".repeat(20_000)}b`, "u")).toBe(true);
    expect(isRegularMatch("^(?:a{20000,}b)+$", `${"a".repeat(19_999)}b`, "u")).toBe(false);
  });

  test("a text that is too long for its pattern is an issue", async () => {
    const schema = compileSchema({ items: { pattern: "^(a+)+$" } });
    const outcome = await schema.validateAsync(["a".repeat(20_000_000)]);
    expect(outcome).toMatchObject({
      issues: [{ path: [0], message: "is too long to be tested against a pattern" }],
    });
  });

  test("a pattern of degree two is tested at once as far as ten million steps", async () => {
    vi.resetModules();
    const { compileSchema: compile } = await import("../../index.ts");
    const { validate } = compile({ pattern: "aaaaaaa+" });
    expect(validate("-".repeat(999)).ok).toBe(false);
    expect(() => validate("-".repeat(1_000))).toThrow("Call validateAsync");
  });

  test("a test may take all steps that are left, and no more", () => {
    const pattern = readPattern("^a");
    const test = (patternSteps: number): unknown =>
      typeof pattern === "string" ? pattern : pattern.test("a", { patternSteps });
    expect([test(103), test(102)]).toEqual([true, undefined]);
  });

  test("patterns have 10,000 characters and states at most, and groups one in another a hundred times", async () => {
    const members = (count: number): JsonSchema => ({ pattern: `[${"a".repeat(count)}]` });
    expect(await fits(members(9_998), "a")).toBe(true);
    await expect(fits(members(9_999), "a")).rejects.toThrow("is longer than 10000 characters");
    const isMatched = (source: string): boolean => matchLinear(new RegExp(source)) !== undefined;
    expect([9_996, 9_997].map((count) => isMatched("a".repeat(count)))).toEqual([true, false]);
    const groups = (count: number): string => `${"(".repeat(count)}a${")".repeat(count)}`;
    expect([100, 101].map((count) => isMatched(groups(count)))).toEqual([true, false]);
  });

  test("the matcher does not take references, or octal escapes that look like one", () => {
    for (const source of ["^(a)\\1$", "^\\01$", "^(?<x>a)\\k<x>$"])
      expect(matchLinear(new RegExp(source))).toBeUndefined();
    expect(["^(a+)\\1$", "^(a+)+$", "(", 5].map(isPattern)).toEqual([false, true, false, false]);
  });

  test("a name that is too long for its pattern is an issue", async () => {
    const name = "a".repeat(2_000_001);
    const outcome = await compileSchema({ patternProperties: { "^(a+)+$": {} } }).validateAsync({
      [name]: 1,
    });
    expect(outcome).toMatchObject({
      issues: [{ path: [], message: "is too long to be tested against a pattern" }],
    });
  });

  test("many patterns share one budget", async () => {
    const schema = { allOf: Array.from({ length: 2_000 }, (_, index) => ({ pattern: `^(a+|b${index})+$` })) };
    const startedAt = performance.now();
    expect(await fits(schema, "a".repeat(50_000))).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(40_000);
  });

  test.each([
    "^(a+)\\1+$",
    "^(?<x>a*)\\k<x>$",
    "^((a{1,100}){1,100}){1,100}$",
    "^((){99999}){99999}$",
    "(?:(?:a{50}){50}){50}b",
    "a".repeat(20_000),
  ])("a pattern that cannot be tested in bounded time is an error of the schema: %.20s", async (pattern) => {
    await expect(fits({ pattern }, "a")).rejects.toMatchObject({ code: "invalid-schema" });
  });
});

describe("tools", () => {
  test.each([
    "^[\\s\\S]{1,5000}$",
    "^.{1,10000}$",
    "^[\\s\\S]{1,65535}$",
    "^(?:.){0,100000}$",
    "^(?:[a-z]{1,20000}-?){1,3}$",
    "^\\s*.{5,40000}\\s*$",
    "^(?=.{1,99999}$)[a-z-]+$",
  ])("a tool with the large count of %s can be called", async (pattern) => {
    const note = tool({
      name: "note",
      input: { type: "object", properties: { text: { type: "string", pattern } } },
      execute: ({ text }: { text: string }) => text.length,
    });
    const outcomesOf = async (...texts: readonly string[]): Promise<readonly string[]> => {
      const calls = texts.map((text) => ({ toolName: "note", arguments: { text } }));
      const model = new ScriptedModel([{ toolCalls: calls }, "Done."]);
      const { messages } = await run(new Agent({ name: "A", model, tools: [note] }), "Note.");
      return messages.flatMap((message) => (message.role === "tool" ? [message.result.outcome] : []));
    };
    const startedAt = performance.now();
    expect(await outcomesOf("hello", "a".repeat(4000), "a".repeat(150_000))).toEqual([
      "success",
      "success",
      "invalid-arguments",
    ]);
    expect(performance.now() - startedAt).toBeLessThan(40_000);
  });

  test("a pattern that refers to groups is an error of the schema, which is compiled when it is used first", () => {
    const input = {
      type: "object",
      properties: { text: { type: "string", pattern: "^(a|b)+\\1$" } },
    } as const;
    expect(() => compileSchema(input).validate({ text: "aa" })).toThrow(
      'cannot be tested in bounded time: "^(a|b)+\\\\1$". Write it without references to groups',
    );
    const inClass = {
      type: "object",
      properties: { text: { type: "string", pattern: "^[\\1-9](a+)+$" } },
    } as const;
    expect(compileSchema(inClass).validate({ text: "1aa" }).ok).toBe(true);
  });

  test("a tool's patterns are tested in bounded time, and so is what it returns", async () => {
    const frozen = { pattern: "^(?:[a-z]+\\.)+$" };
    const lookup = tool({
      name: "lookup",
      description: "Look up a domain.",
      input: { type: "object", properties: { domain: { type: "string", ...frozen } } },
      output: { type: "object", properties: { domain: { type: "string", ...frozen } } },
      validateOutput: true,
      execute: ({ domain }: { domain: string }) => ({ domain: domain.repeat(2_000) }),
    });
    const call = (domain: string): ScriptedToolCall => ({ toolName: "lookup", arguments: { domain } });
    const model = new ScriptedModel([
      { toolCalls: [call("a".repeat(50_000)), call("example.org."), call("a.b")] },
      { text: "Done." },
    ]);
    const startedAt = performance.now();
    const { messages } = await run(new Agent({ name: "A", model, tools: [lookup] }), "Look.");
    const outcomes = messages.flatMap((message) => (message.role === "tool" ? [message.result.outcome] : []));
    expect(outcomes).toEqual(["invalid-arguments", "success", "invalid-arguments"]);
    expect(performance.now() - startedAt).toBeLessThan(40_000);
  });

  test("a validation at once of a pattern that needs the matcher says what to call", async () => {
    vi.resetModules();
    const { compileSchema: compile } = await import("../../index.ts");
    const schema = compile({ pattern: "^(a+)+$" });
    expect(() => schema.validate("a")).toThrow("Call validateAsync instead of validate.");
    expect((await schema.validateAsync("a")).ok).toBe(true);
    expect(schema.validate("b").ok).toBe(false);
  });
});

describe("meaning", () => {
  const sources = [
    "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    "^(?=.*[A-Z])(?=.*\\d)(?!.*\\s).{2,6}$",
    "(?:^|-)(a|b)+(?:$|-)",
    "\\b(ab)+\\b",
    "(?<=a)(b)+(?<!c)$",
    "(?<!a)b(?!c)",
    "^(?:(?:0|[1-9]\\d*)\\.){2}\\d+$",
    "^(?<name>a)*?b{2,}?$",
    "^(?:a|1b){1,3}$",
    "^(?:a|1b)?c$",
    "^(?:a|1b){2}$",
    "(\\u0061|\\x62|\\cA)+$",
    "^([^])*a([^])*$",
    "^([]|a)*$",
    "^(\\/|\\.|\\-)+$",
    "^(?:\\B|a)+$",
    "^(a{0}b)*$",
    "^(?!(?:a|b)+$)",
    "(?=(?!b)[ab])(a|b)*c",
    "^(\\p{L}|\\u{1F600})+$",
    "^(.)(.)?(.)*$",
    "(a|)+b",
    "^(\\d|\\w\\s)*$",
  ];

  test.each(sources)("%s matches the same texts as the runtime's own engine", (source) => {
    for (const flags of ["u", ""]) {
      let expression: RegExp;
      try {
        expression = new RegExp(source, flags);
      } catch {
        continue;
      }
      assert(
        property(
          string({
            unit: constantFrom(..."aabbcAB01 -./=_\n".split(""), "\u0001", "é", "😀", "\ud83d"),
            maxLength: 12,
          }),
          (text) => {
            expect([text, isRegularMatch(source, text, flags)]).toEqual([text, expression.test(text)]);
          },
        ),
        { numRuns: 150 },
      );
    }
  });

  const atom = constantFrom(
    "a",
    "b",
    "[ab]",
    "[^a]",
    ".",
    "\\w",
    "\\d",
    "\\b",
    "^",
    "$",
    "\\B",
    "é",
    "😀",
    "[^]",
  );
  const grammar = letrec<{ node: string; group: string }>((tie) => ({
    node: oneof(
      { maxDepth: 4, depthIdentifier: "node" },
      atom,
      tuple(tie("group"), constantFrom("*", "+", "?", "{2}", "{0,2}", "{1,3}", "{2,}", "{1,}", "*?")).map(
        (both) => both.join(""),
      ),
      tuple(
        constantFrom("a", "[ab]", "[^a]", ".", "😀", "[^]"),
        constantFrom("{2}", "{0,2}", "{1,3}", "{2,}", "{0,2}?"),
      ).map((both) => both.join("")),
      tuple(tie("node"), tie("node")).map((both) => both.join("")),
      tuple(tie("node"), tie("node")).map(([left, right]) => `(?:${left}|${right})`),
      tie("node").map((node) => `(?=${node})`),
      tie("node").map((node) => `(?!${node})`),
      tie("node").map((node) => `(?<=${node})`),
      tie("node").map((node) => `(?<!${node})`),
    ),
    group: tie("node").map((node) => `(${node})`),
  }));

  test.each([
    ["a\\uD83E\\uDEBF", "a🪿🪿", true],
    ["\\uD83E\\uDEBF", "🪿\uDEBF", false],
    ["\\uD83E\\uDEBF|b", "🪿b🪿", true],
  ])("a pair of escaped surrogates is one character: %s", async (source, text, isMatch) => {
    expect(await fits({ pattern: `^(${source}+)+$` }, text)).toBe(isMatch);
    expect(isRegularMatch(`^(${source}+)+$`, text, "u")).toBe(isMatch);
  });

  test("random expressions match the same texts as the runtime's own engine", () => {
    const texts = string({ unit: constantFrom("a", "b", "1", " ", "é", "😀"), maxLength: 6 });
    assert(
      property(grammar.node, texts, constantFrom("u", ""), (source, text, flags) => {
        // Where nothing has to be read, V8 matches within a pair of surrogates, against the specification.
        pre(flags === "" || !text.includes("😀"));
        const expression = new RegExp(source, flags);
        expect([source, text, isRegularMatch(source, text, flags)]).toEqual([
          source,
          text,
          expression.test(text),
        ]);
      }),
      { numRuns: 1_500 },
    );
  });
});
