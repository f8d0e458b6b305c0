import { InvalidInputError, tool } from "skein";
import { RunAgentInputSchema } from "@ag-ui/core/schemas";
import { describe, expect, test } from "vitest";
import { fromAgUiInput } from "./from-ag-ui-input.ts";

const ids = { threadId: "thread", runId: "run" };

const user = (content: unknown, id = "u"): object => ({ id, role: "user", content });

/** An input that the schema of AG-UI accepts, too. */
function read(input: object): ReturnType<typeof fromAgUiInput> {
  RunAgentInputSchema.parse({ ...ids, messages: [], tools: [], context: [], ...input });
  return fromAgUiInput({ ...ids, messages: [], ...input });
}

test("the least input is an empty conversation", () => {
  expect(fromAgUiInput({ ...ids, messages: [] })).toEqual({
    ...ids,
    userMessages: [],
    messages: [],
    agUiMessages: [],
    tools: [],
    context: [],
    results: [],
    decisions: [],
  });
});

test("what the user has written behind the last answer is one message", () => {
  const messages = [
    user("Hello", "1"),
    { id: "2", role: "assistant", content: "Hi" },
    user("One", "3"),
    { id: "4", role: "reasoning", content: "Hm" },
    user("Two", "5"),
  ];
  expect(read({ messages }).message).toEqual({ role: "user", content: "One\n\nTwo" });
  expect(read({ messages: messages.slice(0, 2) }).message).toBeUndefined();
});

test("texts and parts together are parts", () => {
  const image = { type: "image", source: { type: "url", value: "https://a.test/b.png" } };
  expect(read({ messages: [user("See:", "1"), user([image], "2")] }).message).toEqual({
    role: "user",
    content: [
      { type: "text", text: "See:" },
      { type: "image", url: "https://a.test/b.png" },
    ],
  });
});

test.each<[string, object, unknown]>([
  ["text", { type: "text", text: "x" }, { type: "text", text: "x" }],
  ["empty text", { type: "text", text: "" }, undefined],
  [
    "an image in base64",
    { type: "image", source: { type: "data", value: "aGk=", mimeType: "image/png" } },
    { type: "image", url: "data:image/png;base64,aGk=", mediaType: "image/png" },
  ],
  [
    "audio",
    { type: "audio", source: { type: "data", value: "aGk=", mimeType: "audio/wav" } },
    { type: "file", url: "data:audio/wav;base64,aGk=", mediaType: "audio/wav" },
  ],
  [
    "a document with a name",
    {
      type: "document",
      source: { type: "url", value: "https://a.test/b", mimeType: "application/pdf" },
      metadata: { title: "b.pdf" },
    },
    { type: "file", url: "https://a.test/b", mediaType: "application/pdf", filename: "b.pdf" },
  ],
])(
  "of a part that is %s, the run gets what a model can be sent, and the client everything back",
  (_title, part, expected) => {
    const { message, agUiMessages } = read({ messages: [user([part])] });
    expect(message?.content).toEqual(expected === undefined ? [] : [expected]);
    expect(agUiMessages).toEqual([user([part])]);
  },
);

describe("an attachment that no model could be sent", () => {
  const url = (value: string): object => ({ type: "image", source: { type: "url", value } });
  const address = "messages[0].content[1].source.value must be an https: address or a data: URL.";
  test.each<[string, object, string]>([
    ["an address without encryption", url("http://10.0.0.1/a.png"), address],
    ["an address of a disk", url("file:///etc/passwd"), address],
    ["an address of a page", url("blob:https://a.test/1"), address],
    ["an address of a store", url("gs://bucket/a.png"), address],
    ["an id as an address", url("openai:file-abc"), address],
    [
      "a file of a provider",
      { type: "document", source: { type: "file", value: "file-1", provider: "openai" } },
      'messages[0].content[1].source.value must be the content of the file, with a source of the type "data" or "url"',
    ],
    [
      "an id of the time before AG-UI 1.0",
      { type: "binary", mimeType: "image/png", id: "file-1" },
      'messages[0].content[1] must have "data" with a "mimeType", or an https: address as "url"',
    ],
    [
      "an address of the time before AG-UI 1.0",
      { type: "binary", mimeType: "image/png", url: "http://a.test/a.png" },
      "messages[0].content[1].url must be an https: address or a data: URL.",
    ],
  ])("is refused where it is new, with what to send: %s", (_title, part, problem) => {
    const content = [{ type: "text", text: "What is it?" }, part];
    expect(() => fromAgUiInput({ ...ids, messages: [user(content)] })).toThrow(problem);
  });

  test("is left out where there is an answer behind it, and of results: they may come from elsewhere", () => {
    const part = url("http://10.0.0.1/a.png");
    const question = user([{ type: "text", text: "See:" }, part], "1");
    const call = { id: "2", role: "assistant", toolCalls: [called("c")] };
    const result = { id: "3", role: "tool", toolCallId: "c", content: [part] };
    const { messages, agUiMessages, userMessages } = read({ messages: [question, call, result] });
    expect(messages).toMatchObject([
      { role: "user", content: [{ type: "text", text: "See:" }] },
      { role: "assistant" },
      { role: "tool", result: { content: [] } },
    ]);
    expect(agUiMessages).toEqual([question, call, result]);
    expect(userMessages).toEqual([]);
  });
});

test("parts of the time before AG-UI 1.0 are read", () => {
  const binary = { type: "binary", mimeType: "image/jpeg", data: "aGk=" };
  const { message } = fromAgUiInput({
    ...ids,
    messages: [user([binary, { ...binary, data: undefined, url: "https://a.test/a.jpg" }])],
  });
  expect(message?.content).toEqual([
    { type: "image", url: "data:image/jpeg;base64,aGk=", mediaType: "image/jpeg" },
    { type: "image", url: "https://a.test/a.jpg", mediaType: "image/jpeg" },
  ]);
});

const called = (id: string, name = "find"): object => ({
  id,
  type: "function",
  function: { name, arguments: '{"a":1}' },
});

test("a history is that of the run: without the messages of agents within it, with the names of the tools", () => {
  const { messages, agUiMessages } = read({
    messages: [
      { id: "0", role: "developer", content: "Be brief." },
      user("Go", "1"),
      { id: "2", role: "assistant", toolCalls: [called("c")] },
      { id: "3", role: "assistant", content: "within", subagentRunId: "c/agent-1" },
      { id: "4", role: "tool", toolCallId: "c", content: "", error: "It broke.", metadata: { own: 1 } },
      { id: "5", role: "assistant", name: "Host", content: "Sorry.", encryptedValue: "x" },
    ],
  });
  expect(messages).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Go" },
    {
      role: "assistant",
      content: "",
      toolCalls: [{ toolCallId: "c", toolName: "find", arguments: '{"a":1}' }],
    },
    {
      role: "tool",
      result: {
        toolCallId: "c",
        toolName: "find",
        content: [{ type: "text", text: "It broke." }],
        isError: true,
        outcome: "error",
      },
    },
    { role: "assistant", content: "Sorry.", toolCalls: [] },
  ]);
  expect(agUiMessages).toHaveLength(6);
  expect(agUiMessages.slice(4)).toEqual([
    { id: "4", role: "tool", toolCallId: "c", content: "", error: "It broke.", metadata: { own: 1 } },
    { id: "5", role: "assistant", name: "Host", content: "Sorry.", encryptedValue: "x" },
  ]);
});

test("activities are the client's own", () => {
  const activity = { id: "a", role: "activity", activityType: "x", content: {} };
  expect(fromAgUiInput({ ...ids, messages: [activity] })).toMatchObject({ messages: [], agUiMessages: [] });
});

test("results are those since the user has written, of the last call that has the id", () => {
  const { results } = read({
    messages: [
      user("Go", "1"),
      { id: "2", role: "assistant", toolCalls: [called("old")] },
      { id: "3", role: "tool", toolCallId: "old", content: "earlier" },
      { id: "4", role: "assistant", content: "Done." },
      user("Again", "5"),
      { id: "6", role: "assistant", toolCalls: [called("call_0")] },
      { id: "7", role: "tool", toolCallId: "call_0", content: "the first" },
      { id: "8", role: "assistant", toolCalls: [called("call_0#2"), called("b")] },
      { id: "9", role: "tool", toolCallId: "call_0#2", content: "the second" },
      { id: "10", role: "assistant", content: "One moment." },
      { id: "11", role: "tool", toolCallId: "b", content: [{ type: "text", text: "text" }], error: "broken" },
    ],
  });
  expect(results).toEqual([
    { toolCallId: "call_0", content: "the second" },
    { toolCallId: "b", content: "text", isError: true },
  ]);
});

test("tools of the client are tools without execute", () => {
  const { tools } = read({
    tools: [
      {
        name: "pick",
        description: "Pick a colour.",
        parameters: { type: "object", properties: { hue: { type: "number" } } },
      },
      { name: "wave", description: "" },
    ],
  });
  expect(tools.map((each) => tool({ ...each }).execute)).toEqual([undefined, undefined]);
  expect(tools[1]).toEqual({ name: "wave", description: "", input: { type: "object", properties: {} } });
});

test("answers to interrupts are decisions and results; what is abandoned is denied", () => {
  const resolved = { status: "resolved" } as const;
  const { decisions, results } = read({
    resume: [
      { interruptId: "a", ...resolved, payload: { approved: true } },
      { interruptId: "b", ...resolved, payload: { approved: true, editedArgs: { n: 1 } } },
      { interruptId: "c", ...resolved, payload: { approved: false, reason: "No.", editedArgs: { n: 1 } } },
      { interruptId: "d", ...resolved, payload: false },
      { interruptId: "e", status: "cancelled" },
      { interruptId: "result:x/y", ...resolved, payload: { metres: 3 } },
      { interruptId: "result:z", status: "cancelled" },
    ],
  });
  expect(decisions).toEqual([
    { approvalId: "a", decision: "approve" },
    { approvalId: "b", decision: "approve", arguments: { n: 1 } },
    { approvalId: "c", decision: "deny", reason: "No." },
    { approvalId: "d", decision: "deny" },
    { approvalId: "e", decision: "deny", reason: "The request was cancelled without a decision." },
  ]);
  expect(results).toEqual([
    { toolCallId: "x/y", content: { metres: 3 } },
    { toolCallId: "z", content: "The user gave no answer.", isError: true },
  ]);
});

test("state, context and forwarded properties are copies", () => {
  const input = {
    state: { a: [1] },
    context: [{ description: "d", value: "v" }],
    forwardedProps: { x: null },
  };
  const read = fromAgUiInput({ ...ids, messages: [], ...input });
  expect(read).toMatchObject(input);
  expect(read.state).not.toBe(input.state);
});

const deep = (levels: number): unknown => (levels === 0 ? 0 : { a: deep(levels - 1) });

test.each<[string, unknown]>([
  ["The body must be an object, not null", null],
  ["The body must be an object, not a list", []],
  ["The body is nested deeper than 100 levels", { ...ids, messages: [], state: deep(101) }],
  ["threadId must be a text", { runId: "r", messages: [] }],
  ["threadId must be a text, not 7", { ...ids, threadId: 7, messages: [] }],
  ["threadId must have at most 1000 characters", { ...ids, threadId: "x".repeat(1_001), messages: [] }],
  ["runId must not be empty", { ...ids, runId: "", messages: [] }],
  ["messages must be a list", ids],
  ["messages must be a list, not an object", { ...ids, messages: {} }],
  ["messages must have at most 10000 items", { ...ids, messages: Array.from({ length: 10_001 }, () => 0) }],
  ['messages[0] must be an object, not "x"', { ...ids, messages: ["x"] }],
  ["messages[0].id must be", { ...ids, messages: [{ role: "user", content: "x" }] }],
  ["messages[0].role must be", { ...ids, messages: [{ id: "1", role: "admin" }] }],
  ["messages[0].content must be a list, not 7", { ...ids, messages: [user(7)] }],
  ["messages[0].content[0].type must be", { ...ids, messages: [user([{ type: "html" }])] }],
  ["messages[0].content[0].source must be an object", { ...ids, messages: [user([{ type: "image" }])] }],
  [
    "messages[0].content[0].source.value must be base64",
    {
      ...ids,
      messages: [user([{ type: "image", source: { type: "data", value: "a b", mimeType: "image/png" } }])],
    },
  ],
  [
    "messages[0].content[0].source.mimeType must be a media type",
    {
      ...ids,
      messages: [user([{ type: "image", source: { type: "data", value: "aGk=", mimeType: "image/png,x" } }])],
    },
  ],
  [
    "messages[0].content[0].source.mimeType must be there",
    { ...ids, messages: [user([{ type: "image", source: { type: "data", value: "aGk=" } }])] },
  ],
  [
    "messages[0].toolCalls[0].function must be an object",
    { ...ids, messages: [{ id: "1", role: "assistant", toolCalls: [{ id: "c" }] }] },
  ],
  ["messages[0].toolCallId must be", { ...ids, messages: [{ id: "1", role: "tool", content: "x" }] }],
  ["tools[0].name must be", { ...ids, messages: [], tools: [{ description: "x" }] }],
  ["tools[0].parameters must be an object", { ...ids, messages: [], tools: [{ name: "x", parameters: [] }] }],
  [
    "tools must have at most 500 items",
    { ...ids, messages: [], tools: Array.from({ length: 501 }, () => ({})) },
  ],
  ["context[0].value must be a text", { ...ids, messages: [], context: [{ value: 1 }] }],
  ["state must be JSON of at most", { ...ids, messages: [], state: "x".repeat(1_048_577) }],
  ["resume[0].interruptId must be", { ...ids, messages: [], resume: [{}] }],
  ["resume[0].status must be", { ...ids, messages: [], resume: [{ interruptId: "a", status: "ok" }] }],
  [
    "resume[0].payload must be an object",
    { ...ids, messages: [], resume: [{ interruptId: "a", status: "resolved" }] },
  ],
  [
    "resume[0].payload.approved must be true or false",
    {
      ...ids,
      messages: [],
      resume: [{ interruptId: "a", status: "resolved", payload: { approved: "yes" } }],
    },
  ],
  [
    "resume[0].payload.editedArgs must be an object",
    {
      ...ids,
      messages: [],
      resume: [{ interruptId: "a", status: "resolved", payload: { approved: true, editedArgs: [] } }],
    },
  ],
])("a wrong input is refused: %s", (message, input) => {
  expect(() => fromAgUiInput(input)).toThrow(InvalidInputError);
  expect(() => fromAgUiInput(input)).toThrow(message);
});

test("only what the input has itself counts", () => {
  const inherited: unknown = Object.create({ ...ids, messages: [] });
  expect(() => fromAgUiInput(inherited)).toThrow("messages must be a list");
  const body: unknown = JSON.parse(
    '{"threadId":"t","runId":"r","messages":[],"__proto__":{"resume":[{"interruptId":"a","status":"resolved","payload":true}]}}',
  );
  expect(fromAgUiInput(body).decisions).toEqual([]);
});

test("what is unknown is left out", () => {
  expect(read({ messages: [], protocolVersion: "9.9", news: 1 })).not.toHaveProperty("news");
});
