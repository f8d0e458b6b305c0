import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { generate } from "../../run/generate.ts";
import { openai } from "../../providers/openai/index.ts";
import { record, recordFetch, replay, replayFetch, ScriptedModel } from "../index.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "secrets-"));
  file = join(folder, "some.jsonl");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const readRecording = (): string => readFileSync(file, "utf8");
const saying =
  (content: string): typeof fetch =>
  async () =>
    Response.json({ id: "x", choices: [{ index: 0, message: { content }, finish_reason: "stop" }] });
const messages = "Hello";

test("a key that the model repeats is neither in the wire nor in the events", async () => {
  const model = openai("m", {
    apiKey: "supersecretValue12345",
    fetch: saying("it is supersecretValue12345"),
  });
  const { text } = await generate(record(model, file), { messages });
  expect(text).toBe("it is supersecretValue12345");
  expect(readRecording()).toContain('"it is [redacted]"');
  expect(readRecording()).not.toContain("supersecret");
  expect((await generate(replay(file), { messages })).text).toBe("it is [redacted]");
});

test.each([
  ["all but its last character", (key: string) => key.slice(0, -1)],
  ["its second half", (key: string) => key.slice(9)],
  ["its beginning and its end", (key: string) => `${key.slice(0, 8)}****${key.slice(-8)}`],
])("a recording has no key of which a server sends back %s", async (_part, partOf) => {
  const apiKey = "Zq81hTTkkq93mmaPq7d";
  const content = `Wrong key: ${partOf(apiKey)}. Ask Zoe`;
  const model = record(openai("m", { apiKey, fetch: saying(content) }), file);
  await generate(model, { messages });
  for (const piece of [apiKey.slice(0, 8), apiKey.slice(-8)]) expect(readRecording()).not.toContain(piece);
  const answer = await generate(replay(file), { messages });
  expect(answer.text).toMatch(/^Wrong key: .*\. Ask Zoe$/);
});

const unicodeEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
const percentEscape = (char: string): string => `%${char.charCodeAt(0).toString(16)}`;

test.each([
  ["JSON's escapes", unicodeEscape],
  ["JSON's escapes within JSON", (char: string) => `\\${unicodeEscape(char)}`],
  ["an address's escapes", percentEscape],
  ["a page's escapes", (char: string) => `&#${char.charCodeAt(0)};`],
  ["escapes of some characters", (char: string) => (/[\d/]/.test(char) ? percentEscape(char) : char)],
  ["hexadecimal digits", (char: string) => char.charCodeAt(0).toString(16)],
])("a recording has no key that a server writes in %s", async (_form, write) => {
  const apiKey = "Zq81hTTkk/q93mmaPq7d";
  const escapedKey = apiKey.replaceAll(/./g, write);
  const model = record(openai("m", { apiKey, fetch: saying(`It is ${escapedKey}. Bye`) }), file);
  const { text } = await generate(model, { messages: `Is it ${escapedKey}?` });
  expect(text).toContain(escapedKey);
  for (const piece of [escapedKey, JSON.stringify(escapedKey).slice(1, -1)])
    expect(readRecording()).not.toContain(piece);
  expect((await generate(replay(file), { messages: `Is it ${escapedKey}?` })).text).toMatch(
    /^It is \[redacted\]\**\. Bye$/,
  );
});

test("arguments of calls have no values of fields that are named like secrets, and a replay matches", async () => {
  const call = {
    password: "hunter2hunter2",
    nested: { api_key: "zzzz1111zzzz", pin_token: 12_345_678 },
    pageToken: "page-two",
  };
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "login", arguments: call }] }]);
  const request = { messages: [{ role: "user", content: `log in with ${JSON.stringify(call)}` }] } as const;
  await generate(record(model, file), request);
  for (const secret of ["hunter2", "zzzz1111", "12345678"]) expect(readRecording()).not.toContain(secret);
  expect(readRecording()).toContain("page-two");
  const again = replay(file);
  const { toolCalls } = await generate(again, request);
  expect(JSON.parse(toolCalls[0]?.arguments ?? "")).toMatchObject({
    password: "[redacted]",
    pageToken: "page-two",
  });
  again.assertComplete();
});

test("forms, parts and signed addresses of recordFetch have no secrets, and a replay matches", async () => {
  const fields = {
    password: "BODYSECRET1",
    client_secret: "CSSECRET12",
    refresh_token: "RTSECRET12",
    "user[password]": "NESTED12",
  };
  const parts = `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nPARTSECRET1\r\n--b--`;
  const url = "https://x.example/?X-Amz-Signature=AMZSECRET&X-Amz-Security-Token=STSECRET1&page=2";
  const send = async (use: typeof fetch): Promise<void> => {
    for (const body of [new URLSearchParams(fields), parts])
      await (await use(url, { method: "POST", body })).text();
  };
  await send(
    recordFetch(file, { fetch: async () => new Response("see https://x.example/?sig=SIGSECRET1&a=b") }),
  );
  for (const secret of [
    "BODYSECRET",
    "CSSECRET",
    "RTSECRET",
    "NESTED12",
    "PARTSECRET",
    "AMZSECRET",
    "STSECRET",
    "SIGSECRET",
  ])
    expect(readRecording()).not.toContain(secret);
  expect(readRecording()).toContain("page=2");
  const again = replayFetch(file);
  await send(again);
  again.assertComplete();
});

test("a value of the environment is redacted in all of its escaped forms", async () => {
  const secret = 'env"tök en\\12345678';
  vi.stubEnv("MY_TOKEN", secret);
  const nested = JSON.stringify({ note: secret });
  const text = [
    secret,
    nested,
    JSON.stringify(nested),
    encodeURIComponent(secret),
    new URLSearchParams({ a: secret }),
  ].join(" | ");
  const model = openai("m", { apiKey: "k".repeat(20), fetch: saying(text) });
  await generate(record(model, file), { messages: text });
  expect(readRecording()).not.toContain("12345678");
  await generate(replay(file), { messages: text });
});

test.each([
  "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
  "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuv",
  "AKIAIOSFODNN7EXAMPLE",
  "xoxb-1234567890-abcdefghijk",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
  "AIzaSyA1234567890abcdefghijklmnopqrstuv",
  "sk-proj-abcdefghijklmnopqrstuvwx",
])("a text with %s is written down without it, whole or in pieces", async (secret) => {
  await generate(record(new ScriptedModel([`The key ${secret} is here.`]), file), {
    messages: `use ${secret}`,
  });
  const { events, request } = JSON.parse(readRecording().split("\n")[1] ?? "");
  expect(request.messages[0].content).toBe("use [redacted]");
  const pieces = events.map(({ text = "" }: { text?: string }) => text).join("");
  expect(pieces).toContain("The key [redacted]");
  expect(pieces).not.toContain(secret.slice(10));
  expect(readRecording()).not.toContain(secret.slice(10));
});

/** A server that streams a content in pieces of a few characters, each a frame of its own. */
function streaming(content: string, size: number, split: number): typeof fetch {
  const parts = content.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
  const frames = parts.map(
    (part) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: part } }] })}\n\n`,
  );
  const last = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const bytes = new TextEncoder().encode(frames.join("") + last);
  return async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += split) controller.enqueue(bytes.slice(at, at + split));
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
}

/** All texts that the frames of a recorded stream put together. */
function streamedText(): string {
  const { wire } = JSON.parse(readRecording().split("\n")[1] ?? "");
  const chunks: readonly (string | { base64: string })[] = wire[0].response.chunks;
  const bytes = Buffer.concat(
    chunks.map((chunk) =>
      typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk.base64, "base64"),
    ),
  );
  return Array.from(
    bytes.toString().matchAll(/^data: (\{.*\})$/gm),
    ([, json = ""]) => JSON.parse(json).choices[0].delta.content ?? "",
  ).join("");
}

test.each([
  [1, 7],
  [3, 50],
  [5, 1],
  [100, 9],
])(
  "a secret streamed in frames of %i characters, in chunks of %i bytes, is in none of them",
  async (size, split) => {
    const apiKey = 'super"secret/Value12345';
    const content = `naïve 🪿 it is\n${apiKey} or\nsk-proj-abcdefghijklmnop, {"password":"hunter2hunter2"}. Bye 🪿`;
    const model = openai("m", { apiKey, fetch: streaming(content, size, split) });
    const { text } = await generate(record(model, file), { messages });
    expect(text).toBe(content.match(new RegExp(`.{1,${size}}`, "gs"))?.join(""));
    const recorded = streamedText();
    expect(recorded).toMatch(
      /^naïve 🪿 it is\n\[redacted\]\**(?: or\n)\[redacted\]\**, \{"password":"\[redacted\]\**"\}\. Bye 🪿$/u,
    );
    const again = await generate(replayWire(), { messages });
    expect(again.text).toBe(recorded);
  },
);

/** The model with its answers from the wire of the recording. */
function replayWire(): ReturnType<typeof replay> {
  return replay(file, { model: openai("m", { apiKey: "another-key" }) });
}
