import { expect, test } from "vitest";
import { fillArguments } from "./fill-arguments.ts";

/** The arguments of a tool `save` with these properties, filled from a text. */
function fill(text: string, properties: Record<string, object>, required: string[] = [], defs: object = {}) {
  const inputSchema = { type: "object", properties, required, $defs: defs };
  const { arguments: args, missing, more } = fillArguments(text, { name: "save", inputSchema });
  return { args, missing: missing.map(({ name }) => name), more };
}

test("a number is assigned to the parameter whose label is next to it", () => {
  const properties = { itemId: { type: "integer" }, quantity: { type: "integer" } };
  const expected = { itemId: 2, quantity: 3 };
  for (const text of [
    "3 of item 2",
    "item 2, quantity 3",
    "item number two, quantity: three",
    "quantity of 3 for item #2",
  ]) {
    expect(fill(text, properties, ["itemId", "quantity"]).args, text).toEqual(expected);
  }
});

test("a count is not corrected, so that the tool can refuse an invalid one", () => {
  const properties = { itemId: { type: "integer" }, quantity: { type: "integer" } };
  for (const [text, quantity] of [
    ["buy -3 of item 1", -3],
    ["buy minus 3 of item 1", -3],
    ["buy 1.5 of item 1", 1.5],
    ["item 1, quantity 1.5", 1.5],
    ["buy -2 scarves of item 1", -2],
    ["buy 4 scarves of item 1", 4],
    ["5 minus 3 of item 1", 3],
  ] as const) {
    expect(fill(text, properties, ["itemId"]).args, text).toEqual({ itemId: 1, quantity });
  }
  expect(fill("item 1.5", properties, ["itemId"]).missing).toEqual(["itemId"]);
});

test("a number with a unit, or that counts things, is not an identifier", () => {
  const properties = { itemId: { type: "integer" } };
  for (const text of ["I bought it 3 weeks ago", "it cost $20", "save 2 jackets"]) {
    expect(fill(text, properties, ["itemId"]).missing, text).toEqual(["itemId"]);
  }
});

test("a unit decides between parameters", () => {
  const properties = { minutes: { type: "integer" }, days: { type: "integer" } };
  expect(fill("for 20 minutes on 3 days", properties).args).toEqual({ minutes: 20, days: 3 });
  expect(fill("in 5 hours", { minutes: { type: "integer" } }, ["minutes"]).missing).toEqual(["minutes"]);
});

test("an optional parameter that the text does not mention is left out", () => {
  const properties = { city: { type: "string" }, limit: { type: "integer" }, note: { type: "string" } };
  expect(fill("in Paris, the 3 of us", properties, ["city"]).args).toEqual({ city: "Paris" });
});

test("an option is recognized in any form of its words, the longest first", () => {
  const state = { enum: ["done", "in_progress", "notStarted"] };
  expect(fill("it is In Progress", { state }).args).toEqual({ state: "in_progress" });
  expect(fill("not started", { state }).args).toEqual({ state: "notStarted" });
  expect(fill("the small apples", { fruit: { enum: ["pear", "apple"] } }).args).toEqual({ fruit: "apple" });
  expect(fill("level 3", { level: { enum: [1, 2, 3] } }).args).toEqual({ level: 3 });
  expect(fill("soon", { state }).args).toEqual({});
});

test("options can be in unions and references too", () => {
  const union = { anyOf: [{ const: "low" }, { const: "high" }, { type: "null" }] };
  expect(fill("high please", { level: union }).args).toEqual({ level: "high" });
  const defs = { Level: { enum: ["low", "high"] } };
  expect(fill("a low one", { level: { $ref: "#/$defs/Level" } }, [], defs).args).toEqual({ level: "low" });
});

test("booleans are mentioned, negated, or left open", () => {
  const properties = { giftWrap: { type: "boolean" } };
  expect(fill("with gift wrap", properties).args).toEqual({ giftWrap: true });
  expect(fill("without any gift wrap", properties).args).toEqual({ giftWrap: false });
  expect(fill("as it is", properties).args).toEqual({});
  expect(fill("yes, please", properties, ["giftWrap"]).args).toEqual({ giftWrap: true });
});

test("dates get the format that the schema requires", () => {
  const text = "on 5 March 2026 at 3pm";
  expect(fill(text, { when: { type: "string", format: "date" } }).args).toEqual({ when: "2026-03-05" });
  expect(fill(text, { when: { type: "string", format: "date-time" } }).args).toEqual({
    when: "2026-03-05T15:00:00Z",
  });
  expect(fill("tomorrow", { when: { type: "string" } }, ["when"]).args).toEqual({ when: "tomorrow" });
  expect(fill("tomorrow", { when: { type: "string", format: "date" } }, ["when"]).missing).toEqual(["when"]);
});

test("two dates are assigned in order", () => {
  const date = { type: "string", format: "date" };
  const args = { startDate: "2026-05-01", endDate: "2026-05-03" };
  expect(fill("from 2026-05-01 to 2026-05-03", { startDate: date, endDate: date }).args).toEqual(args);
});

test("a reason must follow its cue", () => {
  const properties = { reason: { type: "string" } };
  expect(fill("item 2 because it is too small.", properties).args).toEqual({ reason: "it is too small" });
  expect(fill("item 2, reason: wrong size", properties).args).toEqual({ reason: "wrong size" });
  expect(fill("item 2 is broken", properties).args).toEqual({});
});

test("a list gets all values of its kind", () => {
  const list = (items: object): Record<string, object> => ({ values: { type: "array", items } });
  expect(fill("3, 5 and 10", list({ type: "number" })).args).toEqual({ values: [3, 5, 10] });
  expect(fill("'a b' and 'c'", list({ type: "string" })).args).toEqual({ values: ["a b", "c"] });
  expect(fill("red and blue", list({ enum: ["red", "green", "blue"] })).args).toEqual({
    values: ["red", "blue"],
  });
});

test("a nested object is filled if the text has its required values", () => {
  const place = {
    type: "object",
    properties: { city: { type: "string" }, zip: { type: "string" } },
    required: ["city"],
  };
  expect(fill("in Berlin", { place }, ["place"]).args).toEqual({ place: { city: "Berlin" } });
  expect(fill("somewhere", { place }, ["place"]).missing).toEqual(["place"]);
});

test("several values for one required parameter give several sets of arguments", () => {
  const { args, more } = fill("items 2, 3 and 5", { itemId: { type: "integer" } }, ["itemId"]);
  expect([args, ...more]).toEqual([{ itemId: 2 }, { itemId: 3 }, { itemId: 5 }]);
});

test("collected arguments stay unchanged", () => {
  const inputSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const filling = fillArguments("in Rome", { name: "save", inputSchema }, { city: "Paris" });
  expect(filling.arguments).toEqual({ city: "Paris" });
});

test("parameters named __proto__ and constructor are ordinary", () => {
  const properties = Object.fromEntries([
    ["__proto__", { type: "integer" }],
    ["constructor", { type: "string", format: "email" }],
  ]);
  const { args } = fill("7 for ann@example.com", properties, ["__proto__", "constructor"]);
  expect(Object.entries(args)).toEqual([
    ["__proto__", 7],
    ["constructor", "ann@example.com"],
  ]);
  expect(Object.hasOwn(Object.prototype, "7")).toBe(false);
});

test("a schema that is not an object's, or has a broken reference, fills nothing", () => {
  expect(fillArguments("item 2", { name: "save", inputSchema: { type: "string" } }).arguments).toEqual({});
  expect(fill("item 2", { item: { $ref: "#/$defs/none" } }).args).toEqual({});
  expect(fill("item 2", { item: { $ref: "#/properties/item" } }).args).toEqual({});
});
