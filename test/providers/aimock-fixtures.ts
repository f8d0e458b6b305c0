import type { Fixture } from "@copilotkit/aimock";
import { closed, codes, receipt } from "./scenario-kit.ts";
import type { ScenarioName } from "./scenarios.ts";

type Call = { readonly id: string; readonly name: string; readonly arguments: string };
type Match = Fixture["match"];

const usage = { prompt_tokens: 31, completion_tokens: 7 };
const numbers = "1 2 3 4 5 6 7 8 9";
const story = "Once upon a time there was a goose that took its turn at the lead. ".repeat(10);

/** A thought that a mock has, to be looked for in later requests. */
export const thought = "The heron first, then the sum.";
/** What the Messages API signs the thought with. */
export const signature = "EqkE+c2lnbmF0dXJl==";

function say(match: Match, content: string, more: Partial<Fixture> = {}): Fixture {
  return { match, response: { content, usage }, ...more };
}

function call(match: Match, ...toolCalls: Call[]): Fixture {
  return { match, response: { toolCalls, usage } };
}

function lookUp(bird: string): Call {
  return { id: `call_${bird}`, name: "look_up_code", arguments: JSON.stringify({ bird }) };
}

/** After a result that has `words` in it, the last of the request. */
function after(toolCallId: string, words: string): Match {
  return { toolCallId, toolResultContains: words };
}

const heron = `The code of the heron is ${codes.heron}.`;
const takePhoto: Call = { id: "call_photo", name: "take_photo", arguments: "{}" };
const openArchive: Call = { id: "call_open", name: "open_archive", arguments: "{}" };

/** What the mock answers in each scenario: each fixture matches only a request that says what it must. */
export const fixtures: Readonly<Record<ScenarioName, readonly Fixture[]>> = {
  answer: [say({ userMessage: "goose", systemMessage: "terse" }, "goose")],
  stream: [say({ userMessage: "Count from 1 to 9" }, numbers, { chunkSize: 3 })],
  "one-call": [
    say(after("call_heron", codes.heron), heron),
    call({ userMessage: "heron", toolName: "look_up_code", hasToolResult: false }, lookUp("heron")),
  ],
  "parallel-calls": [
    say(after("call_crane", codes.crane), `${heron} That of the crane is ${codes.crane}.`),
    call({ userMessage: "both at once", hasToolResult: false }, lookUp("heron"), lookUp("crane")),
  ],
  "failing-tool": [
    say(after("call_open", closed), "It is closed until Thursday."),
    call({ userMessage: "Open the archive", hasToolResult: false }, openArchive),
  ],
  handoff: [
    say(after("call_refund", receipt), `Done. Your receipt is ${receipt}.`),
    call(
      { toolCallId: "call_transfer", systemMessage: "Refund the item", toolName: "refund_item" },
      { id: "call_refund", name: "refund_item", arguments: '{"item":2}' },
    ),
    call(
      { userMessage: "item 2", systemMessage: "hand over", toolName: "transfer_to_refunds" },
      { id: "call_transfer", name: "transfer_to_refunds", arguments: "{}" },
    ),
  ],
  required: [
    say(after("call_heron", codes.heron), "Hello."),
    call({ userMessage: "Say hello", toolName: "look_up_code", hasToolResult: false }, lookUp("heron")),
  ],
  none: [say({ userMessage: "If you cannot know" }, "I cannot know it.")],
  named: [
    call({ userMessage: "heron", model: "claude-sonnet-5-5" }, lookUp("heron")),
    call({ userMessage: "heron", toolName: "open_archive" }, openArchive),
  ],
  "user-image": [say({ userMessage: "Which colour" }, "Red.")],
  "result-image": [
    say({ predicate: ({ messages }) => messages.some(({ role }) => role === "tool") }, "Blue."),
    call({ userMessage: "Take a photo" }, takePhoto),
  ],
  usage: [
    say({ userMessage: "goose" }, "goose"),
    say(after("call_heron", codes.heron), heron),
    call({ userMessage: "heron", hasToolResult: false }, lookUp("heron")),
  ],
  length: [
    {
      match: { userMessage: "a thousand words" },
      response: { content: "Once upon a time", finishReason: "length" },
    },
  ],
  abort: [
    say({ userMessage: "Never mind" }, "goose"),
    say({ userMessage: "a thousand words" }, story, { latency: 5, chunkSize: 4 }),
  ],
  "generate-stream": [say({ userMessage: "Count from 1 to 9" }, numbers, { chunkSize: 2 })],
  resume: [
    say(after("call_heron", "Z9-0001"), "It is Z9-0001."),
    call({ userMessage: "heron", hasToolResult: false }, lookUp("heron")),
  ],
  reasoning: [
    say(after("call_crane", codes.crane), `${codes.crane}, and the sum is 18.`),
    call({ userMessage: "same for the crane", hasToolResult: false }, lookUp("crane")),
    say(after("call_heron", codes.heron), `${codes.heron}, and the sum is 26.`),
    {
      match: { userMessage: "Look up the code", hasToolResult: false },
      response: { toolCalls: [lookUp("heron")], reasoning: thought, reasoningSignature: signature, usage },
    },
  ],
};
