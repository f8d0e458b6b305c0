import { readUIMessageStream, uiMessageChunkSchema, parseJsonEventStream, type UIMessage } from "ai";
import OpenAI from "openai";
import { Agent, tool } from "skein";
import { ScriptedModel, type TurnLike } from "skein/testing";
import { expect, test } from "vitest";
import { openServer } from "../server/open-server.ts";

const look = tool({
  name: "look",
  description: "Looks something up.",
  input: { type: "object", properties: { what: { type: "string" } }, required: ["what"] },
  execute: ({ what }: { what: string }) => `${what} is fine`,
});

const turns: readonly TurnLike[] = [
  { text: "Let me look. ", toolCalls: [{ toolName: "look", arguments: { what: "all" } }], chunkSize: 4 },
  { text: "All of it is fine, as far as I can see.", chunkSize: 3, delay: 1 },
];

/** An agent whose runs all go the same way. */
function desk(): Agent {
  let script = new ScriptedModel(turns);
  return new Agent({
    name: "Desk",
    tools: [look],
    model: {
      provider: "test",
      modelId: "repeated",
      async *stream(request) {
        if (request.messages.at(-1)?.role === "user") script = new ScriptedModel(turns);
        yield* script.stream(request);
      },
    },
  });
}

async function messageIn(response: Response): Promise<UIMessage | undefined> {
  const body = response.body ?? new ReadableStream();
  const parsed = parseJsonEventStream({ stream: body, schema: uiMessageChunkSchema });
  const chunks = parsed.pipeThrough(
    new TransformStream({
      transform: (chunk, controller) => {
        if (!chunk.success) throw chunk.error;
        controller.enqueue(chunk.value);
      },
    }),
  );
  let last: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream: chunks })) last = message;
  return last;
}

function textOf(message: UIMessage | undefined): string {
  return message?.parts.map((part) => (part.type === "text" ? part.text : "")).join("") ?? "";
}

const whole = "Let me look. All of it is fine, as far as I can see.";

test("a page that is loaded again behind any byte of an answer has the same message", async () => {
  const { url } = await openServer({ desk: desk() }, { perUser: { requestsPerMinute: 1_000_000 } });
  const post = (chat: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${url}/chat/desk`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        id: chat,
        messages: [{ id: `${chat}-m`, role: "user", parts: [{ type: "text", text: "Look!" }] }],
        trigger: "submit-message",
      }),
      ...(signal && { signal }),
    });
  const first = await messageIn(await post("whole"));
  expect(textOf(first)).toBe(whole);
  const resumed: string[] = [];
  for (let bytes = 1; bytes < 2_500; bytes += 37) {
    const chat = `cut-${bytes}`;
    const cut = new AbortController();
    const reader = (await post(chat, cut.signal)).body?.getReader();
    for (let read = 0; read < bytes;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      if (done) break;
      read += value?.byteLength ?? 0;
    }
    cut.abort();
    const again = await fetch(`${url}/chat/desk/${chat}/stream`);
    if (again.status === 200) resumed.push(textOf(await messageIn(again)));
    // The same message sent once more is the same run, whether it has ended or not.
    expect(textOf(await messageIn(await post(chat))), `sent again, cut at ${bytes}`).toBe(whole);
    const { messages } = await (await fetch(`${url}/chat/desk/${chat}`)).json();
    expect(messages.map(textOf), `loaded again, cut at ${bytes}`).toEqual(["Look!", whole]);
  }
  expect(resumed.length).toBeGreaterThan(5);
  expect(new Set(resumed)).toEqual(new Set([whole]));
});

test("a response goes on behind any of its events, while it comes and afterwards", async () => {
  const { url } = await openServer({ desk: desk() }, { perUser: { requestsPerMinute: 1_000_000 } });
  const client = new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 });
  const events = [];
  for await (const event of await client.responses.create({ model: "desk", input: "Look!", stream: true }))
    events.push(event);
  const [created] = events;
  const id = created?.type === "response.created" ? created.response.id : "";
  for (const [place, { sequence_number: after }] of events.entries()) {
    const rest = [];
    for await (const event of await client.responses.retrieve(id, { stream: true, starting_after: after }))
      rest.push(event);
    expect(rest.map(({ type, sequence_number }) => [type, sequence_number])).toEqual(
      events.slice(place + 1).map(({ type, sequence_number }) => [type, sequence_number]),
    );
    // Another one, left at this place while it comes.
    const stream = await client.responses.create({ model: "desk", input: "Look!", stream: true });
    const seen = [];
    let own = "";
    for await (const event of stream) {
      if (event.type === "response.created") own = event.response.id;
      seen.push(event);
      if (event.sequence_number >= after) break;
    }
    const last = seen.at(-1)?.sequence_number ?? 0;
    for await (const event of await client.responses.retrieve(own, { stream: true, starting_after: last }))
      seen.push(event);
    const end = seen.at(-1);
    expect(end?.type).toBe("response.completed");
    expect(seen.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
  }
});
