/** Asynchronous checks of zod run once, and one that rejects is a failed validation: Node would end the process otherwise. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import * as three from "zod/v3";
import { fromStandardSchema, type StandardSchema } from "./standard-schema.ts";
import { validateNow, validateStandard } from "./validate-standard.ts";

/** What no one has handled while `action` ran. */
async function rejectionsOf(action: () => unknown): Promise<unknown[]> {
  const rejections: unknown[] = [];
  const note = (reason: unknown): unknown => rejections.push(reason);
  process.on("unhandledRejection", note);
  try {
    await action();
    await new Promise((resolve) => setTimeout(resolve, 20));
  } finally {
    process.off("unhandledRejection", note);
  }
  return rejections;
}

let count = 0;
const fails = async (): Promise<never> => {
  count++;
  throw new Error("no answer");
};
const passes = async (): Promise<boolean> => ++count > 0;
const refuses = async (): Promise<boolean> => ++count < 0;

/** Objects with a text that is checked by a function. */
const libraries: Readonly<Record<string, (check: () => Promise<boolean>) => StandardSchema>> = {
  "zod 4": (check) => z.object({ url: z.string().refine(check, "unreachable") }),
  "zod mini": (check) => mini.object({ url: mini.string().check(mini.refine(check, "unreachable")) }),
  "zod 3": (check) => three.object({ url: three.string().refine(check, "unreachable") }),
};

describe.each(Object.entries(libraries))("%s", (_, schemaOf) => {
  test("an asynchronous check runs once, whatever it says", async () => {
    for (const [check, result] of [
      [passes, { value: { url: "x" } }],
      [refuses, { issues: [expect.objectContaining({ message: "unreachable", path: ["url"] })] }],
    ] as const) {
      count = 0;
      expect(await validateStandard(schemaOf(check), { url: "x" })).toEqual(result);
      expect(count).toBe(1);
    }
  });

  test("one that rejects is a rejection, once", async () => {
    count = 0;
    const unhandled = await rejectionsOf(() =>
      expect(validateStandard(schemaOf(fails), { url: "x" })).rejects.toThrow("no answer"),
    );
    expect([unhandled, count]).toEqual([[], 1]);
  });
});

test.each<[string, StandardSchema, unknown]>([
  ["properties", z.object({ a: z.string().refine(fails), b: z.string().refine(fails) }), { a: "", b: "" }],
  ["items", z.array(z.string().refine(fails)), ["a", "b"]],
  ["a union", z.union([z.string().refine(fails), z.string().refine(fails)]), "a"],
  ["an intersection", z.intersection(z.string().refine(fails), z.string().refine(fails)), "a"],
  ["a transform", z.string().transform(fails), "a"],
  ["a preprocessor", z.preprocess(fails, z.string()), "a"],
  ["a record", z.record(z.string(), z.string().refine(fails)), { a: "", b: "" }],
])("no rejection of %s is left", async (_, schema, value) => {
  expect(
    await rejectionsOf(() => expect(validateStandard(schema, value)).rejects.toThrow("no answer")),
  ).toEqual([]);
});

test("a check that rejects is an issue of a tool's schema", async () => {
  const schema = fromStandardSchema(z.object({ url: z.string().refine(fails) }));
  expect(await schema.validateAsync?.({ url: "x" })).toEqual({
    ok: false,
    issues: [{ path: [], message: "could not be checked: no answer" }],
  });
});

test.each([["zod 4"], ["zod mini"]])(
  "%s: what is refused since it answers later leaves no rejection",
  async (name) => {
    const schema = libraries[name]?.(fails);
    const unhandled = await rejectionsOf(() => {
      expect(schema && validateNow(schema, { url: "x" })).toBeUndefined();
    });
    expect(unhandled).toEqual([]);
  },
);

test("what can be checked at once is", () => {
  const schema = z.object({ n: z.string().transform(Number) });
  expect(validateNow(schema, { n: "4" })).toEqual({ value: { n: 4 } });
  expect(validateNow(schema, {})).toMatchObject({ issues: [{ path: ["n"] }] });
  expect(validateNow(three.string(), 4)).toMatchObject({ issues: [{ path: [] }] });
});

test("a schema that says it is one of zod, and has no methods of it, is asked as the standard says", async () => {
  const plain: StandardSchema = {
    "~standard": { version: 1, vendor: "zod", validate: (value) => ({ value: [value] }) },
  };
  expect(await validateStandard(plain, 1)).toEqual({ value: [1] });
  expect(validateNow(plain, 1)).toEqual({ value: [1] });
});
