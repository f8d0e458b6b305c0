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
  test("each place, what was expected, what was received, and how to go on", async () => {
    expect(await feedback('{"items":[{"price":1},{"price":"1,000"}],"unit":"GBP"}')).toBe(
      [
        "place_order was not called, because its arguments are wrong:",
        "- $.note: is required (expected a string)",
        '- $.items[1].price: expected a number, received a string: "1,000"',
        '- $.unit: expected "EUR" or "USD", received "GBP"',
        "Call the tool again with corrected arguments.",
      ].join("\n"),
    );
  });

  test("text that is no JSON is shown", async () => {
    const text = await feedback('{"items": [1, 2');
    expect(text).toMatch(
      /^place_order was not called.*\n- the arguments: not valid JSON \(.+\) \(expected a JSON object\)/,
    );
    expect(text).toContain('\nYou sent: {"items": [1, 2\nCall the tool again');
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
    expect(text).toMatch(/\n- and \d+ more\nCall the tool again with corrected arguments\.$/);
    const hostile = [{ path: ["k".repeat(9_000)], message: "m".repeat(9_000), received: "r".repeat(9_000) }];
    expect(invalidArgumentsMessage("t".repeat(9_000), hostile, "").length).toBeLessThan(4_000);
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
