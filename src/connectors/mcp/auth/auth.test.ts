import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { mcp } from "../client/mcp.ts";
import { callTools, serve, serveModern, textOf } from "../client/test-servers.ts";
import { serveProtected, type ProtectedServer } from "./test-protected-server.ts";
import { fileTokens, memoryTokens } from "./token-stores.ts";
import type { AuthorizationCodeAuth, McpAuth } from "./types.ts";

let folder: string;
let server: ProtectedServer;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "skein-auth-"));
  server = await serveProtected();
});

afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** A person who allows everything, and the addresses that were opened. */
function person(): { readonly openBrowser: AuthorizationCodeAuth["openBrowser"]; readonly opened: URL[] } {
  const opened: URL[] = [];
  const openBrowser = async (address: URL): Promise<void> => {
    opened.push(address);
    await (await fetch(address)).text();
  };
  return { openBrowser, opened };
}

/** What a tool says that a server with a sign at its door has. */
async function sum(auth: McpAuth, url = server.url): Promise<string> {
  await using tools = mcp({ url, auth, required: true });
  const [result] = await callTools(tools, ["add", { a: 1, b: 2 }]);
  return textOf(result);
}

/** Everything that a log could show of a failure. */
async function failureOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    (value) => value,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  return inspect(error, { depth: 10, showHidden: true });
}

test("sends a token with every request, and only to its server", async () => {
  await using open = await serveModern();
  const tokens = ["one", "two"];
  await using tools = mcp({ url: open.url, auth: { token: () => tokens.shift() ?? "last" } });
  await callTools(tools, ["add", { a: 1, b: 2 }]);
  const sent = open.headers.map(({ authorization }) => authorization);
  expect(sent.slice(0, 3)).toEqual(["Bearer one", "Bearer two", "Bearer last"]);
  expect(new Set(sent).has(undefined)).toBe(false);
});

test("asks a person once in a browser, with PKCE, and shares the token with other connections", async () => {
  const { openBrowser, opened } = person();
  const auth = { openBrowser, store: memoryTokens() };
  expect(await sum(auth)).toContain("3");
  expect(await sum(auth)).toContain("3");
  expect(await sum({ ...auth })).toContain("3");
  expect(opened).toHaveLength(1);
  expect(opened[0]?.searchParams.get("code_challenge_method")).toBe("S256");
  expect(opened[0]?.searchParams.get("redirect_uri")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(server.grants).toEqual(["authorization_code"]);
});

test("clients that differ in id, scope or address share no tokens", async () => {
  const store = memoryTokens();
  const robot = { clientId: "robot", clientSecret: "robot-secret", store };
  const keys = new Set<string>();
  const set = vi.spyOn(store, "set").mockImplementation((key) => void keys.add(key));
  for (const auth of [robot, { ...robot, clientId: "reader" }, { ...robot, scope: "read" }])
    await sum(auth).catch(() => "");
  await sum(robot, `${server.url}?user=bob`).catch(() => "");
  expect(keys.size).toBe(4);
  expect([...keys].join(" ")).not.toMatch(/bob|robot|reader/);
  set.mockRestore();
});

test("the server that awaits the answer is gone afterwards", async () => {
  const { openBrowser, opened } = person();
  await sum({ openBrowser });
  const back = opened[0]?.searchParams.get("redirect_uri") ?? "";
  await expect(fetch(back)).rejects.toThrow("fetch failed");
});

test("requests at the same time ask the person once", async () => {
  const { openBrowser, opened } = person();
  await using tools = mcp({ url: server.url, auth: { openBrowser }, required: true });
  await tools.tools();
  server.forgetTokens();
  const calls = Array.from({ length: 5 }, () => ["add", { a: 1, b: 2 }] as const);
  const results = await callTools(tools, ...calls);
  expect(results.map(({ outcome }) => outcome)).toEqual(calls.map(() => "success"));
  expect(opened).toHaveLength(1);
  expect(server.grants.filter((grant) => grant === "refresh_token").length).toBeGreaterThan(0);
});

test("a token that is no longer good is renewed without the person", async () => {
  const { openBrowser, opened } = person();
  const auth = { openBrowser, store: fileTokens(join(folder, "tokens.json")) };
  await sum(auth);
  server.forgetTokens();
  // As another process would.
  expect(await sum({ ...auth, store: fileTokens(join(folder, "tokens.json")) })).toContain("3");
  expect(opened).toHaveLength(1);
  expect(server.grants).toEqual(["authorization_code", "refresh_token"]);
});

test("requests missing scopes in addition to the granted ones, once per request", async () => {
  const { openBrowser, opened } = person();
  await using tools = mcp({ url: server.url, auth: { openBrowser }, required: true });
  await tools.tools();
  server.demand("files");
  const [result] = await callTools(tools, ["add", { a: 1, b: 2 }]);
  expect(textOf(result)).toContain("3");
  expect(opened.map(({ searchParams }) => searchParams.get("scope"))).toEqual([null, "basic files"]);
});

test("who comes back with another state, or by another way, is not who was sent", async () => {
  const statuses: number[] = [];
  const openBrowser = async (address: URL): Promise<void> => {
    const back = new URL(address.searchParams.get("redirect_uri") ?? "");
    for (const forged of [
      new URL("?code=stolen&state=guessed", back),
      new URL("?code=stolen", back),
      new URL(`/other?code=stolen&state=${address.searchParams.get("state")}`, back),
    ])
      statuses.push((await fetch(forged)).status);
    await fetch(address);
  };
  expect(await sum({ openBrowser })).toContain("3");
  expect(statuses).toEqual([404, 404, 404]);
});

test("an answer of another authorization server is refused, and its words are not shown", async () => {
  const { openBrowser } = person();
  server.behaviour.answer = { code: "stolen", iss: "https://evil.test" };
  expect(await failureOf(sum({ openBrowser }))).toContain("mcp-auth");
  server.behaviour.answer = { error: "Call 555 1234", iss: "https://evil.test" };
  expect(await failureOf(sum({ openBrowser }))).not.toContain("555 1234");
  expect(server.grants).toEqual([]);
});

test("reports a person's refusal by its code", async () => {
  const { openBrowser } = person();
  const { origin } = new URL(server.url);
  server.behaviour.answer = { error: "access_denied", iss: origin };
  const failure = await failureOf(sum({ openBrowser }));
  expect(failure).toContain("access_denied: it was not allowed in the browser");
});

test("a person who does not answer is not waited for without end", async () => {
  const failure = await failureOf(sum({ openBrowser: () => undefined, timeout: 20 }));
  expect(failure).toContain("nobody allowed it in the browser within 20 ms");
});

test("the time that the person takes is not the server's", async () => {
  const { openBrowser } = person();
  const slowly = async (address: URL): Promise<void> => {
    await vi.waitFor(() => expect(isLate).toBe(true));
    await openBrowser(address);
  };
  let isLate = false;
  await using tools = mcp({
    url: server.url,
    auth: { openBrowser: slowly },
    connectTimeout: 200,
    required: true,
  });
  const listing = tools.tools();
  setTimeout(() => (isLate = true), 400);
  expect((await listing).length).toBeGreaterThan(0);
});

test("a program shows its id and secret instead of a person", async () => {
  const auth = { clientId: "robot", clientSecret: "robot-secret", scope: "basic" };
  expect(await sum(auth)).toContain("3");
  expect(server.grants).toEqual(["client_credentials"]);
  expect(server.registered).toEqual([]);
});

test("a secret goes only to the authorization server that it is for", async () => {
  const auth = { clientId: "robot", clientSecret: "robot-secret", issuer: "https://auth.test" };
  const failure = await failureOf(sum(auth));
  expect(failure).toContain("mcp-auth");
  expect(server.grants).toEqual([]);
});

test("shows no secret in an error or on the console, for any answer of the authorization server", async () => {
  const print = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const secrets = ["robot-secret", btoa("robot-secret"), "access-secret", "client-secret"];
  for (const body of [
    JSON.stringify({ error: "invalid_client", error_description: "no client with secret robot-secret" }),
    JSON.stringify({
      error: "invalid_client",
      error_description: Buffer.from("robot-secret").toString("base64"),
    }),
    `{"access_token": "access-secret", broken robot-secret`,
    `<html>robot-secret access-secret</html>`,
  ]) {
    server.behaviour.tokenError = [400, body];
    const failure = await failureOf(sum({ clientId: "robot", clientSecret: "robot-secret" }));
    for (const secret of secrets) expect(failure + String(print.mock.calls)).not.toContain(secret);
    expect(failure).toContain("could not be authorized with");
  }
});

test("a registration is for one address to come back to: a port that is taken means another one", async () => {
  const { openBrowser } = person();
  const store = fileTokens(join(folder, "tokens.json"));
  await sum({ openBrowser, store });
  server.forgetTokens();
  server.behaviour.tokenError = [400, '{"error":"invalid_grant"}'];
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const port = Number(new URL(server.registered[0] ?? "").port);
  const again = async (): Promise<void> => {
    const allow = async (address: URL): Promise<void> => {
      delete server.behaviour.tokenError;
      await openBrowser(address);
    };
    expect(await sum({ openBrowser: allow, store })).toContain("3");
  };
  await again();
  expect(server.registered).toHaveLength(1);
  server.forgetTokens();
  server.behaviour.tokenError = [400, '{"error":"invalid_grant"}'];
  const taken = await occupy(port);
  await again().finally(() => taken[Symbol.asyncDispose]());
  expect(server.registered).toHaveLength(2);
});

/** Somebody else on a port. */
async function occupy(port: number): Promise<AsyncDisposable> {
  const { createServer } = await import("node:http");
  const other = createServer();
  await new Promise<void>((resolve) => void other.listen(port, "127.0.0.1", resolve));
  return { [Symbol.asyncDispose]: () => new Promise((resolve) => void other.close(() => resolve())) };
}

test("tokens do not follow to another origin", async () => {
  await using elsewhere = await serve((_, response) => response.writeHead(200).end());
  await using moved = await serve((_, response) =>
    response.writeHead(307, { location: elsewhere.url }).end(),
  );
  await using tools = mcp({ url: moved.url, auth: { token: "secret" }, required: true });
  await expect(tools.tools()).rejects.toThrow("cannot be used");
  expect(elsewhere.requests).toEqual([]);
});

test("a file of tokens is for its owner's eyes only, keeps the others, and survives writes at once", async () => {
  const path = join(folder, "deep", "tokens.json");
  const [one, two] = [fileTokens(path), fileTokens(path)];
  expect(await one.get("a")).toBeUndefined();
  const keys = Array.from({ length: 20 }, (_, index) => `key-${index}`);
  await Promise.all(keys.map(async (key, index) => (index % 2 ? one : two).set(key, `value of ${key}`)));
  for (const key of keys) expect(await one.get(key)).toBe(`value of ${key}`);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, "deep"))).mode & 0o777).toBe(0o700);
  await writeFile(path, '{"a":"b"}', { mode: 0o644 });
  await one.set("c", "d");
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ a: "b", c: "d" });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a file that holds something else is named, and not quoted", async () => {
  const path = join(folder, "tokens.json");
  await writeFile(path, "secret stuff");
  const failure = await failureOf(Promise.resolve(fileTokens(path).get("a")));
  expect(failure).toContain("holds no tokens");
  expect(failure).not.toContain("secret stuff");
});

test.each(["//", "///", "//%00", "//x:99999", "/\\", "http://[", "*"])(
  "a browser that asks for %s while a person is asked gets nothing, and the program goes on",
  async (path) => {
    const statuses: (number | undefined)[] = [];
    const openBrowser = async (address: URL): Promise<void> => {
      const { port } = new URL(address.searchParams.get("redirect_uri") ?? "");
      const answered = Promise.withResolvers<void>();
      const asking = request({ host: "127.0.0.1", port, path }, (response) => {
        statuses.push(response.statusCode);
        response.resume().on("end", answered.resolve);
      });
      asking.on("error", answered.reject).end();
      await answered.promise;
      await (await fetch(address)).text();
    };
    expect(await sum({ openBrowser })).toBe("3");
    expect(statuses).toEqual([404]);
  },
);
