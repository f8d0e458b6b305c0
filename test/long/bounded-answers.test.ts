/** Servers that never stop sending what is only stored: each answer ends with an error, long before the memory does. */
import { expect, test } from "vitest";
import { messageStart } from "../providers/answers.ts";
import { outcomeOfModel } from "../providers/hostile-server.ts";
import { modelOver, type Protocol } from "../providers/protocols.ts";

const filler = "x".repeat(200_000);
const block = (start: object): object => ({ type: "content_block_start", index: 0, content_block: start });
const delta = (piece: object): object => ({ type: "content_block_delta", index: 0, delta: piece });
const chunk = (fields: object, more: object = {}): object => ({
  choices: [{ index: 0, delta: fields }],
  ...more,
});
const part = (fields: object): object => ({ candidates: [{ content: { parts: [fields] } }] });
const item = (fields: object): ((count: number) => object) => {
  return (count) => ({
    type: "response.output_item.done",
    output_index: count,
    item: { id: `i${count}`, ...fields },
  });
};

const attacks: readonly (readonly [
  Protocol,
  string,
  readonly object[],
  object | ((count: number) => object),
])[] = [
  [
    "messages",
    "redacted thinking",
    [messageStart("m"), block({ type: "redacted_thinking", data: "" })],
    block({ type: "redacted_thinking", data: filler }),
  ],
  [
    "messages",
    "pieces of an unknown block",
    [messageStart("m"), block({ type: "unknown", log: "" })],
    delta({ type: "unknown_delta", log: filler }),
  ],
  [
    "messages",
    "fields of an unknown block",
    [messageStart("m"), block({ type: "unknown" })],
    (count) => delta({ type: "unknown_delta", [`field_${count}`]: filler }),
  ],
  [
    "messages",
    "citations",
    [messageStart("m"), block({ type: "text", text: "" })],
    delta({ type: "citations_delta", citation: { cited_text: filler } }),
  ],
  [
    "messages",
    "a signature",
    [messageStart("m"), block({ type: "thinking", thinking: "" })],
    delta({ type: "signature_delta", signature: filler }),
  ],
  [
    "messages",
    "small citations with a word each",
    [messageStart("m"), block({ type: "text", text: "" })],
    delta({ type: "citations_delta", citation: {} }),
  ],
  [
    "chat",
    "reasoning details",
    [],
    chunk({ reasoning_details: [{ type: "reasoning.encrypted", data: filler }] }),
  ],
  ["chat", "annotations", [], chunk({ content: "a", annotations: [{ url: filler }] })],
  [
    "chat",
    "annotations with an index",
    [],
    (count) => chunk({ executed_tools: [{ index: count, output: filler }] }),
  ],
  ["chat", "images", [], chunk({ images: [{ image_url: { url: filler } }] })],
  ["chat", "a refusal", [], chunk({ refusal: filler })],
  [
    "chat",
    "log probabilities",
    [],
    { choices: [{ index: 0, delta: {}, logprobs: { content: [{ token: filler, logprob: 0 }] } }] },
  ],
  [
    "chat",
    "arguments without a name",
    [],
    chunk({ tool_calls: [{ index: 0, function: { arguments: filler } }] }),
  ],
  [
    "chat",
    "calls",
    [],
    (count) =>
      chunk({ tool_calls: [{ index: count, id: `c${count}`, function: { name: "act", arguments: "{}" } }] }),
  ],
  ["responses", "items", [], item({ type: "web_search_call", results: filler })],
  [
    "responses",
    "thoughts that are sealed",
    [],
    item({ type: "reasoning", summary: [], encrypted_content: filler }),
  ],
  [
    "responses",
    "arguments without a call",
    [],
    { type: "response.function_call_arguments.delta", output_index: 0, delta: filler },
  ],
  [
    "responses",
    "states of the response",
    [],
    (count) => ({ type: "response.in_progress", response: { [`field_${count}`]: filler } }),
  ],
  ["google", "signatures", [], part({ text: "", thought: true, thoughtSignature: filler })],
  ["google", "unknown parts", [], part({ unknown: filler })],
  [
    "google",
    "metadata",
    [],
    (count) => ({ candidates: [{ groundingMetadata: { [`field_${count}`]: filler } }] }),
  ],
];

test.each(attacks)("%s: %s without end", { timeout: 120_000 }, async (protocol, _, start, more) => {
  let sent = 0;
  let count = 0;
  const encoder = new TextEncoder();
  const line = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;
  const next = (): string =>
    count < start.length ? line(start[count] ?? {}) : line(typeof more === "function" ? more(count) : more);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      let text = "";
      for (; text.length < 400_000 || count === 0; count++) text += next();
      sent += text.length;
      if (sent > 200_000_000) controller.close();
      else controller.enqueue(encoder.encode(text));
    },
  });
  const fetch = async (): Promise<Response> =>
    new Response(body, { headers: { "content-type": "text/event-stream" } });
  const { inputs, error } = await outcomeOfModel(
    modelOver(protocol, { url: "https://api.acme.test", fetch }),
  );
  expect(inputs).toEqual([]);
  expect(error).toMatchObject({
    code: "malformed-response",
    message: expect.stringContaining("answered with more than"),
  });
  expect(sent).toBeLessThan(150_000_000);
});
