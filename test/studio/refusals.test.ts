/** Who is let in: this machine's own page, with the token, in development. */
import { request } from "node:http";
import { Agent } from "skein";
import { studio, type Studio } from "skein/studio";
import { ScriptedModel } from "skein/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { StudioData } from "./data.ts";

const agent = new Agent({ name: "A", model: new ScriptedModel([]) });
let page: Studio;
let token: string;
beforeAll(async () => {
  page = await studio({ agents: [agent], port: 0 });
  token = page.url.split("#token=")[1] ?? "";
});
afterAll(() => page.close());

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A request with the headers that browsers do not let pages set. */
function send(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port: page.port, path, method, headers }, (response) => {
      let text = "";
      response.on("data", (piece) => (text += String(piece)));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

const data = [
  "/agents",
  "/runs/A",
  "/sessions/s",
  "/studio/events",
  "/studio/approvals",
  "/studio/runs/x",
  "/v1/models",
  "/nothing",
];

describe.each(data)("%s", (path) => {
  test("needs the token", async () => {
    expect((await send(path)).status).toBe(401);
    expect((await send(path, { "x-skein-studio": "" })).status).toBe(401);
    expect((await send(path, { "x-skein-studio": `${token}x` })).status).toBe(401);
    expect((await send(`${path}?token=${token}`, { cookie: `token=${token}` })).status).toBe(401);
    expect((await send(path, {}, "POST")).status).toBe(401);
  });

  test("is not for other hosts or origins, whatever they know", async () => {
    const headers = { "x-skein-studio": token };
    for (const host of ["evil.example", `evil.example:${page.port}`, "127.0.0.1.evil.example"])
      expect((await send(path, { ...headers, host })).status).toBe(403);
    for (const origin of [
      "https://evil.example",
      "null",
      `http://127.0.0.1:${page.port + 1}`,
      "http://localhost",
    ])
      expect((await send(path, { ...headers, origin })).status).toBe(403);
  });
});

test("the page itself has no secret, and is not for other hosts either", async () => {
  const { status, headers, text } = await send("/");
  expect(status).toBe(200);
  expect(text).toContain("<title>Skein studio</title>");
  expect(text).not.toContain(token);
  expect(headers["content-security-policy"]).toMatch(/^default-src 'self';/);
  expect(headers["content-security-policy"]).not.toContain("unsafe");
  expect(headers).toMatchObject({
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
  expect((await send("/", { host: "evil.example" })).status).toBe(403);
  expect((await send("/", {}, "POST")).status).toBe(405);
});

test.each([
  "/../package.json",
  "/%2e%2e/package.json",
  "/page.js/../../index.js",
  "//etc/passwd",
  "/__proto__",
  "/constructor",
])("%s leads to no file", async (path) => {
  const { status, text } = await send(path);
  expect([400, 401, 404]).toContain(status);
  expect(text).not.toContain('"name": "skein"');
});

test.each([
  "/studio/runs",
  "/studio/runs/x/requests/1/2",
  "/studio/__proto__",
  "/studio/runs/%E0%A4%A",
  "/studio/",
])("%s with the token is refused in words", async (path) => {
  const { status, text } = await send(path, { "x-skein-studio": token });
  expect([400, 404]).toContain(status);
  expect(JSON.parse(text).error.message).toMatch(/\w/);
});

test("each studio has a token of its own", async () => {
  await using other = await studio({ agents: [agent], port: 0 });
  expect(other.url.split("#token=")[1]).toMatch(/^[\w-]{43}$/);
  expect(other.url.split("#token=")[1]).not.toBe(token);
});

test("a program in production does not open it by accident", async () => {
  vi.stubEnv("NODE_ENV", "production");
  await expect(studio({ agents: [agent], port: 0 })).rejects.toMatchObject({ code: "production" });
  await using opened = await studio({ agents: [agent], port: 0, allowProduction: true });
  expect(opened.port).toBeGreaterThan(0);
  vi.unstubAllEnvs();
});

test("a port that is taken, and what is not an agent, are refused in words", async () => {
  await expect(studio({ agents: [agent], port: page.port })).rejects.toMatchObject({ code: "listen" });
  await expect(studio({ agents: [], port: 0 })).rejects.toMatchObject({ code: "invalid-option" });
  await expect(studio({ agents: [{} as never], port: 0 })).rejects.toThrow(
    "agents[0] of studio() must be an agent",
  );
});

test("what the page chooses for its runs is checked, and a run does not start without it", async () => {
  const data = new StudioData(page);
  const statusOf = async (body: object): Promise<number> => (await data.ask("/studio/choices", body)).status;
  expect(await statusOf({ model: "%", context: { user: "ada" } })).toBe(200);
  for (const body of [{ context: [1] }, { context: "ada" }, { model: 1 }, { model: "m".repeat(2_000) }])
    expect(await statusOf(body)).toBe(400);
  const response = await fetch(`${page.url.split("/#")[0]}/studio/choices`, {
    method: "POST",
    headers: { "x-skein-studio": token, "content-type": "application/json" },
    body: `{"context": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
  });
  expect(response.status).toBe(400);
  const start = await fetch(`${page.url.split("/#")[0]}/runs/${encodeURIComponent(agent.name)}`, {
    method: "POST",
    headers: { "x-skein-studio": token, "x-skein-choice": "gone", "content-type": "application/json" },
    body: JSON.stringify({ input: "Hello", id: "s.1", session: "s" }),
  });
  expect(start.status).toBe(409);
  expect(await start.text()).toContain("Send the message again.");
});
