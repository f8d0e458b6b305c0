import type { AssistantMessage, Message, ModelRequest, Part, ToolResult } from "skein";
import { callsOf } from "../../src/providers/kit/test-messages.ts";
import { blueSquare } from "./scenario-kit.ts";

/** The beginning of a PDF. */
const pdf = "data:application/pdf;base64,JVBERi0xLjQK";

const lookUp = {
  name: "look_up",
  description: "Look up the code of a bird",
  inputSchema: {
    type: "object",
    properties: { bird: { type: "string" }, note: { type: "string" } },
    required: ["bird"],
  },
} as const;

const notes = { name: "notes.read", inputSchema: { type: "object", properties: {} } } as const;

const invoice = {
  type: "object",
  properties: { total: { type: "number" }, currency: { type: "string", enum: ["EUR", "USD"] } },
  required: ["total", "currency"],
} as const;

const hello: readonly Message[] = [{ role: "user", content: "Hello 🦢" }];

function asked(...content: readonly Part[]): Pick<ModelRequest, "messages"> {
  return { messages: [{ role: "user", content }] };
}

function answered(toolCallId: string, content: readonly Part[], isError = false): Message {
  const outcome: ToolResult["outcome"] = isError ? "error" : "success";
  return { role: "tool", result: { toolCallId, toolName: "look_up", content, isError, outcome } };
}

/** An answer with a call for each id. */
const called = (...ids: readonly string[]): AssistantMessage => callsOf('{ "bird": "heron" }', ids);

/**
 * A request for each thing that one can ask for. `spoken` is an answer that was read from the same provider, with
 * reasoning, text and the call `call_1`.
 */
export function goldenRequests(spoken: AssistantMessage): Readonly<Record<string, ModelRequest>> {
  return {
    "a text": { messages: hello },
    instructions: { instructions: "Be brief.", messages: hello },
    "system messages": {
      instructions: "Be brief.",
      messages: [
        { role: "system", content: "Be kind." },
        ...hello,
        { role: "system", content: "Now rhyme." },
      ],
    },
    tools: { messages: hello, tools: [lookUp, notes] },
    "strict tools": { messages: hello, tools: [{ ...lookUp, strict: true }] },
    "tools without a strict form": {
      messages: hello,
      tools: [{ ...lookUp, inputSchema: { type: "object", additionalProperties: true }, strict: true }],
    },
    "tool choice: auto": { messages: hello, tools: [lookUp], toolChoice: "auto" },
    "tool choice: required": { messages: hello, tools: [lookUp], toolChoice: "required" },
    "tool choice: none": { messages: hello, tools: [lookUp], toolChoice: "none" },
    "tool choice: one tool": { messages: hello, tools: [lookUp, notes], toolChoice: { tool: "notes.read" } },
    "tool choice without tools": { messages: hello, toolChoice: "required" },
    "calls one by one": { messages: hello, tools: [lookUp], parallelToolCalls: false },
    "calls side by side": { messages: hello, tools: [lookUp], parallelToolCalls: true },
    "an answer with a form": { messages: hello, output: { name: "invoice", schema: invoice } },
    images: asked(
      { type: "text", text: "What are these?" },
      { type: "image", url: blueSquare },
      { type: "image", url: "https://acme.test/a.png" },
    ),
    "a PDF": asked({ type: "file", url: pdf, filename: "a.pdf" }),
    "a PDF by its address": asked({
      type: "file",
      url: "https://acme.test/a.pdf",
      mediaType: "application/pdf",
    }),
    "a file of text": asked({ type: "file", url: "data:text/csv;base64,YSxiCg==", filename: "a.csv" }),
    audio: asked({ type: "file", url: "data:audio/wav;base64,UklGRg==" }),
    "a video": asked({ type: "file", url: "https://acme.test/a.mp4" }),
    "audio of a tool": {
      messages: [
        ...hello,
        called("call_1"),
        answered("call_1", [{ type: "file", url: "data:audio/wav;base64,UklGRg==" }]),
      ],
    },
    "tool results": {
      messages: [
        ...hello,
        called("call_1", "functions.look_up:2", "call_3", "call_4"),
        answered("call_1", [{ type: "text", text: "K7" }]),
        answered("functions.look_up:2", [
          { type: "text", text: "A photo." },
          { type: "image", url: blueSquare },
        ]),
        answered("call_3", [{ type: "text", text: "The archive is closed." }], true),
        answered("call_4", []),
      ],
      tools: [lookUp],
    },
    "a history that needs repair": {
      messages: [
        answered("lost", [{ type: "text", text: "K7" }]),
        ...hello,
        called("call_1", "call_2"),
        { role: "user", content: "Go on." },
        answered("call_2", [{ type: "text", text: "late" }]),
        called("call_1"),
      ],
      tools: [lookUp],
    },
    "reasoning goes back": {
      messages: [
        ...hello,
        spoken,
        answered("call_1", [{ type: "text", text: "K7" }]),
        { role: "user", content: "And now?" },
      ],
      tools: [lookUp],
    },
    "stop sequences": { messages: hello, settings: { stopSequences: ["END", "\n\n"] } },
    sampling: { messages: hello, settings: { temperature: 0.5, topP: 0.9, maxOutputTokens: 100 } },
    "a temperature above 1": { messages: hello, settings: { temperature: 1.5 } },
    penalties: { messages: hello, settings: { seed: 7, presencePenalty: 0.1, frequencyPenalty: 0.2 } },
    "log probabilities": { messages: hello, settings: { logprobs: true, topLogprobs: 2 } },
    ...Object.fromEntries(
      (["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const).map((reasoningEffort) => [
        `reasoning effort: ${reasoningEffort}`,
        { messages: hello, settings: { reasoningEffort } },
      ]),
    ),
    "fields of the provider's own": {
      messages: hello,
      tools: [lookUp],
      settings: {
        providerOptions: {
          cache_control: { type: "ephemeral" },
          prompt_cache_key: "swans",
          metadata: { user_id: "u1" },
        },
      },
    },
  };
}
