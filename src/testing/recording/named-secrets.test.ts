/** Secrets that a recording finds by the name before them, whatever their form. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { generate } from "../../run/generate.ts";
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

const answer = async (): Promise<Response> => Response.json({});

/** What is written down of a request, which is replayed as well. */
async function recorded(init: RequestInit, url = "https://h.example/token"): Promise<string> {
  const send = async (use: typeof fetch): Promise<unknown> =>
    (await use(url, { method: "POST", ...init })).json();
  await send(recordFetch(file, { fetch: answer }));
  const again = replayFetch(file);
  expect(await send(again)).toEqual({});
  again.assertComplete();
  return readFileSync(file, "utf8");
}

const form = (name: string, value: string | Blob, filename?: string): string => {
  const content = typeof value === "string" ? value : "";
  const rest = filename === undefined ? "" : `; filename="${filename}"\r\nContent-Type: text/plain`;
  const other = `--b1\r\nContent-Disposition: form-data; name="page"\r\n\r\ntwo\r\n`;
  return `${other}--b1\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n${content}\r\n${other}--b1--\r\n`;
};

test.each([
  ["a form field with an apostrophe", "grant_type=password&password=it's-Sup3r-T0p&a=b", "Sup3r"],
  [
    "a part of several lines",
    form("private_key", "-----BEGIN PRIVATE KEY-----\r\nMIIEvQIBADAN\r\n-----END PRIVATE KEY-----"),
    "MIIEvQIBADAN",
  ],
  ["a part with the name of a file", form("api_key", "k3y-in-a-file-9911", "key.txt"), "k3y-in-a-file"],
  ["a list", JSON.stringify({ password: ["Va1ue-0f-pw-77"] }), "Va1ue"],
  ["an object", JSON.stringify({ credentials: { user: "ann", pass: ["Va1ue-0f-pw-79"] } }), "Va1ue"],
  ["a list within a text of JSON", JSON.stringify({ a: '{"password":["Va1ue-0f-pw-81"]}' }), "Va1ue"],
])("a recording has no secret that is %s", async (_form, body, secret) => {
  const text = await recorded({ body });
  expect(text).not.toContain(secret);
  expect(text).toContain("[redacted]");
});

test.each([
  ..."pwd otp totp smsOtp pin user_pin cardPin PIN dsn sentryDsn connection_string connectionString bearer".split(
    " ",
  ),
  ..."secretKey STRIPE_SECRET_KEY AccountKey master_key subscription-key password_confirmation".split(" "),
  ..."passwordHash password_hash accessKeyId db_pass dbPass webhook_signature passcode cvv auth pass signing_key encryptionKey secret_key".split(
    " ",
  ),
])("a field %s is a secret of a call, a result and a form", async (name) => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "t", arguments: { [name]: "Va1ue-77" } }] }]);
  const content = [{ type: "text" as const, text: JSON.stringify({ a: { [name]: "Va1ue-78" } }) }];
  const result = { toolCallId: "1", toolName: "t", content, isError: false, outcome: "success" as const };
  const call = { toolCallId: "1", toolName: "t", arguments: "{}" };
  await generate(record(model, file), {
    messages: [
      { role: "user", content: "Go." },
      { role: "assistant", content: "", toolCalls: [call] },
      { role: "tool", result },
    ],
  });
  expect(readFileSync(file, "utf8")).not.toContain("Va1ue");
  rmSync(file);
  expect(await recorded({ body: `a=b&${name}=Va1ue-79` })).not.toContain("Va1ue");
});

test.each(
  "author authored pinned spin opinion mapping laptop passenger pass_rate compass bypass signature thoughtSignature tokens connection description access".split(
    " ",
  ),
)("a field %s stays", async (name) => {
  expect(await recorded({ body: JSON.stringify({ [name]: "Va1ue-77" }) })).toContain("Va1ue-77");
});

test("the other parts of a form stay", async () => {
  const text = await recorded({ body: form("token", "s3cret-value") });
  expect(text).not.toContain("s3cret");
  expect(text.match(/two/g)).toHaveLength(2);
});

test("a form whose parts have no end is written down without its secrets", async () => {
  const body = `--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nabc-123-def`;
  expect(await recorded({ body })).not.toContain("abc-123");
});

test.each([
  ["https://gateway.example/gw/S3cr3tPathKey00aaBBcc11223344/v1", "S3cr3tPathKey"],
  ["https://gateway.example/9e107d9d-372bb682-6bd81d35-42a419d6/v1", "9e107d9d"],
])("the path %s is written down without the key in it", async (url, key) => {
  const text = await recorded({ body: "{}" }, url);
  expect(text).not.toContain(key);
  expect(text).toContain("https://gateway.example/");
});

test("a key in an address within an address is not written down", async () => {
  const key = "Xq9/Zw+7Lm2Pt5=Rv8Ys1Kd4Hg6Jf3";
  vi.stubEnv("MY_SERVICE_TOKEN", key);
  const callback = `https://app.example/cb?t=${encodeURIComponent(key)}&page=2`;
  const url = `https://h.example/start?redirect_uri=${encodeURIComponent(callback)}&x=1`;
  const text = await recorded({ body: "{}" }, url);
  expect(decodeURIComponent(decodeURIComponent(text))).not.toContain(key.slice(0, 12));
  expect(text).toContain("page%3D2");
});

test.each([
  "/v1/responses/resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b",
  "/v1beta/models/gemini-2.5-flash:streamGenerateContent",
  "/openai/deployments/my-own-gpt-4o-mini-of-2024/chat",
])("the path %s of an object or a model stays", async (path) => {
  expect(await recorded({ body: "{}" }, `https://h.example${path}`)).toContain(path);
});

test("numbers that are secrets are not written down", async () => {
  vi.stubEnv("SMS_TOKEN", "8423901755");
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "t", arguments: { code: 8_423_901_755, pin: 551_239_874, page: 2_000 } }] },
  ]);
  await generate(record(model, file, { secrets: ["551239874"] }), { messages: "Hello" });
  const text = readFileSync(file, "utf8");
  for (const secret of ["8423901755", "551239874"]) expect(text).not.toContain(secret);
  const [call] = (await generate(replay(file), { messages: "Hello" })).toolCalls;
  expect(JSON.parse(call?.arguments ?? "")).toMatchObject({ code: "[redacted]", page: 2000 });
});

test("the schema of a tool's secret is written down", async () => {
  const properties = { password: { type: "string", description: "At least eight characters" } };
  const body = JSON.stringify({ tools: [{ parameters: { type: "object", properties } }] });
  expect(await recorded({ body })).toContain("At least eight characters");
});

test("texts of JSON that is nested without end are texts", async () => {
  const body = JSON.stringify({ a: "[".repeat(5_000) + "]".repeat(5_000), token: "abc-123-def" });
  expect(await recorded({ body })).not.toContain("abc-123");
});
