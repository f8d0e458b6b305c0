import { expect, test } from "vitest";
import { toolCallOf } from "./tool-call-of.ts";

test.each([
  ["getWeather", "getWeather", "{}"],
  ['getWeather {"city": "Paris"}', "getWeather", '{"city": "Paris"}'],
  ["getWeather city=Paris days=3", "getWeather", '{"city":"Paris","days":3}'],
  [
    `note text="two words" by='Ada B' done=true tags=["a"]`,
    "note",
    '{"text":"two words","by":"Ada B","done":true,"tags":["a"]}',
  ],
  ['note text="a \\"quoted\\" word"', "note", '{"text":"a \\"quoted\\" word"}'],
  [
    "note version=1.10 id=12345678901234567890 zero=-0 huge=1e999",
    "note",
    '{"version":"1.10","id":"12345678901234567890","zero":"-0","huge":"1e999"}',
  ],
  ["note text=", "note", '{"text":""}'],
  ["note text=a=b", "note", '{"text":"a=b"}'],
  ["note __proto__=1", "note", '{"__proto__":1}'],
  ["getWeather Paris", "getWeather", "Paris"],
  ["getWeather city=Paris tomorrow", "getWeather", "city=Paris tomorrow"],
  ["getWeather {broken", "getWeather", "{broken"],
])("%s", (text, toolName, args) => {
  expect(toolCallOf(text)).toMatchObject({ toolName, arguments: args });
});

test("returns no call without a name", () => {
  expect(toolCallOf("  ")).toBeUndefined();
});
