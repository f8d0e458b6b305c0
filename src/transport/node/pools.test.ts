import { mkdtempSync, readFileSync } from "node:fs";
import http, { createServer, type IncomingMessage, type Server } from "node:http";
import https, { createServer as createSecureServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProxy } from "proxy";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { OpenAIOptions } from "../../providers/openai/index.ts";
import { listen } from "./test-servers.ts";

const answer = [
  { choices: [{ index: 0, delta: { content: "Hello." } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
];
const bytes = `${answer.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`;

const fixture = (name: string): Buffer => readFileSync(new URL(`fixtures/${name}`, import.meta.url));
/** Signed by itself; valid for a hundred years. */
const secure = { key: fixture("key.pem"), cert: fixture("certificate.pem") };

const servers: Server[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A provider, and the requests that it got. */
async function provider(
  isSecure = false,
): Promise<{ readonly port: number; readonly requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const listener = (request: IncomingMessage, response: http.ServerResponse): void => {
    requests.push(request);
    request.resume();
    response.setHeader("content-type", "text/event-stream");
    response.end(bytes);
  };
  const server = isSecure ? createSecureServer(secure, listener) : createServer(listener);
  servers.push(server);
  return { port: await listen(server), requests };
}

/** A proxy, and what it was asked for. */
async function proxy(): Promise<{ readonly url: string; readonly requested: string[] }> {
  const requested: string[] = [];
  const server = createServer();
  server.on("request", ({ url = "" }) => void requested.push(url));
  server.on("connect", ({ url = "" }) => void requested.push(`CONNECT ${url}`));
  createProxy(server);
  servers.push(server);
  return { url: `http://127.0.0.1:${await listen(server)}`, requested };
}

/** What a model answers that is made in a program that has begun with the environment of now. */
async function answerFrom(baseURL: string, options: OpenAIOptions = {}): Promise<string> {
  vi.resetModules();
  const { openai } = await import("../../providers/openai/index.ts");
  const { generate } = await import("../../run/generate.ts");
  const model = openai("gpt", { baseURL, apiKey: "key", ...options });
  return (await generate(model, { messages: "Hi", settings: { maxRetries: 0 } })).text;
}

describe("a proxy that the environment names", () => {
  test("gets requests to http addresses", async () => {
    const [{ port }, { url, requested }] = [await provider(), await proxy()];
    vi.stubEnv("HTTP_PROXY", url);
    expect(await answerFrom(`http://0.0.0.0:${port}`)).toBe("Hello.");
    expect(requested).toEqual([`http://0.0.0.0:${port}/chat/completions`]);
  });

  test("gets a tunnel to https addresses, and sees nothing of them", async () => {
    const [{ port, requests }, { url, requested }] = [await provider(true), await proxy()];
    vi.stubEnv("https_proxy", url);
    const error = await answerFrom(`https://0.0.0.0:${port}`).catch((thrown: unknown) => thrown);
    // The certificate is nobody's that Node trusts: it was seen through the tunnel.
    expect(error).toMatchObject({ name: "NetworkError", isRetryable: false });
    expect([requested, requests.length]).toEqual([[`CONNECT 0.0.0.0:${port}`], 0]);
  });

  test.each(["127.0.0.1", "localhost"])("gets no requests to this machine (%s)", async (host) => {
    const [{ port }, { url, requested }] = [await provider(), await proxy()];
    vi.stubEnv("HTTP_PROXY", url);
    expect(await answerFrom(`http://${host}:${port}`)).toBe("Hello.");
    expect(requested).toEqual([]);
  });

  test("gets no requests to hosts that need none", async () => {
    const [{ port }, { url, requested }] = [await provider(), await proxy()];
    vi.stubEnv("HTTP_PROXY", url);
    vi.stubEnv("NO_PROXY", "other.test,0.0.0.0");
    expect(await answerFrom(`http://0.0.0.0:${port}`)).toBe("Hello.");
    expect(requested).toEqual([]);
  });

  test.each([
    "http://ann:pa/ss-w0rd@proxy.test:8080",
    "ann:pa-ss-w0rd@proxy.test:8080",
    "socks5://proxy.test",
  ])("that is none (%s) is an error that names the variable alone", async (proxyAddress) => {
    vi.stubEnv("HTTPS_PROXY", proxyAddress);
    const error = await answerFrom("https://models.test/v1").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "invalid-proxy", data: { variable: "HTTPS_PROXY" } });
    expect(JSON.stringify([String(error), error])).not.toMatch(/w0rd|socks5/);
  });

  test("gets requests to hosts whose names begin like the address of this machine", async () => {
    const { url, requested } = await proxy();
    vi.stubEnv("HTTP_PROXY", url);
    await answerFrom("http://127.model.test").catch(String);
    expect(requested).toEqual(["http://127.model.test/chat/completions"]);
  });

  test("that cannot be reached is an error without its password", async () => {
    vi.stubEnv("HTTP_PROXY", "http://ann:s3cret-pa55@127.0.0.1:1");
    const error = await answerFrom("http://0.0.0.0:1").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "NetworkError", providerCode: "ECONNREFUSED" });
    expect(JSON.stringify([String(error), error])).not.toContain("s3cret");
  });
});

describe("an agent of one's own", () => {
  test("brings the certificate authority that a server needs", async () => {
    const { port } = await provider(true);
    const agent = new https.Agent({ ca: secure.cert });
    expect(await answerFrom(`https://127.0.0.1:${port}`, { agent })).toBe("Hello.");
    expect(await answerFrom(`https://127.0.0.1:${port}`).catch(String)).toContain("SELF_SIGNED");
  });

  test("leads to a Unix socket", async () => {
    const socketPath = join(mkdtempSync(join(tmpdir(), "skein-socket-")), "model.sock");
    const server = createServer((_, response) => {
      response.setHeader("content-type", "text/event-stream");
      response.end(bytes);
    });
    servers.push(server);
    await new Promise<void>((resolve) => void server.listen(socketPath, resolve));
    const options: http.AgentOptions & { readonly socketPath: string } = { socketPath };
    const agent = new http.Agent(options);
    expect(await answerFrom("http://model.test/v1", { agent })).toBe("Hello.");
  });

  test("that does not fit the address, or is none, is an error", async () => {
    const error = await answerFrom("http://127.0.0.1:1", { agent: new https.Agent() }).catch(
      (thrown) => thrown,
    );
    expect(error).toMatchObject({ providerCode: "ERR_INVALID_PROTOCOL", isRetryable: false });
    const agent = JSON.parse("{}");
    await expect(answerFrom("http://127.0.0.1:1", { agent })).rejects.toThrow(
      'The agent of openai("gpt", { ... }) must be an Agent of node:http or node:https.',
    );
    await expect(answerFrom("http://127.0.0.1:1", { agent: new http.Agent(), fetch })).rejects.toThrow(
      "give one of the two",
    );
  });
});
