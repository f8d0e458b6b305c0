import { expect } from "vitest";

/** A complete response. */
export const whole: object = { object: "response", id: "resp_1", status: "completed", output: [] };

/** The event that completes an item. */
export const done = (index: number, item: object): object => ({
  type: "response.output_item.done",
  output_index: index,
  item,
});

/** The event that completes a response. */
export const completed = (more: object = {}): object => ({
  type: "response.completed",
  response: { id: "resp_1", model: "m-2026", status: "completed", output: [], ...more },
});

/** A message of the server, as an item. */
export const message: Readonly<Record<string, unknown>> = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  phase: "final_answer",
  content: [
    { type: "output_text", annotations: [{ type: "url_citation", url: "https://acme.test" }], text: "4" },
  ],
};

/** A call, as an item. */
export const call: Readonly<Record<string, unknown>> = {
  type: "function_call",
  id: "fc_1",
  status: "completed",
  call_id: "call_1",
  name: "one",
  arguments: '{"x":1}',
};

/** The same call in a history. */
export const toolCall = { toolCallId: "call_1", toolName: "one", arguments: '{"x":1}' };

/** The result that the repair of the history adds. */
export const unanswered: object = {
  type: "function_call_output",
  call_id: "call_1",
  output: expect.stringContaining("before one finished"),
};
