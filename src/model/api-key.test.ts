import { inspect } from "node:util";
import { expect, test } from "vitest";
import { ConfigurationError } from "../errors.ts";
import { assertKeyCharacters } from "./api-key.ts";

test.each(["sk-proj-Ab_9", "ollama", "a b", "aGVsbG8=", "key+/~."])("%j may be a key", (key) => {
  expect(() => assertKeyCharacters(key, "apiKey")).not.toThrow();
});

test.each([
  [() => "sk-hidden", "function"],
  [{ value: "sk-hidden" }, "object"],
  [1234567890, "number"],
])("a key that is not a text is refused, and not shown", (key, type) => {
  expect(() => assertKeyCharacters(key, "apiKey")).toThrow(
    `The key in apiKey must be a text, not of the type ${type}.`,
  );
});

test.each([
  ["sk-hidden\n", "a line break"],
  ["sk-\r\nhidden", "a line break"],
  ["hidden\u2028", "a line break"],
  ["«hidden»", "a typographic quotation mark"],
  ["`hidden", "a quotation mark at its beginning or end"],
  ["hidden'", "a quotation mark at its beginning or end"],
  ["hidden\u00AD", "an invisible character"],
  ["hidden\u3000", "a space other than the plain one"],
  ["hidden\u2212", "a dash where a hyphen belongs"],
  ["hidden\u007F", "a control character"],
  ["“sk-hidden”", "a typographic quotation mark"],
  ['"sk-hidden"', "a quotation mark at its beginning or end"],
  ["'sk-hidden", "a quotation mark at its beginning or end"],
  ["sk-hidden\u200B", "an invisible character"],
  ["\uFEFFsk-hidden", "an invisible character"],
  ["sk\u00A0hidden", "a space other than the plain one"],
  ["sk\u2013hidden", "a dash where a hyphen belongs"],
  ["sk-hidden…", "an ellipsis: it is not the whole key"],
  ["sk-\u0007hidden", "a control character"],
  ["sk-hiddenü", "a character outside ASCII"],
])("reports the kind of character in %j, never the key", (key, kind) => {
  let thrown: unknown;
  try {
    assertKeyCharacters(key, "OPENAI_API_KEY");
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ConfigurationError);
  expect(thrown).toMatchObject({
    code: "invalid-key",
    message: `The key in OPENAI_API_KEY holds ${kind}. Copy the key again, and it alone.`,
  });
  expect(inspect(thrown, { depth: 9, showHidden: true }).split("\n    at ")[0]).not.toContain("hidden");
});
