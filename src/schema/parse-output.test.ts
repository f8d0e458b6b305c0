import { expect, test } from "vitest";
import { compileSchema } from "./compile-schema.ts";
import { maxArgumentsLength } from "./parse-arguments.ts";
import { parseOutput } from "./parse-output.ts";

const text = compileSchema({ type: "string" });

test("an answer is read that is as long as may be, and none that is longer", async () => {
  const longest = JSON.stringify("a".repeat(maxArgumentsLength - 2));
  expect((await parseOutput(longest, text, false)).ok).toBe(true);
  expect(await parseOutput(`${longest} `, text, false)).toMatchObject({
    issues: [{ path: [], message: "longer than 4194304 characters", expected: "JSON" }],
  });
});

test("what is wrong within a wrapped answer has its place, and the bare value is read as well", async () => {
  expect(await parseOutput('{"value":[5,6]}', text, true)).toMatchObject({ issues: [{ path: ["value"] }] });
  expect(await parseOutput('{"value":"a"}', text, true)).toEqual({ ok: true, value: "a" });
  expect(await parseOutput('"a"', text, true)).toEqual({ ok: true, value: "a" });
  expect(await parseOutput('{"value":"a"}', text, false)).toMatchObject({ ok: false });
});
