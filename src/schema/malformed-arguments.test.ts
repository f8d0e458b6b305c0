import { expect, test } from "vitest";
import { compileSchema } from "./compile-schema.ts";
import { malformedText } from "./fixtures/malformed-arguments.ts";
import { malformedStructures } from "./fixtures/malformed-structures.ts";
import { parseArguments } from "./parse-arguments.ts";
import { parsePlain } from "./parse-json.ts";

const groups = [...malformedText, ...malformedStructures].map((group) => ({
  ...group,
  schema: compileSchema(group.schema),
}));
const readable = groups.flatMap(({ title, schema, read }) =>
  read.map(([text, value]) => ({ title, schema, text, value })),
);
const refused = groups.flatMap(({ title, schema, refused }) =>
  refused.map((text) => ({ title, schema, text })),
);

test("the corpus holds hundreds, each once", () => {
  const all = [...readable, ...refused].map(({ title, text }) => `${title}: ${text}`);
  expect(all.length).toBeGreaterThan(400);
  expect(new Set(all).size).toBe(all.length);
});

test.each(readable)("$title: $text is read as what it means", async ({ schema, text, value }) => {
  expect(await parseArguments(text, schema)).toStrictEqual({ ok: true, value });
  // What needs no care proves nothing here.
  const plain = parsePlain(text);
  expect(plain && schema.validate(plain.value).ok).toBeFalsy();
});

/** How an issue says what is wrong: where in the text, or by the schema. */
const sentence =
  / \(line \d+, column \d+( of the text in the string)?\)$|^expected .+, received .+|required|not a known/;

test.each(refused)("$title: $text is refused, with what is wrong", async ({ schema, text }) => {
  const parsed = await parseArguments(text, schema);
  expect(parsed).toMatchObject({ ok: false });
  expect(parsed.ok ? [] : parsed.issues.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(sentence),
  );
});
