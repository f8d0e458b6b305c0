import OpenAI from "openai";
import { Agent, tool } from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { inTwoPieces, openServer, until } from "./open-server.ts";

async function clientOf(...args: Parameters<typeof openServer>): Promise<OpenAI> {
  const { url } = await openServer(...args);
  return new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 });
}

function counting(): Agent {
  return new Agent({
    name: "Desk",
    model: new FunctionModel(({ messages }) => `${messages.length} messages`),
  });
}

/** Refund an order. */
function refund(order: number) {
  return `Refunded ${order}.`;
}

test("a response goes on with the one before", async () => {
  const client = await clientOf({ desk: counting() });
  const first = await client.responses.create({ model: "desk", input: "One" });
  const second = await client.responses.create({
    model: "desk",
    input: "Two",
    previous_response_id: first.id,
  });
  expect([first.output_text, second.output_text]).toEqual(["1 messages", "3 messages"]);
  expect(second.previous_response_id).toBe(first.id);
  const branch = client.responses.create({ model: "desk", input: "Three", previous_response_id: first.id });
  await expect(branch).rejects.toMatchObject({ status: 400, param: "previous_response_id" });
});

test("a conversation is one, whatever the responses in it are called", async () => {
  const client = await clientOf({ desk: counting() });
  const ask = (input: string) => client.responses.create({ model: "desk", input, conversation: "conv_1" });
  expect([(await ask("One")).output_text, (await ask("Two")).output_text]).toEqual([
    "1 messages",
    "3 messages",
  ]);
});

test("a response is read again as it was, with what it was asked with", async () => {
  const client = await clientOf({ desk: counting() });
  const created = await client.responses.create({
    model: "desk",
    input: "One",
    metadata: { order: "7" },
    instructions: "Be brief.",
  });
  const { completed_at: _now, ...again } = await client.responses.retrieve(created.id);
  const { completed_at: _then, output_text: _text, ...before } = created;
  expect(again).toEqual(expect.objectContaining(before));
});

test("a stream that was cut goes on behind the last event", async () => {
  const { agent, goOn } = inTwoPieces("One, two.");
  const client = await clientOf({ desk: agent });
  const stream = await client.responses.create({ model: "desk", input: "Count", stream: true });
  let id = "";
  let last = -1;
  let text = "";
  for await (const event of stream) {
    last = event.sequence_number;
    if (event.type === "response.created") ({ id } = event.response);
    if (event.type === "response.output_text.delta") {
      text += event.delta;
      break;
    }
  }
  goOn();
  for await (const event of await client.responses.retrieve(id, { stream: true, starting_after: last }))
    if (event.type === "response.output_text.delta") text += event.delta;
  expect(text).toBe("One, two.");
  expect((await client.responses.retrieve(id)).output_text).toBe("One, two.");
});

test("a response in the background is there later, and can be cancelled", async () => {
  const { agent, goOn } = inTwoPieces("One, two.");
  const client = await clientOf({
    desk: agent,
    other: inTwoPieces("One, two.").agent.with({ name: "Other" }),
  });
  const created = await client.responses.create({ model: "desk", input: "Count", background: true });
  expect(["queued", "in_progress"]).toContain(created.status);
  goOn();
  await until(async () => (await client.responses.retrieve(created.id)).status === "completed");
  expect((await client.responses.retrieve(created.id)).output_text).toBe("One, two.");
  const slow = await client.responses.create({ model: "other", input: "Count", background: true });
  const cancelled = await client.responses.cancel(slow.id);
  expect(cancelled.status).toBe("cancelled");
  await until(async () => (await client.responses.retrieve(slow.id)).status === "cancelled");
});

test.each([
  [true, "It is success."],
  [false, "It is denied."],
])("an approval is an item that the client answers (approve: %s)", async (approve, text) => {
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === "user") return { toolCalls: [{ toolName: "refund", arguments: { order: 7 } }] };
    return last?.role === "tool" ? `It is ${last.result.outcome}.` : "Done.";
  });
  const client = await clientOf({
    desk: new Agent({ name: "Desk", model, tools: [tool(refund, { approval: true })] }),
  });
  const first = await client.responses.create({ model: "desk", input: "Money back!" });
  const item = first.output.find(({ type }) => type === "mcp_approval_request");
  expect(item).toMatchObject({ name: "refund" });
  const second = await client.responses.create({
    model: "desk",
    previous_response_id: first.id,
    input: [{ type: "mcp_approval_response", approval_request_id: item?.id ?? "", approve }],
  });
  expect(second.output_text).toBe(text);
  const again = await client.responses.retrieve(second.id);
  expect(again.output_text).toBe(text);
  expect((await client.responses.retrieve(first.id)).output).toEqual(first.output);
});

test("where nothing is kept, an approval is refused with what to write instead", async () => {
  const model = new FunctionModel(() => ({ toolCalls: [{ toolName: "refund", arguments: { order: 7 } }] }));
  const client = await clientOf({
    desk: new Agent({ name: "Desk", model, tools: [tool(refund, { approval: true })] }),
  });
  const refusal = client.responses.create({
    model: "desk",
    store: false,
    input: [
      { role: "user", content: "Money back!" },
      { type: "mcp_approval_response", approval_request_id: "a", approve: true },
    ],
  });
  await expect(refusal).rejects.toMatchObject({
    status: 409,
    code: "nothing-waits",
    message: expect.stringContaining("Leave store out, and answer with the previous_response_id"),
  });
});

test("a function of the client is called by the client, and its output goes on with the run", async () => {
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    const { content } = last?.role === "tool" ? last.result : { content: [] };
    const [part] = content;
    if (part?.type === "text") return `It is ${part.text}.`;
    return { toolCalls: [{ toolName: "weather", arguments: { city: "Paris" } }] };
  });
  const client = await clientOf({ desk: new Agent({ name: "Desk", model }) });
  const tools = [
    {
      type: "function" as const,
      name: "weather",
      description: "The weather.",
      strict: true,
      parameters: { type: "object", properties: { city: { type: "string" } } },
    },
  ];
  const first = await client.responses.create({ model: "desk", input: "Weather?", tools });
  const call = first.output.find((item) => item.type === "function_call");
  expect(JSON.parse(call?.arguments ?? "")).toEqual({ city: "Paris" });
  const second = await client.responses.create({
    model: "desk",
    tools,
    previous_response_id: first.id,
    input: [{ type: "function_call_output", call_id: call?.call_id ?? "", output: "18 degrees" }],
  });
  expect(second.output_text).toBe("It is 18 degrees.");
});

test("a typed answer has the schema of the request, and is corrected until it fits", async () => {
  const model = new ScriptedModel(['{"town":"Paris"}', '{"city":"Paris"}']);
  const client = await clientOf({ desk: new Agent({ name: "Desk", model }) });
  const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const response = await client.responses.create({
    model: "desk",
    input: "Where?",
    text: { format: { type: "json_schema", name: "place", schema } },
  });
  expect(JSON.parse(response.output_text)).toEqual({ city: "Paris" });
});

test("nothing is kept of a response that is not to be stored", async () => {
  const client = await clientOf({ desk: counting() });
  const response = await client.responses.create({ model: "desk", input: "One", store: false });
  expect(response.output_text).toBe("1 messages");
  await expect(client.responses.retrieve(response.id)).rejects.toMatchObject({ status: 404 });
});
