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

test.each([
  ["天气", "get_weather"],
  ["查询天气", "get_weather"],
  ["退款", "refund"],
  ["订单退款", "refund"],
  ["天気", "weather_jp"],
  ["東京の天気", "weather_jp"],
  ["メール", "mail_jp"],
  ["날씨", "weather_ko"],
  ["서울의 날씨를", "weather_ko"],
  ["สภาพอากาศ", "weather_th"],
  ["ອາກາດ", "weather_lo"],
  ["អាកាស", "weather_km"],
  ["ရာသီဥတု", "weather_my"],
])("words are found within a text without spaces: %s", (query, name) => {
  const [first] = find(query, {
    get_weather: "查询天气",
    refund: "给订单退款",
    weather_jp: "東京の天気を調べる",
    mail_jp: "新しいメールを送信",
    weather_ko: "서울의 날씨를 조회합니다",
    weather_th: "ตรวจสอบสภาพอากาศ",
    weather_lo: "ກວດເບິ່ງສະພາບອາກາດ",
    weather_km: "ពិនិត្យមើលអាកាសធាតុ",
    weather_my: "လက်ရှိရာသီဥတုကိုကြည့်ပါ",
  });
  expect(first).toBe(name);
});

test("a single character of such a text is found wherever it stands", () => {
  const tools = { first: "天气", second: "查天", third: "查询" };
  expect(find("天", tools)).toEqual(expect.arrayContaining(["first", "second"]));
  expect(find("天", tools)).toHaveLength(2);
  expect(find("气", tools)).toEqual(["first"]);
  expect(find("𠮷", { first: "野𠮷", second: "野家", third: "𠮷野家" })).toHaveLength(2);
});

test("a text without spaces ends where letters of another kind begin", () => {
  const tools = { first: "Slackに投稿する", second: "查询3日天气API" };
  expect(find("slack", tools)).toEqual(["first"]);
  expect(find("投稿", tools)).toEqual(["first"]);
  expect(find("api", tools)).toEqual(["second"]);
});

test("the more of a text without spaces is found, the higher a tool stands", () => {
  const tools = { first: "查询天气", second: "查询订单", third: "天气预报" };
  expect(find("查询天气", tools)[0]).toBe("first");
  expect(find("天气预报", tools)[0]).toBe("third");
});

test.each([
  ["GRÖSSE", "größe"],
  ["größe", "GRÖSSE"],
  ["grosse", "Größe"],
  ["cafe", "café"],
  ["CAFE\u0301", "café"],
  ["café", "cafe"],
  ["ｗｅａｔｈｅｒ", "weather"],
  ["ﬁle", "file"],
  ["ΟΔΟΣ", "οδός"],
  ["istanbul", "İSTANBUL"],
  ["ёлка", "елка"],
  ["ﾒｰﾙ", "メール"],
  ["한국", "\u1112\u1161\u11ab국어"],
  ["मौसम", "मौसम"],
])("%s is found where %s is written", (query, description) => {
  expect(find(query, { first: description, second: "x" })).toEqual(["first"]);
});

test("marks that make another letter stay: か is not が, and vowels of Hindi count", () => {
  expect(find("か", { first: "が", second: "か" })).toEqual(["second"]);
  expect(find("मसम", { first: "मौसम" })).toEqual([]);
});

test.each([
  ["invoice", "send_invoice listInvoices"],
  ["send invoice to customer", "send_invoice listInvoices sendMail order_history refundOrder v2Export"],
  ["customers", "v2Export"],
  ["refund the order", "refundOrder order_history"],
  ["weather in the city", "get_weather weatherForecast"],
  ["forecst", "weatherForecast"],
  ["file", "readFile search_files sendMail"],
  ["search for files by name", "search_files sendMail"],
  ["export UTF-8 v2", "v2Export"],
  ["send", "sendMail send_invoice refundOrder"],
  ["orders of a customer", "order_history send_invoice listInvoices v2Export"],
  ["GitHub issue", "createIssue"],
])("the order of what %s finds stays", (query, names) => {
  const catalogue = {
    send_invoice: "Send an invoice to a customer.",
    listInvoices: "List the invoices of a customer, the newest first.",
    refundOrder: "Refund an order and send a letter about it.",
    order_history: "The history of orders of a customer.",
    get_weather: "Get the current weather in a city.",
    weatherForecast: "Forecast the weather of the next days, with temperatures.",
    search_files: "Search files by their names or by what is in them.",
    readFile: "Read a file from the disk.",
    v2Export: "Export customers as CSV (UTF-8), for Excel.",
    createIssue: "Create an issue on GitHub and assign it.",
    sendMail: "Send mail, with files attached.",
  };
  expect(find(query, catalogue).join(" ")).toBe(names);
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
