import { asObject, asObjects, asText } from "../../src/providers/kit/json-values.ts";

/** A body of JSON. */
export type Body = Record<string, unknown>;

/** An answer of Messages: a call of the first tool, unless that was called, or else how long the conversation is. */
export function message({ model, tools, messages }: Body): Body {
  const list = asObjects(messages);
  const [tool] = asObjects(tools);
  const isCalled = JSON.stringify(list.at(-1)?.["content"] ?? "").includes("tool_result");
  const content =
    tool && !isCalled
      ? [{ type: "tool_use", id: `toolu_${list.length}`, name: asText(tool["name"]), input: {} }]
      : [{ type: "text", text: `Answer to ${list.length}.` }];
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: tool && !isCalled ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1_000, output_tokens: 100, service_tier: "batch" },
  };
}

/** The same of Chat Completions. */
export function completion({ model, messages, tools }: Body): Body {
  const list = asObjects(messages);
  const [tool] = asObjects(tools);
  const isCalled = list.at(-1)?.["role"] === "tool";
  const call = tool && {
    id: `call_${list.length}`,
    type: "function",
    function: { name: asText(asObject(tool["function"])["name"]), arguments: "{}" },
  };
  const answer =
    call && !isCalled
      ? { role: "assistant", content: null, tool_calls: [call] }
      : { role: "assistant", content: `Answer to ${list.length}.` };
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model,
    choices: [{ index: 0, message: answer, finish_reason: call && !isCalled ? "tool_calls" : "stop" }],
    usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
  };
}

/** An answer of Responses: how long the conversation is. */
export function response({ model, input }: Body): Body {
  const text = `Answer to ${asObjects(input).length}.`;
  return {
    id: "resp_1",
    object: "response",
    created_at: 1,
    status: "completed",
    model,
    output: [
      {
        id: "msg_1",
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text, annotations: [] }],
      },
    ],
    usage: { input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100 },
  };
}
