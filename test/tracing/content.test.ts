/** Content in the form of the conventions: fixtures has their JSON Schemas, without the descriptions. */
import { afterEach, expect, test } from "vitest";
import { Agent, compileSchema, type Message, result, run } from "skein";
import { ScriptedModel } from "skein/testing";
import { traceAll } from "skein/tracing";
import { useSdk } from "./current-sdk.ts";
import inputMessages from "./fixtures/gen-ai-input-messages.json" with { type: "json" };
import outputMessages from "./fixtures/gen-ai-output-messages.json" with { type: "json" };
import systemInstructions from "./fixtures/gen-ai-system-instructions.json" with { type: "json" };
import toolDefinitions from "./fixtures/gen-ai-tool-definitions.json" with { type: "json" };
import { agentOf, callOf, scriptedRuns, textTool } from "./scripted-runs.ts";

const recorder = useSdk();
afterEach(() => traceAll()());
const schemas = {
  "gen_ai.input.messages": inputMessages,
  "gen_ai.output.messages": outputMessages,
  "gen_ai.system_instructions": systemInstructions,
  "gen_ai.tool.definitions": toolDefinitions,
} as const;

/** The definition of each type of part: in the schemas one for anything stands beside them. */
const partDefinitions: Readonly<Record<string, string>> = {
  text: "TextPart",
  reasoning: "ReasoningPart",
  tool_call: "ToolCallRequestPart",
  tool_call_response: "ToolCallResponsePart",
  blob: "BlobPart",
  uri: "UriPart",
  provider: "GenericPart",
};

function expectValid(name: keyof typeof schemas, json: unknown): void {
  const value: unknown = JSON.parse(String(json));
  expect(compileSchema(schemas[name]).validate(value)).toMatchObject({ ok: true });
  if (name === "gen_ai.tool.definitions" || name === "gen_ai.system_instructions") return;
  for (const { parts } of value as readonly { readonly parts: readonly { readonly type: string }[] }[])
    for (const part of parts) {
      const $ref = `#/$defs/${partDefinitions[part.type]}`;
      const schema = compileSchema({ $ref, $defs: inputMessages.$defs });
      expect([part.type, schema.validate(part)]).toMatchObject([part.type, { ok: true }]);
    }
}

/** Checks all content of all spans, and returns how much of each kind there was. */
function checkAll(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { attributes } of recorder.ended)
    for (const name of Object.keys(schemas) as (keyof typeof schemas)[]) {
      if (attributes[name] === undefined) continue;
      expectValid(name, attributes[name]);
      counts[name] = (counts[name] ?? 0) + 1;
    }
  return counts;
}

/** The value of an attribute of the first span with that name. */
function valueOf(span: string, name: string): unknown {
  return JSON.parse(String(recorder.ended.find((each) => each.name === span)?.attributes[name]));
}

test.each(Object.entries(scriptedRuns))("the content of %s fits the schemas", async (_name, scripted) => {
  traceAll({ content: true });
  await scripted.run();
  expect(checkAll()["gen_ai.input.messages"]).toBeGreaterThan(0);
});

const history: readonly Message[] = [
  { role: "system", content: "Be kind." },
  {
    role: "user",
    content: [
      { type: "text", text: "Look" },
      { type: "image", url: "https://images.example/1.png" },
      { type: "image", url: "data:image/png;base64,AAAA" },
      { type: "file", url: "data:application/pdf;base64,AAAA", filename: "a.pdf" },
      { type: "file", url: "https://files.example/1.mp3", mediaType: "audio/mpeg" },
      { type: "file", url: `data:application/pdf;base64,${"A".repeat(9_000)}` },
    ],
  },
  {
    role: "assistant",
    agent: "A",
    content: [
      { type: "reasoning", text: "Hm." },
      { type: "provider", providerData: { provider: "other", data: { encrypted: "x" } } },
      { type: "tool-call", toolCallId: "1" },
    ],
    toolCalls: [
      { toolCallId: "1", toolName: "look", arguments: '{"text":"a"}' },
      { toolCallId: "2", toolName: "look", arguments: "{broken" },
    ],
  },
  {
    role: "tool",
    result: {
      toolCallId: "1",
      toolName: "look",
      content: [
        { type: "text", text: "{}" },
        { type: "image", url: "data:image/png;base64,AAAA" },
      ],
      structuredContent: { found: [1, null, { deep: "yes" }] },
      isError: false,
      outcome: "success",
    },
  },
];

test("messages with parts of all types are complete", async () => {
  traceAll({ content: true });
  const model = new ScriptedModel([{ reasoning: "I think.", text: "Hello.", finishReason: "length" }]);
  const agent = new Agent({ name: "A", instructions: "Help.", model, tools: [textTool("look")] });
  await run(agent, [...history, { role: "user", content: "And now?" }]);
  checkAll();
  expect(valueOf("chat scripted", "gen_ai.input.messages")).toEqual([
    { role: "system", parts: [{ type: "text", content: "Be kind." }] },
    {
      role: "user",
      parts: [
        { type: "text", content: "Look" },
        { type: "uri", modality: "image", uri: "https://images.example/1.png" },
        { type: "blob", modality: "image", mime_type: "image/png", content: "AAAA" },
        { type: "blob", modality: "document", mime_type: "application/pdf", content: "AAAA" },
        { type: "uri", modality: "audio", mime_type: "audio/mpeg", uri: "https://files.example/1.mp3" },
        { type: "blob", modality: "document", mime_type: "application/pdf", content: "" },
      ],
    },
    {
      role: "assistant",
      name: "A",
      parts: [
        { type: "reasoning", content: "Hm." },
        { type: "provider", provider: "other" },
        { type: "tool_call", id: "1", name: "look", arguments: { text: "a" } },
        { type: "tool_call", id: "2", name: "look", arguments: "{broken" },
      ],
    },
    {
      role: "tool",
      parts: [
        { type: "tool_call_response", id: "1", response: { found: [1, null, { deep: "yes" }] } },
        { type: "blob", modality: "image", mime_type: "image/png", content: "AAAA" },
      ],
    },
    expect.objectContaining({ role: "tool" }),
    { role: "user", parts: [{ type: "text", content: "And now?" }] },
  ]);
  expect(valueOf("chat scripted", "gen_ai.output.messages")).toEqual([
    {
      role: "assistant",
      parts: [
        { type: "reasoning", content: "I think." },
        { type: "text", content: "Hello." },
      ],
      finish_reason: "length",
    },
  ]);
  expect(valueOf("chat scripted", "gen_ai.system_instructions")).toEqual([
    { type: "text", content: "Help." },
  ]);
  expect(valueOf("chat scripted", "gen_ai.tool.definitions")).toMatchObject([
    { type: "function", name: "look", description: "The tool look", parameters: { type: "object" } },
  ]);
  expect(valueOf("invoke_agent A", "gen_ai.output.messages")).toMatchObject([{ role: "assistant" }]);
  expect(valueOf("invoke_agent A", "gen_ai.input.messages")).toHaveLength(6);
});

test("texts are cut, and an attribute stays bounded however long the history is", async () => {
  traceAll({ content: true });
  const long = "x".repeat(50_000);
  const look = textTool("look", () => result({ value: { long, __proto__x: 1 } }));
  const messages = Array.from({ length: 400 }, () => ({ role: "user", content: long }) as const);
  await run(agentOf("A", [{ toolCalls: [callOf("look", long)] }, long], [look]), messages);
  checkAll();
  for (const { attributes } of recorder.ended)
    for (const value of Object.values(attributes)) expect(String(value).length).toBeLessThan(300_000);
  const sent = valueOf("chat scripted", "gen_ai.input.messages") as { parts: { content: string }[] }[];
  expect(sent[0]?.parts[0]?.content).toMatch(/^\[\d+ earlier messages left out\]$/);
  expect(sent.at(-1)?.parts[0]?.content.length).toBeLessThanOrEqual(8_000);
  expect(sent.length).toBeGreaterThan(25);
  expect(JSON.stringify(valueOf("execute_tool look", "gen_ai.tool.call.arguments")).length).toBeLessThan(
    8_100,
  );
  expect(valueOf("execute_tool look", "gen_ai.tool.call.result")).toMatchObject({ __proto__x: 1 });
});

test("the message of an error is content", async () => {
  traceAll();
  await scriptedRuns["failure"]?.run();
  expect(recorder.ended.map(({ status }) => status.message)).toEqual([undefined, undefined]);
  traceAll({ content: "messages" });
  await scriptedRuns["failure"]?.run();
  expect(recorder.ended.at(-1)?.status.message).toBe("scripted:scripted failed: out of order");
});
