/** Calls that are not what the protocol says: an answer that has them is an error, not one without calls. */
import { expect, test } from "vitest";
import { chatChunk } from "./answers.ts";
import { googleChunk } from "./google-answers.ts";
import { expectError, meantText, outcomeOf, outcomeOfWhole } from "./hostile-server.ts";

const wrong = ["act", 5, true, { act: {} }, [null], ["act"], [[]]];
const call = { id: "a", type: "function", function: { name: "act", arguments: meantText } };

test.each<readonly [string, object]>([
  ...wrong.map((calls) => [`tool_calls ${JSON.stringify(calls)}`, { tool_calls: calls }] as const),
  ["calls as members", { tool_calls: { 0: call } }],
  ["calls beside others", { tool_calls: [{ index: 0, ...call }, "act"] }],
  ["the function act", { tool_calls: [{ ...call, index: 0, function: "act" }] }],
  ["the function 5", { tool_calls: [{ ...call, index: 0, function: 5 }] }],
  ["functions in a list", { tool_calls: [{ ...call, index: 0, function: [call.function] }] }],
  ["the function_call act", { function_call: "act" }],
  ["function_calls in a list", { function_call: [call.function] }],
  ["an object as content", { content: { tool_calls: [call] } }],
  ["a number as content", { content: 5 }],
])("chat: %s, streamed or whole, are an error", async (_title, delta) => {
  const events = [
    chatChunk("A", { role: "assistant", ...delta }),
    chatChunk("A", {}, "tool_calls"),
    "[DONE]",
  ];
  expectError(await outcomeOf("chat", events));
  const choice = { index: 0, finish_reason: "tool_calls", message: { role: "assistant", ...delta } };
  expectError(await outcomeOfWhole("chat", { id: "A", object: "chat.completion", choices: [choice] }));
});

test.each(["act", 5, [{ tool_calls: [call] }]])("chat: the delta %j is an error", async (delta) => {
  const choice = { index: 0, delta, finish_reason: "tool_calls" };
  expectError(await outcomeOf("chat", [{ id: "A", choices: [choice] }, "[DONE]"]));
});

test.each(["act", 5, { 0: { delta: { tool_calls: [call] } } }])(
  "chat: the choices %j are an error",
  async (choices) => {
    expectError(await outcomeOf("chat", [{ id: "A", choices }, "[DONE]"]));
  },
);

test.each(["act", 5, ["act"]])("google: the functionCall %j is an error", async (functionCall) => {
  expectError(await outcomeOf("google", [googleChunk("A", [{ functionCall }], { finishReason: "STOP" })]));
});

test.each(["act", { type: "function_call" }, [null], ["act"]])(
  "responses: the output %j is an error",
  async (output) => {
    expectError(
      await outcomeOfWhole("responses", { object: "response", id: "A", status: "completed", output }),
    );
  },
);

test("chat: an answer without calls is complete", async () => {
  for (const delta of [{ tool_calls: null }, { tool_calls: [] }, { function_call: null }]) {
    const events = [chatChunk("A", { content: "Well.", ...delta }), chatChunk("A", {}, "stop"), "[DONE]"];
    expect((await outcomeOf("chat", events)).result).toMatchObject({ status: "completed", text: "Well." });
  }
});
