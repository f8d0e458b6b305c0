/** A reader that goes on at a place that cannot be one is told so: it would end without an event, or begin again, without a word. */
import { expect, test } from "vitest";
import { Agent, ConfigurationError, stream } from "skein";
import { ScriptedModel } from "skein/testing";

function running() {
  return stream(new Agent({ name: "A", model: new ScriptedModel(["Hello there."]) }), "Hi");
}

test.each<[unknown]>([
  [Number.NaN],
  [Infinity],
  [-1],
  [-Infinity],
  [1.5],
  ["3"],
  [""],
  [null],
  [true],
  [[2]],
  [{}],
  [2 ** 60],
])("events after %j are refused", async (after) => {
  const followed = running();
  const read = () => followed.events({ after: after as number });
  expect(read).toThrow(ConfigurationError);
  expect(read).toThrow(/^after must be the index of an event, not /);
  expect((await followed.result).text).toBe("Hello there.");
});

test("events after the last one are none, and all where nothing says after which", async () => {
  const followed = running();
  const all = await Array.fromAsync(followed.events());
  expect(await Array.fromAsync(followed.events({ after: undefined }))).toEqual(all);
  expect(await Array.fromAsync(followed.events({ after: 0 }))).toEqual(all.slice(1));
  expect(await Array.fromAsync(followed.events({ after: all.length + 5 }))).toEqual([]);
});
