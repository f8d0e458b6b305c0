/** Arguments that come as an object, instead of its text: their numbers are those that the model wrote, or the call is refused. */
import { expect, test } from "vitest";
import { Agent, run, tool } from "skein";
import { modelOver, type Protocol } from "./protocols.ts";

const unsafe = '{"invoice":9007199254740993}';
const call = (args: string): string => `{"index":0,"id":"i","function":{"name":"pay","arguments":${args}}}`;
const item = (args: string): string =>
  `{"type":"function_call","id":"f","call_id":"i","name":"pay","arguments":${args},"status":"completed"}`;

/** The events of an answer that calls `pay`, each as a text: what `JSON.stringify` writes has lost the digits. */
const answers: readonly (readonly [string, Protocol, (args: string) => readonly string[]])[] = [
  [
    "a piece of Chat Completions",
    "chat",
    (args) => [
      `{"choices":[{"index":0,"delta":{"tool_calls":[${call(args)}]},"finish_reason":"tool_calls"}]}`,
      "[DONE]",
    ],
  ],
  [
    "an item of Responses",
    "responses",
    (args) => [
      '{"type":"response.created","response":{"id":"r"}}',
      `{"type":"response.output_item.done","output_index":0,"item":${item(args)}}`,
      `{"type":"response.completed","response":{"id":"r","status":"completed","output":[${item(args)}]}}`,
    ],
  ],
  [
    "the start of a block of Messages",
    "messages",
    (args) => [
      '{"type":"message_start","message":{"id":"m","content":[],"usage":{}}}',
      `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"i","name":"pay","input":${args}}}`,
      '{"type":"content_block_stop","index":0}',
      '{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{}}',
      '{"type":"message_stop"}',
    ],
  ],
  [
    "a part of Gemini",
    "google",
    (args) => [
      `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"pay","args":${args}}}]},"finishReason":"STOP"}]}`,
    ],
  ],
];

async function executed(protocol: Protocol, events: readonly string[], type: string): Promise<unknown[]> {
  const inputs: unknown[] = [];
  const input = { type: "object", properties: { invoice: { type } }, required: ["invoice"] };
  const pay = tool({ name: "pay", input, execute: (args) => void inputs.push(args) });
  const fetch = async (): Promise<Response> =>
    new Response(events.map((text) => `data: ${text}\n\n`).join(""), {
      headers: { "content-type": "text/event-stream" },
    });
  const model = modelOver(protocol, { url: "https://api.acme.test", fetch });
  const agent = new Agent({ name: "A", model, tools: [pay], settings: { maxRetries: 0 } });
  await run(agent, "Pay.", { maxTurns: 1 });
  return inputs;
}

test.each(answers)("no digit is lost in %s", async (_place, protocol, events) => {
  expect(await executed(protocol, events(unsafe), "integer")).toEqual([]);
  expect(await executed(protocol, events('{"invoice":1e400}'), "number")).toEqual([]);
  expect(await executed(protocol, events(unsafe), "string")).toEqual([{ invoice: "9007199254740993" }]);
  expect(await executed(protocol, events('{"invoice":7}'), "integer")).toEqual([{ invoice: 7 }]);
});
