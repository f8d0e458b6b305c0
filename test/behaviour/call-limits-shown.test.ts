/** What clients see, over each protocol of a server, of a run that has made its calls or repeats itself. */
import { expect, test } from "vitest";
import { Agent, stream, tool, type RunOptions, type RunStream } from "skein";
import { toAgUiEvents, toChatCompletionChunks, toResponseEvents, toUIMessageChunks } from "skein/protocols";
import { ScriptedModel } from "skein/testing";

const look = tool({ name: "look", input: { type: "object", properties: {} }, execute: () => "nothing" });
const call = { toolName: "look" };

/** The last events of a run, as a protocol has them. */
async function endOf(
  write: (source: RunStream) => AsyncIterable<unknown>,
  options: RunOptions,
): Promise<string> {
  const turns = [{ toolCalls: [call, call] }, { toolCalls: [call] }, { toolCalls: [call] }];
  const agent = new Agent({ name: "A", model: new ScriptedModel(turns), tools: [look] });
  const events: unknown[] = [];
  for await (const event of write(stream(agent, "go", options))) events.push(event);
  return JSON.stringify(events.slice(-3));
}

const model = "m";
const protocols: readonly (readonly [
  string,
  (source: RunStream) => AsyncIterable<unknown>,
  RegExp,
  RegExp,
])[] = [
  [
    "Chat Completions",
    (source) => toChatCompletionChunks(source, { model }),
    /"finish_reason":"length"/,
    /"code":"repeating"/,
  ],
  [
    "Responses",
    (source) => toResponseEvents(source, { model }),
    /"reason":"max_output_tokens"/,
    /The run failed\. \(repeating\)/,
  ],
  [
    "AG-UI",
    (source) => toAgUiEvents(source, { threadId: "t", runId: "r" }),
    /"max-tool-calls"/,
    /"repeating"/,
  ],
  [
    "messages of the AI SDK",
    (source) => toUIMessageChunks(source),
    /"status":"max-tool-calls"/,
    /"status":"repeating"/,
  ],
];

test.each(protocols)("%s: how the run ended", async (_, write, limited, repeating) => {
  expect(await endOf(write, { maxToolCalls: 1 })).toMatch(limited);
  expect(await endOf(write, { maxRepeats: 2 })).toMatch(repeating);
});
