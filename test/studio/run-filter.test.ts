/** The filter above the list of runs. */
import { expect, test } from "vitest";
import { readFilter } from "../../studio/run-filter.ts";

test.each([
  ["", []],
  ["Order  late", [":order", ":late"]],
  ['agent:"Wired" tool:pay', ["agent:wired", "tool:pay"]],
  ['agent:"The till" "not found"', ["agent:the till", ":not found"]],
  ['agent:"The ti', ["agent:the ti"]],
  ["agent:", [":agent:"]],
  ["nope:zzz", [":nope:zzz"]],
  ['say"so', [':say"so']],
])("%j is read as %j", (query, words) => {
  expect(readFilter(query).map(({ field, value }) => `${field}:${value}`)).toEqual(words);
});
