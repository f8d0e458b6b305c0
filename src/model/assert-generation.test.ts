import { expect, test } from "vitest";
import { assertGeneration, problemOfGeneration } from "./assert-generation.ts";

const call = { toolCallId: "1", toolName: "act", arguments: "{}" };
const other = { ...call, toolCallId: "2" };
const message = { role: "assistant", content: [], toolCalls: [] };
const whole = {
  text: "",
  message,
  toolCalls: [],
  finishReason: "stop",
  usage: {},
  response: {},
  timing: {},
  warnings: [],
};

/** An object that is nested as deep as that, itself counted. */
function nested(levels: number): object {
  return levels === 1 ? {} : { inner: nested(levels - 1) };
}

const problemOf = (changes: object): string | undefined => problemOfGeneration({ ...whole, ...changes });
const problemOfPart = (part: unknown): string | undefined =>
  problemOf({ message: { ...message, content: [{ type: "text", text: "" }, part] } });

test.each<[string, object]>([
  ["no more than it must", {}],
  ["a refusal and warnings", { refusal: "no", warnings: ["careful"] }],
  ["counts, zero and left out", { usage: { inputTokens: 0, outputTokens: 12, totalTokens: undefined } }],
  [
    "the calls of the message as another list",
    { message: { ...message, toolCalls: [call] }, toolCalls: [{ ...call }] },
  ],
  ["some of the message's calls", { message: { ...message, toolCalls: [call, other] }, toolCalls: [other] }],
  ["a call without an id", { message: { ...message, toolCalls: [{ ...call, toolCallId: "" }] } }],
])("a generation may have %s", (_, changes) => {
  expect(problemOf(changes)).toBeUndefined();
});

test.each<[string, object]>([
  ["no generation.message", { message: [] }],
  ["no list of parts in generation.message.content", { message: { ...message, content: {} } }],
  ["no toolCalls in generation or generation.message", { message: { ...message, toolCalls: undefined } }],
  ["no toolCalls in generation or generation.message", { toolCalls: undefined }],
  ["no generation.usage", { usage: undefined }],
  ["no generation.response", { response: undefined }],
  ["no generation.timing", { timing: undefined }],
  ["a generation.text that is not a text", { text: undefined }],
  ["a generation.finishReason that is not a text", { finishReason: undefined }],
  ["a generation.refusal that is not a text", { refusal: null }],
  ["a generation.warnings that is not a list of texts", { warnings: undefined }],
  ["a generation.warnings that is not a list of texts", { warnings: ["careful", 1] }],
])("it is a problem to have %s: %j", (problem, changes) => {
  expect(problemOf(changes)).toBe(problem);
});

test.each([undefined, null, "text", []])("%j is not a generation", (value) => {
  expect(problemOfGeneration(value)).toBe("no generation");
});

test("a call that the message lacks is a problem, whichever others there are", () => {
  const problem = "a tool call in generation.toolCalls that generation.message.toolCalls lacks";
  for (const stranger of [other, null, "2"])
    expect(problemOf({ message: { ...message, toolCalls: [call] }, toolCalls: [call, stranger] })).toBe(
      problem,
    );
});

test.each([
  call.arguments,
  null,
  { ...call, arguments: {} },
  { ...call, toolCallId: 1 },
  { ...call, toolName: null },
])("%j is not a call, also behind one that is", (value) => {
  const toolCalls = [call, value];
  expect(problemOf({ message: { ...message, toolCalls }, toolCalls })).toBe(
    "a tool call whose toolCallId, toolName and arguments are not all texts",
  );
});

test.each([
  "inputTokens",
  "outputTokens",
  "totalTokens",
  "cachedInputTokens",
  "cacheWriteTokens",
  "reasoningTokens",
])("usage.%s is a whole number from zero on, or left out", (name) => {
  for (const count of [-1, 0.5, Number.NaN, Infinity, "1", null])
    expect(problemOf({ usage: { [name]: count } })).toBe(
      `a generation.usage.${name} that is not a number of tokens`,
    );
  for (const count of [0, 7, undefined]) expect(problemOf({ usage: { [name]: count } })).toBeUndefined();
});

test.each<[string, unknown]>([
  [" that is not a part", null],
  [" that is not a part", { text: "no type" }],
  [".text that is not a text", { type: "text" }],
  [".text that is not a text", { type: "reasoning", text: 1 }],
  [".url that is not a text", { type: "image" }],
  [".url that is not a text", { type: "file", url: {} }],
  [".mediaType that is not a text", { type: "file", url: "https://acme.test/a", mediaType: 5 }],
  [".filename that is not a text", { type: "file", url: "https://acme.test/a", filename: {} }],
  [".toolCallId that is not a text", { type: "tool-call" }],
  [".providerData that is not { provider, data }", { type: "provider", providerData: "data" }],
  [".providerData that is not { provider, data }", { type: "provider", providerData: { data: 1 } }],
  [
    ".providerData that is nested without end",
    { type: "provider", providerData: { provider: "p", data: nested(500) } },
  ],
])("a part is named by its place: one%s", (problem, part) => {
  expect(problemOfPart(part)).toBe(`a generation.message.content[1]${problem}`);
});

test.each<unknown>([
  { type: "reasoning", text: "" },
  { type: "image", url: "" },
  { type: "file", url: "" },
  { type: "tool-call", toolCallId: "1" },
  { type: "provider" },
  { type: "provider", providerData: { provider: "p", data: [null, 1] } },
  { type: "provider", providerData: { provider: "p", data: nested(499) } },
])("%j is a part", (part) => {
  expect(problemOfPart(part)).toBeUndefined();
});

test("a part with data of its provider does not hide the problem of the next one", () => {
  const content = [{ type: "provider" }, { type: "text" }];
  expect(problemOf({ message: { ...message, content } })).toBe(
    "a generation.message.content[1].text that is not a text",
  );
});

test("an error names the model and what is wrong; a whole generation is none", () => {
  const model = { provider: "acme", modelId: "m", stream: () => expect.fail("nothing is asked") };
  expect(() => assertGeneration(whole, model)).not.toThrow();
  expect(() => assertGeneration({}, model)).toThrow(
    expect.objectContaining({
      name: "MalformedResponseError",
      provider: "acme",
      modelId: "m",
      message:
        'The finish event of acme:m has no generation.message. Yield { type: "finish", generation } with every field of a Generation.',
    }),
  );
});
