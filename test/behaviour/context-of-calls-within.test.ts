/** What calls of a tool change of the context: as they were made, whichever ends first. */
import { expect, test } from "vitest";
import { Agent, result, run, tool, type ToolContext } from "skein";
import { calls, empty } from "./test-nested.ts";

test("of two calls side by side that change the same key, the one made later wins, also if it ends first", async () => {
  const first = tool({
    name: "first",
    input: empty,
    execute: async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return result({ value: 1, context: { last: "first", first: true } });
    },
  });
  const second = tool({
    name: "second",
    input: empty,
    execute: () => result({ value: 2, context: { last: "second", second: true } }),
  });
  const both = tool({
    name: "both",
    input: empty,
    execute: (_input: unknown, { call }: ToolContext) => Promise.all([call("first", {}), call("second", {})]),
  });
  const agent = new Agent({ name: "A", model: calls("both"), tools: [first, second, both] });
  const { context } = await run(agent, "go", { context: {} });
  expect(context).toEqual({ last: "second", first: true, second: true });
});
