import { expect, test } from "vitest";
import { citationsOf, hostedCalls } from "./index.ts";

test.each([
  ["a text as its content", '{ "role": "assistant", "content": "x", "toolCalls": [] }'],
  ["no content", '{ "role": "assistant", "toolCalls": [] }'],
  ["null among its parts", '{ "role": "assistant", "content": [null], "toolCalls": [] }'],
  ["null in place of a message", "[null]"],
])("an answer with %s has neither calls nor citations", (_title, json) => {
  expect(hostedCalls(JSON.parse(json))).toEqual([]);
  expect(citationsOf(JSON.parse(json))).toEqual([]);
});
