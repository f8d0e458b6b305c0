import { expect, test } from "vitest";
import {
  contentStems,
  ideasOf,
  identifierWords,
  isPast,
  sentenceWords,
  stem,
  synonymsOf,
} from "./vocabulary.ts";

test.each([
  ["order", "orders", "ordered", "ordering"],
  ["city", "cities"],
  ["movie", "movies"],
  ["purchase", "purchases", "purchased", "purchasing"],
  ["cancel", "cancels", "cancelled", "cancelling"],
  ["reimburse", "reimbursed", "reimbursement"],
  ["translate", "translation", "translating"],
  ["buy", "bought", "buying"],
])("the forms of %s have one stem", (...forms) => {
  expect(new Set(forms.map(stem)).size).toBe(1);
});

test.each([
  ["news", "new"],
  ["bus", "buy"],
  ["status", "state"],
])("%s and %s stay apart", (one, other) => {
  expect(stem(one)).not.toBe(stem(other));
});

test("identifiers are split at case, underscores and digits", () => {
  expect(identifierWords("getHTTPStatus2")).toEqual(["get", "http", "status", "2"]);
  expect(identifierWords("transfer_to_sales-team")).toEqual(["transfer", "to", "sales", "team"]);
});

test("phrases and signs become single words", () => {
  expect(sentenceWords("Give me my money back")).toEqual(["give", "me", "refund"]);
  expect(sentenceWords("my cash back for 2 + 3 * 4")).toEqual([
    "refund",
    "for",
    "2",
    "plus",
    "3",
    "multiply",
    "4",
  ]);
});

test("synonyms share an idea, and empty words are left out", () => {
  expect(ideasOf(stem("reimburse"))).toEqual(ideasOf(stem("refund")));
  expect(synonymsOf("refund")).toContain("return");
  expect(ideasOf("penguin")).toEqual([]);
  expect(contentStems(sentenceWords("Could you please refund the item?"))).toEqual(["refund", "item"]);
});

test("past forms are recognized", () => {
  expect(["ordered", "bought", "refunded"].every(isPast)).toBe(true);
  expect(["order", "need", "feed"].some(isPast)).toBe(false);
});
