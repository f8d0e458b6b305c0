/** A client sends what the model's provider does not support: a mistake of the request, which is not to be sent again. */
import OpenAI from "openai";
import { Agent } from "skein";
import { anthropic } from "skein/anthropic";
import { memoryStore } from "skein/durable";
import { expect, test } from "vitest";
import { openServer } from "./open-server.ts";

const model = anthropic("claude-sonnet-5-5", { apiKey: "none", baseURL: "http://127.0.0.1:1" });
const agents = { desk: new Agent({ name: "Desk", model }) };
const audio = "UklGRg==";
const url = `data:audio/wav;base64,${audio}`;
const words = "The model does not support the file (audio/wav) in a user's message.";
const named = 'The model does not support the file "x.wav" (audio/wav) in a user\'s message.';

const question = {
  model: "desk",
  messages: [
    { role: "user", content: [{ type: "input_audio", input_audio: { data: audio, format: "wav" } }] },
  ],
} as const;

async function open() {
  const { url: origin } = await openServer(agents, { onError() {} });
  return { origin, client: new OpenAI({ apiKey: "none", baseURL: `${origin}/v1`, maxRetries: 0 }) };
}

function post(address: string, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json", accept: "text/event-stream" };
  return fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
}

test("Chat Completions are refused with 400, and what the model does not support", async () => {
  const { client } = await open();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the client's type wants a list that can be changed
  const messages = question.messages as unknown as OpenAI.ChatCompletionMessageParam[];
  const asking = client.chat.completions.create({ model: "desk", messages });
  await expect(asking).rejects.toMatchObject({
    status: 400,
    type: "invalid_request_error",
    code: "unsupported-part",
    error: { message: words },
  });
});

test("a stream of Chat Completions ends with the same error", async () => {
  const { origin } = await open();
  const answer = await post(`${origin}/v1/chat/completions`, { ...question, stream: true });
  const text = await answer.text();
  expect(text).toContain(JSON.stringify(words).slice(1, -1));
  expect(text).toContain('"type":"invalid_request_error"');
});

test("a response has failed for its input", async () => {
  const { client } = await open();
  const file = { type: "input_file", filename: "x.wav", file_data: url } as const;
  const { status, error } = await client.responses.create({
    model: "desk",
    input: [{ role: "user", content: [file] }],
  });
  expect(status).toBe("failed");
  expect(error).toEqual({ code: "invalid_prompt", message: named });
});

test("a chat of the AI SDK reads what the model does not support, without the name of the model", async () => {
  const { origin } = await open();
  const parts = [{ type: "file", mediaType: "audio/wav", url }];
  const body = { id: "c", messages: [{ id: "m", role: "user", parts }], trigger: "submit-message" };
  const text = await (await post(`${origin}/chat/desk`, body)).text();
  expect(text).toContain(JSON.stringify(words).slice(1, -1));
  expect(text).not.toContain("claude");
});

test("a server whose runs are durable refuses with 400, too", async () => {
  const { url: origin } = await openServer(agents, { store: memoryStore(), onError() {} });
  const answer = await post(`${origin}/v1/chat/completions`, question);
  expect(answer.status).toBe(400);
});
