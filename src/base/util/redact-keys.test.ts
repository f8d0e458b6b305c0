import { expect, test } from "vitest";
import { redactKeys } from "./redact-keys.ts";

test.each([
  ["refused sk-proj-Ab_9cdefgh.", "refused [redacted]"],
  ["Bearer abcdef+/123= is wrong", "[redacted] is wrong"],
  ["hf_AbCdEfGhIj and pk_live_51abc", "[redacted] and [redacted]"],
  [`AIza${"x".repeat(35)}`, "[redacted]"],
  ["no answer of postgres://app:hunter2@db:5432/x", "no answer of postgres://app:[redacted]@db:5432/x"],
  ["redis://:hunter2@cache", "redis://:[redacted]@cache"],
  ["http://127.0.0.1:8080/a@b and mailto:me@host", undefined],
  ["the key pk_order_item of hf_datasets at messages[0].content", undefined],
  ["ask-me, task_list, sk-1", undefined],
])("%s", (text, clean = text) => {
  expect(redactKeys(text)).toBe(clean);
});

test("a long text of almost-keys is read once", () => {
  const text = "pk-".repeat(300_000);
  expect(redactKeys(text)).toBe(text);
});

test("a text of many beginnings of an address is read in linear time", () => {
  const text = "://a:".repeat(400_000);
  expect(redactKeys(text)).toBe(text);
});

test("a text of many beginnings of a token is read in linear time", () => {
  const text = "eyJ-".repeat(500_000);
  expect(redactKeys(text)).toBe(text);
});

test.each([
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3",
  "(eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.)",
])("the web token in %s is masked", (text) => {
  expect(redactKeys(text)).toMatch(/^\(?\[redacted\]\)?$/);
});
