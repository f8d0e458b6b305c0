import { expect, test } from "vitest";
import { extract } from "./extract.ts";

/** `[kind, value, unit]` of each value. */
function valuesIn(text: string): unknown[] {
  return extract(text).map(({ kind, value, unit }) =>
    unit === undefined ? [kind, value] : [kind, value, unit],
  );
}

test.each([
  [
    "item #2 and 3",
    [
      ["number", 2],
      ["number", 3],
    ],
  ],
  ["item no. 2.", [["number", 2]]],
  [
    "-3 + 4 - 5",
    [
      ["number", -3],
      ["number", 4],
      ["number", 5],
    ],
  ],
  ["1,000.5", [["number", 1000.5]]],
  ["the 2nd", [["number", 2]]],
  ["the second one", [["number", 2]]],
  ["this one", []],
  ["one moment", [["number", 1]]],
  ["wait a second", []],
  ["First, tell me", []],
  [
    "two hundred and three and four",
    [
      ["number", 203],
      ["number", 4],
    ],
  ],
  ["twenty-five", [["number", 25]]],
  ["three thousand two hundred", [["number", 3200]]],
  [
    "$20, 15%, 30 minutes, 3-day",
    [
      ["number", 20, "dollar"],
      ["number", 15, "percent"],
      ["number", 30, "minut"],
      ["number", 3, "dai"],
    ],
  ],
  [
    "order A1234 or SKU-42",
    [
      ["code", "A1234"],
      ["code", "SKU-42"],
    ],
  ],
])("numbers and codes: %s", (text, expected) => {
  expect(valuesIn(text)).toEqual(expected);
});

test.each([
  ["on 2026-03-05", [["date", "2026-03-05"]]],
  ["2026-03-05T10:30:00Z", [["date", "2026-03-05T10:30:00Z"]]],
  ["March 5th, 2026", [["date", "2026-03-05"]]],
  ["the 5th of March 2026", [["date", "2026-03-05"]]],
  [
    "tomorrow or next Friday",
    [
      ["relative-date", "tomorrow"],
      ["relative-date", "next Friday"],
    ],
  ],
  ["at 10:30", [["time", "10:30"]]],
  [
    "3pm, 12 am, 12:15 p.m., noon",
    [
      ["time", "15:00"],
      ["time", "00:00"],
      ["time", "12:15"],
      ["time", "12:00"],
    ],
  ],
])("dates and times: %s", (text, expected) => {
  expect(valuesIn(text)).toEqual(expected);
});

test.each([
  [
    'say "good morning" to ann@example.com',
    [
      ["quoted", "good morning"],
      ["email", "ann@example.com"],
    ],
  ],
  ["it's 'Lunch at Joe's', isn't it", [["quoted", "Lunch at Joe's"]]],
  ["see https://example.com/a?b=1.", [["url", "https://example.com/a?b=1"]]],
  [
    "read /tmp/a.txt, notes.md and ./src/index.ts.",
    [
      ["path", "/tmp/a.txt"],
      ["path", "notes.md"],
      ["path", "./src/index.ts"],
    ],
  ],
  [
    "3.5 and/or 2/3",
    [
      ["number", 3.5],
      ["number", 2],
      ["number", 3],
    ],
  ],
  ["Is Paris warm?", [["name", "Paris"]]],
  [
    "I met Ann in New York City's park",
    [
      ["name", "Ann"],
      ["name", "New York City"],
    ],
  ],
  ["REFUND ITEM", []],
])("quotes, addresses and names: %s", (text, expected) => {
  expect(valuesIn(text)).toEqual(expected);
});

test("a capitalized word at the start of a sentence is not a name if it belongs to the tool", () => {
  const values = extract("Email Ann", (form) => form === "email");
  expect(values).toEqual([{ kind: "name", value: "Ann", start: 6, end: 9 }]);
});
