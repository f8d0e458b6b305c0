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
