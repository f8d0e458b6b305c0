import { mkdtemp, rm } from "node:fs/promises";
import * as http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  Agent,
  generate,
  InvalidRequestError,
  media,
  type Message,
  type Model,
  OverloadedError,
  type Part,
  run,
  UnsupportedPartError,
} from "skein";
import { anthropic } from "skein/anthropic";
import { google } from "skein/google";
import { batched, fallback } from "skein/models";
import { openai } from "skein/openai";
import { recordFetch, replayFetch } from "skein/testing";
import { BatchServer } from "../batches/batch-server.ts";
import { FileServer } from "./file-server.ts";

/** Bytes of which each pattern is in base64, and that no text has. */
const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 256);
const pdf = media(bytes, "application/pdf", "größe.pdf");

type Options = { readonly uploads?: boolean | { readonly minBytes?: number }; readonly apiKey?: string };

/** The provider that a server's models are of; keys differ, so that tests share no files. */
let tests = 0;
function modelOf(name: string, server: FileServer, options: Options = {}): Model {
  const apiKey = options.apiKey ?? `key-${(tests += 1)}`;
  const own = { uploads: true, ...options, apiKey };
  if (name === "chat") return openai("some-model", { baseURL: `${server.url}/v1`, ...own });
  if (name === "responses") return openai.responses("some-model", { baseURL: `${server.url}/v1`, ...own });
  if (name === "anthropic") return anthropic("claude-opus-5-5", { baseURL: server.url, ...own });
  return google("gemini-3.8-flash", { baseURL: server.url, ...own });
}

function asked(...parts: readonly Part[]): Message {
  return { role: "user", content: [{ type: "text", text: "Read it." }, ...parts] };
}

const names = ["chat", "responses", "anthropic", "google"];

describe.each(names)("%s", (name) => {
  test("a large file is uploaded whole, and each request has its id instead of its content", async () => {
    await using server = await new FileServer().start();
    const agent = new Agent({ name: "Reader", model: modelOf(name, server) });
    const first = await run(agent, [asked(pdf)]);
    const second = await run(agent, [...first.state.messages, { role: "user", content: "And?" }]);
    expect(second.status).toBe("completed");
    expect(server.uploads).toHaveLength(1);
    const [file] = server.files.values();
    expect(file?.content.equals(bytes)).toBe(true);
    expect(file).toMatchObject({ mediaType: "application/pdf", filename: "größe.pdf" });
    expect(server.requests).toHaveLength(2);
    for (const request of server.requests) {
      expect(request).toContain(file?.id);
      expect(request.length).toBeLessThan(10_000);
    }
  });

  test("histories and states keep the part itself", async () => {
    await using server = await new FileServer().start();
    const { state } = await run(new Agent({ name: "Reader", model: modelOf(name, server) }), [asked(pdf)]);
    expect(state.messages[0]).toEqual(asked(pdf));
  });

  test("requests of one moment, also of other models of the account, share one upload", async () => {
    await using server = await new FileServer().start();
    const options = { apiKey: `shared-${name}` };
    const models = [1, 2, 3].map(() => modelOf(name, server, options));
    // Equal content, not the same object.
    await Promise.all(models.map((model) => generate(model, { messages: [asked({ ...pdf })] })));
    await generate(modelOf(name, server, options), { messages: [asked({ ...pdf })] });
    expect(server.uploads).toHaveLength(1);
    expect(server.requests).toHaveLength(4);
  });

  test("nothing is uploaded of a request with a part that cannot be sent, also in another message", async () => {
    await using server = await new FileServer().start();
    const model = modelOf(name, server);
    const refused: Part = { type: "file", url: "blob:https://page.example/1", mediaType: "application/pdf" };
    const broken: Part = { type: "file", url: `data:application/pdf;base64,${"*".repeat(400_000)}` };
    for (const messages of [[asked(pdf, refused)], [asked(pdf), asked(refused)], [asked(pdf, broken)]])
      await expect(generate(model, { messages })).rejects.toThrow(UnsupportedPartError);
    expect(server.uploads).toEqual([]);
    expect(server.requests).toEqual([]);
    await generate(model, { messages: [asked(pdf)] });
    await expect(generate(model, { messages: [asked(pdf, refused)] })).rejects.toThrow(UnsupportedPartError);
    expect([server.uploads.length, server.requests.length]).toEqual([1, 1]);
  });

  test("another account gets an upload of its own", async () => {
    await using server = await new FileServer().start();
    await generate(modelOf(name, server), { messages: [asked(pdf)] });
    await generate(modelOf(name, server), { messages: [asked(pdf)] });
    expect(server.files.size).toBe(2);
  });

  test("a file that the provider does not have any more is uploaded again, once", async () => {
    await using server = await new FileServer().start();
    const model = modelOf(name, server);
    await generate(model, { messages: [asked(pdf)] });
    const [old = ""] = server.files.keys();
    server.files.delete(old);
    server.files.set("another", { id: "", content: Buffer.of(), mediaType: "", filename: "", fields: {} });
    const { text } = await generate(model, { messages: [asked(pdf)] });
    expect(text).not.toBe("");
    expect(server.uploads).toHaveLength(2);
    expect(server.requests).toHaveLength(3);
  });

  test("several files that the provider does not have any more are each uploaded again, as it names them", async () => {
    await using server = await new FileServer().start();
    const model = modelOf(name, server);
    const others = [1, 2].map((more) =>
      media(Buffer.concat([bytes, Buffer.alloc(more, 32)]), "application/pdf", `more-${more}.pdf`),
    );
    const messages = [asked(pdf), ...others.map((part) => asked(part))];
    await generate(model, { messages });
    server.files.clear();
    expect((await generate(model, { messages })).text).not.toBe("");
    expect(server.uploads).toHaveLength(6);
    expect(server.files.size).toBe(3);
  });

  test("a server that forgets each file gets a request twice, and its error is thrown", async () => {
    await using server = await new FileServer().start();
    server.onRequest = ({ path }) => {
      if (!/files|^\/uploading/.test(path)) server.files.clear();
    };
    const settings = { maxRetries: 0 };
    await expect(generate(modelOf(name, server), { messages: [asked(pdf)], settings })).rejects.toThrow(
      /not found|not exist/,
    );
    expect(server.requests).toHaveLength(2);
  });

  test("an upload that fails is retried like a request", async () => {
    await using server = await new FileServer().start();
    server.failures.push(503);
    const { text } = await generate(modelOf(name, server), { messages: [asked(pdf)] });
    expect(text).not.toBe("");
    expect(server.uploads).toHaveLength(2);
  });

  test("the error of an upload is that of a request, without the key", async () => {
    await using server = await new FileServer().start();
    server.failures.push(500, 400);
    const model = modelOf(name, server, { apiKey: `secret-key-${name}-0123456789` });
    const ask = (): Promise<unknown> =>
      generate(model, { messages: [asked(pdf)], settings: { maxRetries: 0 } });
    await expect(ask()).rejects.toThrow(OverloadedError);
    await expect(ask()).rejects.toThrow(InvalidRequestError);
    expect(server.requests).toEqual([]);
    await expect(ask()).resolves.toBeDefined();
  });

  test("a file that is larger than the provider stores is not a matter of the model's context", async () => {
    await using server = await new FileServer().start();
    server.failures.push(413);
    const asking = generate(modelOf(name, server), { messages: [asked(pdf)] });
    await expect(asking).rejects.toThrow(InvalidRequestError);
    await expect(asking).rejects.toThrow(/larger than the provider stores/);
    expect(server.requests).toEqual([]);
  });

  test("what is small, or by address, is sent as it is, and nothing is uploaded without the option", async () => {
    await using server = await new FileServer().start();
    const small = media(bytes.subarray(0, 100), "application/pdf");
    await generate(modelOf(name, server), { messages: [asked(small)] });
    await generate(modelOf(name, server, { uploads: false }), { messages: [asked(pdf)] });
    const over = { uploads: { minBytes: 101 } };
    await generate(modelOf(name, server, over), { messages: [asked(small)] });
    expect(server.uploads).toEqual([]);
    await generate(modelOf(name, server, { uploads: { minBytes: 100 } }), { messages: [asked(small)] });
    expect(server.uploads).toHaveLength(1);
  });

  test("files that tools return are uploaded, too", async () => {
    await using server = await new FileServer().start();
    const result = { toolCallId: "c1", toolName: "look", isError: false, outcome: "success" } as const;
    const history: Message[] = [
      { role: "user", content: "Look." },
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "c1" }],
        toolCalls: [{ toolCallId: "c1", toolName: "look", arguments: "{}" }],
      },
      { role: "tool", result: { ...result, content: [pdf] } },
    ];
    await generate(modelOf(name, server), { messages: history });
    const [file] = server.files.values();
    expect(file?.content.equals(bytes)).toBe(true);
    expect(server.requests[0]).toContain(file?.id);
  });

  test("a request that is cancelled leaves an upload to the others that wait for it", async () => {
    await using server = await new FileServer().start();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    server.onRequest = async ({ path }) => {
      if (!path.endsWith("/files")) return;
      arrive();
      await held;
    };
    const model = modelOf(name, server);
    const controller = new AbortController();
    const messages = [asked(pdf)];
    const leaving = generate(model, { messages, signal: controller.signal });
    const staying = generate(model, { messages });
    await arrived;
    controller.abort(new Error("No longer."));
    await expect(leaving).rejects.toThrow("No longer.");
    release();
    await expect(staying).resolves.toBeDefined();
    expect(server.uploads).toHaveLength(1);
  });
});

describe("OpenAI", () => {
  test("images are stored for vision, other files as data of the user", async () => {
    await using server = await new FileServer().start();
    await generate(modelOf("responses", server), { messages: [asked(pdf, media(bytes, "image/png"))] });
    const purposes = [...server.files.values()].map(({ fields, mediaType }) => [mediaType, fields]);
    expect(Object.fromEntries(purposes)).toEqual({
      "application/pdf": { purpose: "user_data" },
      "image/png": { purpose: "vision" },
    });
    expect(server.requests[0]).toContain('"type":"input_image","file_id":"file-');
  });

  test("its own server is to delete files after 30 days", async () => {
    await using server = await new FileServer().start();
    const fetch: typeof globalThis.fetch = (input, init) =>
      globalThis.fetch(new URL(new URL(new Request(input).url).pathname, server.url), init);
    await generate(openai("gpt-5.2", { apiKey: "key-of-openai", fetch, uploads: true }), {
      messages: [asked(pdf)],
    });
    const [file] = server.files.values();
    expect(file?.fields).toEqual({
      purpose: "user_data",
      "expires_after[anchor]": "created_at",
      "expires_after[seconds]": "2592000",
    });
  });

  test("Chat Completions gets images and audio as content, since it takes no ids of them", async () => {
    await using server = await new FileServer().start();
    await generate(modelOf("chat", server), {
      messages: [asked(media(bytes, "image/png"), media(bytes, "audio/wav"))],
    });
    expect(server.uploads).toEqual([]);
    expect(server.requests[0]).toContain('"type":"input_audio"');
  });
});

describe("Google", () => {
  test("a video is referred to once it is processed, by the address that Google gave it", async () => {
    await using server = await new FileServer().start();
    server.looks = 3;
    await generate(modelOf("google", server), { messages: [asked(media(bytes, "video/mp4"))] });
    expect(server.received.filter(({ method }) => method === "GET")).toHaveLength(3);
    expect(JSON.parse(server.requests[0] ?? "").contents[0].parts[1]).toEqual({
      fileData: { mimeType: "video/mp4", fileUri: `${server.url}/v1beta/files/f1a` },
    });
  });

  test("a video that cannot be processed is refused with the reason", async () => {
    await using server = await new FileServer().start();
    Object.assign(server, { looks: 1, end: "FAILED" });
    const asking = generate(modelOf("google", server), { messages: [asked(media(bytes, "video/mp4"))] });
    await expect(asking).rejects.toThrow(/could not process an uploaded file: No frames\./);
    expect(server.requests).toEqual([]);
  });

  test("the reason does not show the key", async () => {
    await using server = await new FileServer().start();
    const apiKey = "planted-key-0123456789";
    Object.assign(server, { looks: 1, end: "FAILED", reason: `No frames for ${apiKey}` });
    const model = modelOf("google", server, { apiKey });
    const asking = generate(model, { messages: [asked(media(bytes, "video/mp4"))] });
    await expect(asking).rejects.toThrow("No frames for");
    await expect(asking).rejects.not.toThrow(apiKey);
  });

  test("the key does not go to another host, to which Google has the content sent", async () => {
    await using server = await new FileServer().start();
    server.uploadsTo = server.url.replace("127.0.0.1", "localhost");
    await generate(modelOf("google", server), { messages: [asked(pdf)] });
    const keys = server.received.map(({ path, headers }) => [path, "x-goog-api-key" in headers]);
    expect(keys.slice(0, 2)).toEqual([
      ["/upload/v1beta/files", true],
      ["/uploading/f1a", false],
    ]);
    expect(server.files.size).toBe(1);
  });

  test("a file that is about to be deleted is uploaded again before it is missed", async () => {
    await using server = await new FileServer().start();
    server.lifetime = 60_000;
    const model = modelOf("google", server);
    await generate(model, { messages: [asked(pdf)] });
    await generate(model, { messages: [asked(pdf)] });
    expect(server.uploads).toHaveLength(2);
  });
});

test.each(names)("unknown options of the uploads of %s are refused, by name", async (name) => {
  await using server = await new FileServer().start();
  const options = (uploads: unknown): Options => Object.fromEntries([["uploads", uploads]]);
  expect(() => modelOf(name, server, options({ minByte: 1 }))).toThrow(/no option "minByte".*"minBytes"/);
  expect(() => modelOf(name, server, options({ minBytes: -1 }))).toThrow(/at least 0/);
  expect(() => modelOf(name, server, options("yes"))).toThrow(/uploads: true, or \{ minBytes \}/);
});

test("uploads go over the connections of the model's agent", async () => {
  await using server = await new FileServer().start();
  const agent = new http.Agent({ keepAlive: true });
  const connections = new Set<unknown>();
  agent.on("free", (socket) => connections.add(socket));
  const options = { baseURL: server.url, apiKey: "key-of-agent", uploads: true, agent };
  await generate(anthropic("claude-opus-5-5", options), { messages: [asked(pdf)] });
  agent.destroy();
  expect(server.uploads).toHaveLength(1);
  expect(connections.size).toBe(1);
});

test("a recording has the uploads, and is replayed as often as it is read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "skein-uploads-"));
  const file = join(folder, "survey.jsonl");
  const server = await new FileServer().start();
  const options = { baseURL: server.url, apiKey: "key-recorded", uploads: true };
  const turns = async (fetch: typeof globalThis.fetch): Promise<void> => {
    const model = anthropic("claude-opus-5-5", { ...options, fetch });
    for (const _ of [1, 2]) await generate(model, { messages: [asked(pdf)] });
  };
  await turns(recordFetch(file));
  await server[Symbol.asyncDispose]();
  for (const _ of [1, 2]) {
    const replayed = replayFetch(file);
    await turns(replayed);
    replayed.assertComplete();
  }
  expect(server.uploads).toHaveLength(1);
  await rm(folder, { recursive: true });
});

test("what is not a part is refused as without uploads", async () => {
  await using server = await new FileServer().start();
  const parts: Part[] = JSON.parse('[{ "type": "image_url" }]');
  const asking = generate(modelOf("google", server), { messages: [asked(...parts)] });
  await expect(asking).rejects.toThrow('content[1] of messages[0] has the type "image_url"');
});

test("a media type of two lines is refused, and such a name stays within its line of the form", async () => {
  await using server = await new FileServer().start();
  const url = pdf.url.replace("application/pdf", "text/x\r\nevil: 1");
  const asking = generate(modelOf("responses", server), { messages: [asked({ type: "file", url })] });
  await expect(asking).rejects.toThrow(/must be a media type/);
  await generate(modelOf("responses", server), {
    messages: [asked(media(bytes, "application/pdf", 'a"\r\nb.pdf'))],
  });
  const [file] = server.files.values();
  expect(file).toMatchObject({ mediaType: "application/pdf", fields: { purpose: "user_data" } });
  expect(server.uploads[0]?.body.toString("latin1")).toContain('filename="a%22%0D%0Ab.pdf"\r\n');
});

test("a batch refers to what was uploaded before it", async () => {
  const server = await new BatchServer().start();
  const options = { baseURL: `${server.url}/v1`, apiKey: "key", uploads: true };
  const model = batched(openai.responses("gpt-5.2", options), { gather: 0, interval: 20 });
  await generate(model, { messages: [asked(pdf)] });
  await server.close();
  expect(server.count("POST /v1/files")).toBe(2);
  expect(JSON.stringify(server.batches[0]?.requests)).toMatch(/"type":"input_file","file_id":"\w/);
});

test("a model that takes a part answers in place of one that does not, which is asked again for the next", async () => {
  await using server = await new FileServer().start();
  const model = fallback([modelOf("anthropic", server), modelOf("google", server)]);
  const { text } = await generate(model, { messages: [asked(media(bytes, "audio/wav"))] });
  expect(text).toBe("Seen.");
  await generate(model, "Hello");
  expect(server.received.at(-1)?.path).toBe("/v1/messages");
});
