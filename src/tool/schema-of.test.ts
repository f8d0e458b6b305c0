import { expect, test } from "vitest";
import { Agent, run, schemaOf } from "../index.ts";
import { ScriptedModel } from "../testing/index.ts";

/** Wakes somebody up. */
function wake(who: string, onDone?: () => void): string {
  onDone?.();
  return who;
}

test("a schema has the warnings that every run has", async () => {
  const { warnings } = await schemaOf(wake);
  const agent = new Agent({ name: "A", model: new ScriptedModel(["Done."]), tools: [wake] });
  expect(warnings).toEqual([expect.stringContaining('"onDone"')]);
  expect((await run(agent, "Go")).warnings).toEqual(warnings?.map((warning) => `wake: ${warning}`));
});

test("a schema without warnings has no such property", async () => {
  expect(
    await schemaOf(function greet(who: string): string {
      return who;
    }),
  ).not.toHaveProperty("warnings");
});
