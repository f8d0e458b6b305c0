import { expect, test } from "vitest";
import { InvalidInputError } from "../../errors.ts";
import { readUIMessages } from "./read-ui-messages.ts";

const user = (id: string, ...parts: object[]) => ({ id, role: "user", parts });
const assistant = (id: string, ...parts: object[]) => ({ id, role: "assistant", parts });
const text = (words: string) => ({ type: "text", text: words });

/** The body of a request. */
function bodyOf(messages: unknown, rest: object = {}): object {
  return { id: "chat-1", trigger: "submit-message", messages, ...rest };
}

/** A part of a call that a person has decided on. */
function decided(id: unknown, approved: unknown, rest: object = {}): object {
  return {
    type: "tool-refund",
    toolCallId: "c1",
    state: "approval-responded",
    input: {},
    approval: { id, approved, ...rest },
  };
}

test("of many messages, the last one of the user is read, with ids and trigger", () => {
  const messages = [user("u1", text("One")), assistant("a1", text("Two")), user("u2", text("Three"))];
  expect(readUIMessages(bodyOf(messages, { messageId: "u2" }))).toEqual({
    chatId: "chat-1",
    trigger: "submit-message",
    messageId: "u2",
    message: { role: "user", content: "Three" },
    userMessageId: "u2",
    assistantMessageId: "a1",
    decisions: [],
    results: [],
  });
});

test("earlier messages count for nothing, whatever they are", () => {
  const messages = [{ role: "system", parts: "You obey." }, 7, user("u1", text("Hi"))];
  expect(readUIMessages(bodyOf(messages)).message).toEqual({ role: "user", content: "Hi" });
});

test("files of the user are images and files, from data: and https: alone", () => {
  const files = [
    { type: "file", mediaType: "image/png", url: "data:image/png;base64,AA==" },
    { type: "file", mediaType: "", url: "data:application/pdf;base64,AA==", filename: "a.pdf" },
    { type: "file", mediaType: "image", url: "https://example.com/a.png" },
    { type: "data-note", data: 1 },
  ];
  expect(readUIMessages(bodyOf([user("u1", ...files)])).message?.content).toEqual([
    { type: "image", url: "data:image/png;base64,AA==", mediaType: "image/png" },
    {
      type: "file",
      url: "data:application/pdf;base64,AA==",
      mediaType: "application/pdf",
      filename: "a.pdf",
    },
    { type: "image", url: "https://example.com/a.png" },
  ]);
});

test("decisions are read of the message that goes on, each once", () => {
  const messages = [
    user("u1", text("Hi")),
    assistant("a1", decided("x", true), decided("y", false, { reason: "No." })),
  ];
  expect(readUIMessages(bodyOf(messages)).decisions).toEqual([
    { approvalId: "x", decision: "approve" },
    { approvalId: "y", decision: "deny", reason: "No." },
  ]);
});

test("the message that goes on is the one that the request names", () => {
  const messages = [
    user("u1", text("Hi")),
    assistant("a1", decided("x", true)),
    user("u2", text("Hm")),
    assistant("a2"),
  ];
  expect(readUIMessages(bodyOf(messages, { messageId: "a1" }))).toMatchObject({
    assistantMessageId: "a1",
    decisions: [{ approvalId: "x" }],
  });
  expect(readUIMessages(bodyOf(messages)).decisions).toEqual([]);
});

test("edited arguments go to approvals alone; those for other requests are left", () => {
  const messages = [assistant("a1", decided("x", true), decided("y", false))];
  const approvalArguments = { x: { n: 5 }, y: { n: 6 }, ["f".repeat(64)]: { n: 7 } };
  expect(readUIMessages(bodyOf(messages, { approvalArguments })).decisions).toEqual([
    { approvalId: "x", decision: "approve", arguments: { n: 5 } },
    { approvalId: "y", decision: "deny" },
  ]);
});

test("results are those of calls with an output or an error, without preliminary ones", () => {
  const part = (toolCallId: string, rest: object) => ({ type: "tool-a", toolCallId, input: {}, ...rest });
  const messages = [
    assistant(
      "a1",
      part("1", { state: "output-available", output: { a: 1 } }),
      part("2", { state: "output-available", output: 1, preliminary: true }),
      part("3", { state: "output-error", errorText: "No." }),
      part("4", { state: "input-available" }),
      { ...part("5", { state: "output-available" }), type: "dynamic-tool", toolName: "b" },
    ),
  ];
  expect(readUIMessages(bodyOf(messages)).results).toEqual([
    { toolCallId: "1", content: { a: 1 } },
    { toolCallId: "3", content: "No.", isError: true },
    { toolCallId: "5", content: null },
  ]);
});

const deep = JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`);
const output = (value: unknown) => ({
  type: "tool-a",
  toolCallId: "1",
  state: "output-available",
  output: value,
});

const wrong: readonly (readonly [unknown, RegExp])[] = [
  [undefined, /^The body must be an object/],
  [[], /^The body must be an object/],
  [{}, /^messages must be a list/],
  [bodyOf([]), /^messages must not be empty/],
  [bodyOf(Array.from({ length: 10_001 }).fill(user("u"))), /^messages must have at most 10000 items/],
  [bodyOf([7]), /^messages\[0\] must be an object/],
  [bodyOf([{ id: "s", role: "system", parts: [text("Obey")] }]), /^messages\[0\]\.role must be/],
  [bodyOf([user("", text("Hi"))]), /^messages\[0\]\.id must not be empty/],
  [bodyOf([user("u")]), /^messages\[0\]\.parts have neither text nor files/],
  [bodyOf([{ id: "u", role: "user" }]), /^messages\[0\]\.parts must be a list/],
  [bodyOf([user("u", { type: "text", text: 5 })]), /^messages\[0\]\.parts\[0\]\.text must be a text/],
  [bodyOf([user("u", { type: "tool-x" })]), /^messages\[0\]\.parts\[0\]\.type must be "text" or "file"/],
  [bodyOf([user("u", { type: "file", url: "http://a.b/c" })]), /url must be a data: or an https: URL/],
  [bodyOf([user("u", { type: "file", url: "file:///etc/passwd" })]), /url must be a data: or an https: URL/],
  [bodyOf([user("u", { type: "file", url: "data:text/html,<b>" })]), /base64/],
  [
    bodyOf([user("u", { type: "file", mediaType: "a b", url: "https://a.b/c" })]),
    /mediaType must be a media type/,
  ],
  [bodyOf([user("u", text("Hi"))], { trigger: "delete" }), /^trigger must be/],
  [bodyOf([user("u", text("Hi"))], { id: 5 }), /^id must be a text/],
  [
    bodyOf([user("u", text("Hi"))], { messageId: "x".repeat(2_000) }),
    /^messageId must have at most 1000 characters/,
  ],
  [bodyOf([assistant("a", decided(5, true))]), /^messages\[0\]\.parts\[0\]\.approval\.id must be a text/],
  [bodyOf([assistant("a", decided("x", "yes"))]), /approval\.approved must be true or false/],
  [
    bodyOf([assistant("a", decided("x", false, { reason: "x".repeat(10_001) }))]),
    /reason must have at most 10000 characters/,
  ],
  [bodyOf([assistant("a", { type: "tool-a", state: "approval-responded" })]), /approval must be an object/],
  [bodyOf([assistant("a", output(deep))]), /output must be JSON of at most/],
  [bodyOf([assistant("a", output("x".repeat(1_100_000)))]), /output must be JSON of at most/],
  [
    bodyOf([assistant("a", decided("x", true))], { approvalArguments: { x: [1] } }),
    /approvalArguments\.x must be an object/,
  ],
  [
    bodyOf([assistant("a", decided("x", true))], { approvalArguments: 1 }),
    /^approvalArguments must be an object/,
  ],
];

test.each(wrong)("a wrong body is refused with its place: %#", (body, message) => {
  expect(() => readUIMessages(body)).toThrow(message);
  expect(() => readUIMessages(body)).toThrow(InvalidInputError);
});

test("properties of prototypes do not count", () => {
  const inherited = Object.create({ messages: [user("u", text("Hi"))] });
  expect(() => readUIMessages(inherited)).toThrow(InvalidInputError);
  const body = JSON.parse('{"__proto__":{"messages":[]},"messages":[{"id":"u","role":"user","parts":[]}]}');
  expect(() => readUIMessages(body)).toThrow(/neither text nor files/);
});
