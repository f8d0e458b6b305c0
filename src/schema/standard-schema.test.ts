import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ConfigurationError, SchemaNotFoundError } from "../errors.ts";
import {
  fromStandardSchema,
  isStandardSchema,
  outputJsonSchema,
  type StandardIssue,
  type StandardSchema,
} from "./standard-schema.ts";

const libraries = {
  zod: z.object({ city: z.string(), days: z.int().min(1).optional() }),
  arktype: type({ city: "string", "days?": "number.integer >= 1" }),
  valibot: toStandardJsonSchema(
    v.object({ city: v.string(), days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))) }),
  ),
} as const satisfies Record<string, StandardSchema<unknown, { city: string }>>;

describe.each(Object.entries<StandardSchema<unknown, { city: string }>>(libraries))("%s", (_, library) => {
  const schema = fromStandardSchema(library);

  test("its schemas are recognised", () => {
    expect(isStandardSchema(library)).toBe(true);
  });

  test("gives its JSON Schema, without $schema", () => {
    expect(schema.jsonSchema).toMatchObject({
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer", minimum: 1 } },
      required: ["city"],
    });
    expect(schema.jsonSchema).not.toHaveProperty("$schema");
  });

  test("validates, at once and later", async () => {
    const value = { city: "Paris", days: 2 };
    expect(schema.validate(value)).toEqual({ ok: true, value });
    expect(await schema.validateAsync?.(value)).toEqual({ ok: true, value });
  });

  test("reports what is wrong, where, and the value there", () => {
    const outcome = schema.validate({ city: "Paris", days: 0 });
    expect(outcome).toMatchObject({ ok: false, issues: [{ path: ["days"], received: 0 }] });
    expect(!outcome.ok && outcome.issues[0]?.message).toMatch(/1/);
    const missing = schema.validate({});
    expect(!missing.ok && missing.issues[0]).not.toHaveProperty("received");
  });
});

test("the output type is inferred", () => {
  const outcome = fromStandardSchema(z.object({ n: z.string().transform(Number) })).validate({ n: "4" });
  const n: number | undefined = outcome.ok ? outcome.value.n : undefined;
  expect(n).toBe(4);
});

describe("asynchronous validation", () => {
  const schema = fromStandardSchema(
    z.object({ city: z.string().refine(async (city) => city !== "Atlantis") }),
  );

  test("is awaited", async () => {
    expect((await schema.validateAsync?.({ city: "Paris" }))?.ok).toBe(true);
    expect((await schema.validateAsync?.({ city: "Atlantis" }))?.ok).toBe(false);
  });

  test("cannot be asked for at once", () => {
    expect(() => schema.validate({ city: "Paris" })).toThrow(ConfigurationError);
    expect(() => schema.validate({ city: "Paris" })).toThrow("call validateAsync");
  });
});

describe("a transform that throws is an issue, not an exception:", () => {
  const transform = (): string => {
    throw new Error("no such city");
  };
  const expected = { ok: false, issues: [{ path: [], message: "could not be checked: no such city" }] };

  test("later", async () => {
    const schema = fromStandardSchema(z.string().transform(transform));
    expect(await schema.validateAsync?.("Atlantis")).toEqual(expected);
  });

  test("at once", () => {
    const schema = fromStandardSchema(type("string").pipe(transform));
    expect(schema.validate("Atlantis")).toEqual(expected);
  });
});

describe("a schema without its JSON Schema", () => {
  function standing(vendor: string): StandardSchema {
    return { "~standard": { version: 1, vendor, validate: (value) => ({ value }) } };
  }

  test("of valibot names the package and the line to write", () => {
    const plain = v.object({ city: v.string() });
    expect(() => fromStandardSchema(plain)).toThrow(SchemaNotFoundError);
    expect(() => fromStandardSchema(plain)).toThrow(
      /npm install @valibot\/to-json-schema.*input: toStandardJsonSchema\(schema\)/,
    );
  });

  test.each(["zod", "arktype"])("of an old %s names the update", (vendor) => {
    expect(() => fromStandardSchema(standing(vendor))).toThrow(`npm install ${vendor}@latest`);
  });

  test("of another library names it", () => {
    expect(() => fromStandardSchema(standing("homemade"))).toThrow(/A homemade schema .* does not give/);
  });

  test("that cannot be expressed carries the library's reason", () => {
    expect(() => fromStandardSchema(z.object({ when: z.date() }))).toThrow(
      /zod cannot write this schema as JSON Schema: Date cannot be represented/,
    );
  });
});

test.each([null, undefined, 5, {}, { "~standard": 1 }, { "~standard": { version: 2 } }, () => 1])(
  "%j is not a Standard Schema",
  (value) => {
    expect(isStandardSchema(value)).toBe(false);
  },
);

test("libraries are asked for the draft that is read here, of input and output", () => {
  const targets: unknown[] = [];
  const convert = (options: unknown): object => {
    targets.push(options);
    return { type: "object" };
  };
  const library = {
    "~standard": {
      version: 1,
      vendor: "own",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: convert, output: convert },
    },
  } as const;
  expect(fromStandardSchema(library).jsonSchema).toEqual({ type: "object" });
  expect(outputJsonSchema(library)).toEqual({ type: "object" });
  expect(targets).toEqual([{ target: "draft-2020-12" }, { target: "draft-2020-12" }]);
});

test("a library that does not say what comes out leaves the output open", () => {
  const standard = { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) } as const;
  const output = (): never => {
    throw new Error("a transform");
  };
  expect(outputJsonSchema({ "~standard": standard })).toBeUndefined();
  const failing = { ...standard, jsonSchema: { input: () => ({}), output } };
  expect(outputJsonSchema({ "~standard": failing })).toBeUndefined();
  const empty = { ...standard, jsonSchema: { input: () => ({}), output: () => null } };
  expect(outputJsonSchema({ "~standard": empty })).toBeUndefined();
});

test("a hundred issues of a library are passed on: it may find one in each item of a long list", () => {
  const schema = fromStandardSchema(z.object({ flags: z.array(z.boolean()) }));
  const result = schema.validate({ flags: Array(5_000).fill(5) });
  expect(result.ok ? 0 : result.issues.length).toBe(100);
});

describe("a library of one's own", () => {
  const input = (): object => ({});
  const standardOf = (...issues: readonly StandardIssue[]) =>
    ({ version: 1, vendor: "own", validate: () => ({ issues }), jsonSchema: { input } }) as const;

  test("may leave out the path of an issue, or lead it to where nothing is", () => {
    const standard = standardOf(
      { message: "no" },
      { message: "no", path: ["a", "b"] },
      { message: "no", path: ["c", "length"] },
    );
    const schema = fromStandardSchema({ "~standard": standard });
    const value = { a: null, c: "x" };
    expect(schema.validate(value)).toEqual({
      ok: false,
      issues: [
        { path: [], message: "no", received: value },
        { path: ["a", "b"], message: "no" },
        { path: ["c", "length"], message: "no" },
      ],
    });
  });

  test("may say with a full stop why it cannot write a schema", () => {
    const refuse = (): never => {
      throw new Error("Not that one.");
    };
    const standard = { ...standardOf(), jsonSchema: { input: refuse } };
    expect(() => fromStandardSchema({ "~standard": standard })).toThrow("as JSON Schema: Not that one. Use");
  });

  test("may fail later than it is looked at, which does not end the program", async () => {
    const validate = async (): Promise<never> => Promise.reject(new Error("too late"));
    const standard = { ...standardOf(), validate };
    const schema = fromStandardSchema({ "~standard": standard });
    const rejections: unknown[] = [];
    const note = (reason: unknown): unknown => rejections.push(reason);
    process.on("unhandledRejection", note);
    expect(() => schema.validate(1)).toThrow("call validateAsync");
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect(rejections).toEqual([]);
  });
});
