import { describe, expect, test } from "vitest";
import { compileSchema } from "./compile-schema.ts";
import { invalidArgumentsMessage, unknownToolMessage } from "./feedback.ts";
import { parseArguments } from "./parse-arguments.ts";

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

  test("the whole is bounded", () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `tool_${index}`);
    expect(unknownToolMessage("x".repeat(10_000), names).length).toBeLessThan(4_000);
  });
});
