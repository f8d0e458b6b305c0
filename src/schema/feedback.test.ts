import { describe, expect, test } from "vitest";
import { compileSchema } from "./compile-schema.ts";
import {
  invalidArgumentsMessage,
  invalidOutputMessage,
  kindOfIssue,
  unknownToolMessage,
} from "./feedback.ts";
import { parseArguments } from "./parse-arguments.ts";
import type { Issue } from "./types.ts";

const order = compileSchema({
  type: "object",
  properties: {
    items: { type: "array", items: { type: "object", properties: { price: { type: "number" } } } },
    unit: { enum: ["EUR", "USD"] },
    note: { type: "string" },
  },
  required: ["items", "note"],
});

async function feedback(raw: string): Promise<string> {
  const parsed = await parseArguments(raw, order);
  return parsed.ok ? "" : invalidArgumentsMessage("place_order", parsed.issues, raw);
}

describe("invalid arguments", () => {
  test("each place, what was expected, what was received, what was sent, and how to go on", async () => {
    expect(await feedback('{"items":[{"price":1},{"price":"1,000"}],"note":"","unit":"GBP"}')).toBe(
      [
        "place_order was not called, because its arguments are invalid:",
        '- $.items[1].price: expected a number, received a string: "1,000"',
        '- $.unit: expected "EUR" or "USD", received "GBP"',
        "You sent:",
        "{",
        '  "items": [',
        '    {"price":1},',
        "    {",
        '      "price": "1,000"  <-- expected a number',
        "    }",
        "  ],",
        '  "note": "",',
        '  "unit": "GBP"  <-- expected "EUR" or "USD"',
        "}",
        "Call the tool again with corrected arguments.",
      ].join("\n"),
    );
  });

  test("what is almost JSON is shown as it was understood", async () => {
    expect(await feedback("Sure: {'note': 'x', items: 'none',}")).toContain(
      '\nYou sent:\n{\n  "note": "x",\n  "items": "none"  <-- expected an array\n}\nCall',
    );
  });

  test("text that is not JSON is shown around the place where it goes wrong", async () => {
    const text = await feedback('{"items": [1, 2, "thr');
    expect(text).toMatch(/^place_order was not called.*\n- the arguments: not valid JSON.*line 1, column 18/);
    expect(text).toContain('\nYou sent:\n{"items": [1, 2, <-- wrong from here: "thr\nCall the tool again');
    const long = await feedback(`{"note": "${"a".repeat(5_000)}", "items" = [${"1, ".repeat(2_000)}]}`);
    expect(long).toMatch(/\nYou sent:\n…a+", "items" <-- wrong from here: = \[(1, )+.{0,3}…\nCall/);
    expect(long.length).toBeLessThan(600);
  });

  test("what is missing is named, and what was expected there", async () => {
    const text = await feedback('{"items":[]}');
    expect(text).toContain("\n- $.note: is required (expected a string)\n");
    expect(text).toContain('\n{\n  "items": []\n  "note" is missing  <-- expected a string\n}\n');
  });

  test("describes an empty text as nothing", async () => {
    expect(await feedback(" ")).toContain("\nYou sent: nothing\n");
  });

  test("repeats what was wrong before, if the same mistake is made again", () => {
    const issue = { path: ["days"], message: "expected a number, received a string", expected: "a number" };
    const now = [{ ...issue, received: "two" }];
    const earlier = [
      { ...issue, received: "2 days" },
      { path: ["city"], message: "is required" },
    ];
    const raw = '{"city":"Paris","days":"two"}';
    expect(invalidArgumentsMessage("get", now, raw, earlier)).toContain(
      '\n}\nYou made this mistake before. What was wrong in your calls just before:\n- $.days: expected a number, received a string: "2 days"\n- $.city: is required\nCall',
    );
    expect(invalidArgumentsMessage("get", now, raw, now)).toContain(
      "\n}\nYou made this mistake before.\nCall the tool",
    );
  });

  test("what was received is cut short", async () => {
    const text = await feedback(JSON.stringify({ note: { text: "a".repeat(10_000) }, items: [] }));
    const line = text.split("\n")[1] ?? "";
    expect(line).toMatch(/^- \$\.note: expected a string, received an object: \{"text":"a+…$/);
    expect(line.length).toBeLessThan(150);
  });

  test("the whole is bounded, however much is wrong", async () => {
    const items = Array.from({ length: 1_000 }, () => ({ price: "a".repeat(1_000) }));
    const text = await feedback(JSON.stringify({ items }));
    expect(text.length).toBeLessThan(4_000);
    expect(text).toMatch(
      /\n- and \d+ more\nYou sent:\n[^]*\n…\nCall the tool again with corrected arguments\.$/,
    );
    const hostile = [{ path: ["k".repeat(9_000)], message: "m".repeat(9_000), received: "r".repeat(9_000) }];
    for (const raw of [
      "",
      "r".repeat(9_000),
      "r".repeat(5_000_000),
      `{"${"k".repeat(9_000)}":[${"1,".repeat(9_000)}1]}`,
    ]) {
      const whole = invalidArgumentsMessage("t".repeat(9_000), hostile, raw, hostile);
      expect(whole.length).toBeLessThan(4_000);
    }
  });
});

describe("how much a correction of arguments has", () => {
  /** The lines of a correction of a call with nothing in it. */
  const lines = (issues: readonly Issue[], name = "get", earlier: readonly Issue[] = []) =>
    invalidArgumentsMessage(name, issues, "", earlier).split("\n");
  const x = (count: number): string => "x".repeat(count);
  const issue = (message: string): Issue => ({ path: [], message });
  const whole = "- the arguments: ";

  test("80 characters of the name, 200 of a place and 600 of what is wrong there", () => {
    expect(lines([], x(80))[0]).toMatch(/^x{80} was not called/);
    expect(lines([], x(81))[0]).toMatch(/^x{80}… was not called/);
    const place = (length: number) => lines([{ path: [x(length - 2)], message: "no" }])[1];
    expect(place(200)).toBe(`- $.${x(198)}: no`);
    expect(place(201)).toBe(`- $.${x(198)}…: no`);
    expect(lines([issue(x(600))])[1]).toBe(`${whole}${x(600)}`);
    expect(lines([issue(x(601))])[1]).toBe(`${whole}${x(600)}…`);
  });

  test("1,600 characters of lines, each with its line break, and the number of others", () => {
    const line = (length: number) => issue(x(length - whole.length - 1));
    const shown = (...lengths: readonly number[]) => lines(lengths.map(line)).slice(1, -2);
    expect(shown(400, 400, 400, 400).map(({ length }) => length)).toEqual([399, 399, 399, 399]);
    expect(shown(400, 400, 400, 401).slice(3)).toEqual(["- and 1 more"]);
    expect(shown(500, 500, 500, 101, 50).slice(3)).toEqual(["- and 2 more"]);
  });

  test("600 characters of what was wrong before", () => {
    const line = (character: string, length: number) => issue(character.repeat(length - whole.length - 1));
    const before = (length: number) =>
      lines([issue("now")], "get", [line("a", 300), line("b", length)]).slice(4, -1);
    expect(before(300)).toHaveLength(2);
    expect(before(301)).toEqual([expect.stringContaining("aaa"), "- and 1 more"]);
  });

  test("what was expected and received, unless the message says it", () => {
    const at: Issue = { path: ["n"], message: "is wrong", expected: "a number", received: "x" };
    expect(lines([at])[1]).toBe('- $.n: is wrong (expected a number): "x"');
    expect(lines([{ ...at, message: 'expected a number, received "x"' }])[1]).toBe(
      '- $.n: expected a number, received "x"',
    );
    expect(lines([{ path: ["n"], message: "is wrong" }])[1]).toBe("- $.n: is wrong");
  });

  test("200 characters of what is too long to be read", () => {
    const raw = `{"a":"${x(4_194_304)}`;
    expect(invalidArgumentsMessage("get", [], raw).split("\n")[1]).toBe(`You sent: {"a":"${x(194)}…`);
  });

  test("100 characters on each side of where a text goes wrong, and none before its beginning", () => {
    const sent = (raw: string) => invalidArgumentsMessage("get", [], raw).split("\n")[2];
    expect(sent(`{"a":1,"${x(88)}" = 1}`)).toBe(`{"a":1,"${x(88)}" <-- wrong from here: = 1}`);
    expect(sent(`{"a":1,"${x(90)}" = 1}`)).toBe(`{"a":1,"${x(90)}" <-- wrong from here: = 1}`);
    expect(sent(`{"a":1,"${x(91)}" = 1}`)).toBe(`…"a":1,"${x(91)}" <-- wrong from here: = 1}`);
    expect(sent(`= ${"1 ".repeat(49)}`)).toBe(`= ${"1 ".repeat(49)}`);
    expect(sent(`= ${"1 ".repeat(50)}`)).toBe(`= ${"1 ".repeat(49)}…`);
  });
});

describe("an answer that does not match", () => {
  const issue: Issue = { path: [], message: "expected an object, received 7" };

  test("is the answer in words, which is to be given again", () => {
    expect(invalidOutputMessage([issue], "7")).toBe(
      [
        "Your answer was not accepted, because it does not match the output schema:",
        "- the answer: expected an object, received 7",
        "You sent:",
        "7  <-- expected an object, received 7",
        "Answer again, with corrected JSON alone.",
      ].join("\n"),
    );
  });

  test("is to be given to a tool where one takes it, with what was wrong before", () => {
    const lines = invalidOutputMessage([issue], "7", [issue], "final_answer").split("\n");
    expect(lines.slice(-2)).toEqual([
      "You made this mistake before.",
      "Call final_answer with the corrected answer.",
    ]);
  });
});

test("mistakes are of one kind if the same is expected at the same place, or else the message is the same", () => {
  const at = (path: Issue["path"], message: string, expected?: string): string =>
    kindOfIssue({ path, message, ...(expected !== undefined && { expected }) });
  expect(at(["a"], "received 1", "a text")).toBe(at(["a"], "received 2", "a text"));
  expect(at(["a"], "received 1")).not.toBe(at(["a"], "received 2"));
  expect(at(["a"], "is required")).not.toBe(at(["b"], "is required"));
});

describe("an unknown tool", () => {
  test("the nearest and all names", () => {
    expect(unknownToolMessage("getWether", ["getWeather", "sendEmail"])).toBe(
      'There is no tool named "getWether". Did you mean "getWeather"? The tools are: "getWeather", "sendEmail". Call one of them, or answer without a tool.',
    );
  });

  test("nothing near, and no tools at all", () => {
    expect(unknownToolMessage("fly", ["getWeather"])).toBe(
      'There is no tool named "fly". The tools are: "getWeather". Call one of them, or answer without a tool.',
    );
    expect(unknownToolMessage("fly", [])).toBe(
      'There is no tool named "fly". There are no tools: answer without one.',
    );
  });

  test("3,000 characters of names, 100 of each", () => {
    const listed = (...names: readonly string[]) =>
      / The tools are: (.*)\. Call one/.exec(unknownToolMessage("fly", names, []))?.[1];
    const name = "n".repeat(98);
    expect(listed(name)).toBe(`"${name}"`);
    expect(listed(`${name}n`)).toBe(`"${name}n…`);
    const filling = [...Array<string>(29).fill(name), "n".repeat(3_000 - 29 * 102 - 2)];
    expect(listed(...filling)).toHaveLength(3_000);
    expect(listed(...filling)).not.toContain("…");
    expect(listed(...filling, "n")).toMatch(/^.{3000}…$/);
  });

  test("the whole is bounded", () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `tool_${index}`);
    expect(unknownToolMessage("x".repeat(10_000), names).length).toBeLessThan(4_000);
  });
});
