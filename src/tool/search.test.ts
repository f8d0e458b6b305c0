import { expect, test } from "vitest";
import { tool } from "./define.ts";
import type { Tool } from "./types.ts";
import { searchTools } from "./search.ts";

const input = { type: "object" } as const;

/** The names of the tools that a query finds among tools of these names and descriptions. */
function find(query: string, descriptions: Readonly<Record<string, string>>): readonly string[] {
  const tools = Object.entries(descriptions).map(([name, description]) =>
    tool({ name, description, input, execute: () => "" }),
  );
  return searchTools(tools, query, 10).map(({ name }) => name);
}

test("the beginning of a longer word finds it, from four letters on", () => {
  const tools = { first: "Lists every category.", second: "Opens a catalogue." };
  expect(find("cate", tools)).toEqual(["first"]);
  expect(find("cat", tools)).toEqual([]);
});

test("a misspelt word of five letters or more is found, and a shorter one is not", () => {
  const tools = { first: "Opens a letter.", second: "Reads mail." };
  expect(find("lettr", tools)).toEqual(["first"]);
  expect(find("maik", tools)).toEqual([]);
  expect(find("lettr mail", tools)).toEqual(["second"]);
});

test("upper and lower case are alike, and words that say nothing find nothing", () => {
  const tools = { first: "What to do with THE Invoice" };
  expect(find("INVOICE", tools)).toEqual(["first"]);
  expect(find("What do THE to", tools)).toEqual([]);
});

test("a name weighs more than a tag, that more than a description, and that more than a parameter", () => {
  const properties = { refund: { type: "string" } };
  const tools = [
    tool({ name: "a", input: { ...input, properties }, execute: () => "" }),
    tool({ name: "b", description: "refund", input, execute: () => "" }),
    tool({ name: "c", tags: ["refund"], input, execute: () => "" }),
    tool({ name: "refund", input, execute: () => "" }),
  ];
  expect(searchTools(tools, "refund", 10).map(({ name }) => name)).toEqual(["refund", "c", "b", "a"]);
});

test("the descriptions of parameters are searched, too", () => {
  const properties = { to: { type: "string", description: "Whose inbox" }, any: true };
  const send = tool({ name: "send", input: { ...input, properties }, execute: () => "" });
  expect(searchTools([send], "inbox", 1)).toEqual([send]);
});

test("of a very long query the first 500 characters count", () => {
  const tools = { first: "Sends an invoice." };
  expect(find(`${"x ".repeat(246)}invoice`, tools)).toEqual(["first"]);
  expect(find(`${"x ".repeat(250)}invoice`, tools)).toEqual([]);
});

test("a parameter is found by its name, and what is not a description says nothing", () => {
  const properties = {
    recipient: { type: "string", description: 7 },
    amount: "number",
    any: { type: "string" },
  };
  // Of others: what a program writes itself has been checked.
  const foreign = (name: string, schema: object): Tool => ({
    name,
    inputSchema: { jsonSchema: { ...schema }, validate: (value) => ({ ok: true, value }) },
    annotations: {},
    policy: {},
  });
  const send = foreign("send", { ...input, properties });
  const other = foreign("other", { type: "object", properties: "none" });
  expect(searchTools([send, other], "recipient", 9)).toEqual([send]);
  expect(searchTools([send, other], "undefined", 9)).toEqual([]);
  expect(searchTools([send, other], "number", 9)).toEqual([]);
});

test.each(["sendInvoice", "send_invoice", "send-invoice", "Send Invoice", "v2Invoice"])(
  "the parts of a name are words: %s",
  (name) => {
    expect(find("invoice", { [name]: "x", other: "y" })).toEqual([name]);
  },
);

test("words of any language are found", () => {
  expect(find("räume", { first: "Listet Räume, groß", second: "x" })).toEqual(["first"]);
  expect(find("天気", { first: "天気 を 見る", second: "x" })).toEqual(["first"]);
});

test("no more than the limit are found, and nothing for nothing", () => {
  const tools = ["a", "b", "c"].map((name) => tool({ name, description: "mail", input, execute: () => "" }));
  expect(searchTools(tools, "mail", 2)).toHaveLength(2);
  expect(searchTools(tools, "mail", Infinity)).toHaveLength(3);
  expect([searchTools(tools, "", 9), searchTools(tools, " - ", 9), searchTools([], "mail", 9)]).toEqual([
    [],
    [],
    [],
  ]);
});

test("tags are searched, each as a word", () => {
  const tagged = tool({ name: "a", tags: ["money", "bank"], input, execute: () => "" });
  expect(searchTools([tagged], "bank", 1)).toEqual([tagged]);
  expect(searchTools([tagged], "money", 1)).toEqual([tagged]);
  expect(searchTools([tagged], "moneybank", 1)).toEqual([]);
});
