import { expect, test } from "vitest";
import { answerTo, greeter, listening, outcome, refunds, request, served } from "./serving.ts";

const page = "https://shop.example";

/** The answer to a POST with these headers. */
function postWith(server: ReturnType<typeof served>, headers: Record<string, string>): Promise<Response> {
  return server.fetch(request("POST", "/runs/Hello", { input: "Hi" }, headers));
}

test.each([
  ["localhost", 202],
  ["localhost:3000", 202],
  ["LOCALHOST:3000", 202],
  ["127.0.0.1:3000", 202],
  ["[::1]:3000", 202],
  ["evil.example", "403 host-not-allowed"],
  ["localhost.evil.example", "403 host-not-allowed"],
  ["localhost.", "403 host-not-allowed"],
  ["127.0.0.1.nip.io", "403 host-not-allowed"],
  ["[::ffff:7f00:1]:3000", "403 host-not-allowed"],
  ["0.0.0.0:3000", "403 host-not-allowed"],
  ["localhost/evil", "400 invalid-host"],
  ["localhost#", "400 invalid-host"],
  ["user@localhost", "400 invalid-host"],
  ["localhost:abc", "400 invalid-host"],
  ["localhost:999999", "400 invalid-host"],
  ["", "400 invalid-host"],
])("a request to the host %j is answered with %s", async (host, expected) => {
  const response = await postWith(served(greeter()), { host });
  expect(await outcome(response)).toBe(String(expected));
});

test("other hosts are allowed by name, and need authorize", async () => {
  const authorize = () => ({ user: "ada" });
  const server = served(greeter(), { authorize, allowedHosts: ["shop.example"] });
  expect((await postWith(server, { host: "shop.example:8443" })).status).toBe(202);
  expect((await postWith(server, { host: "localhost" })).status).toBe(403);
  expect(() => served(greeter(), { allowedHosts: ["shop.example"] })).toThrow("Set authorize as well");
  for (const wrong of ["shop.example:80", "Shop.example", "https://shop.example", ""])
    expect(() => served(greeter(), { authorize, allowedHosts: [wrong] })).toThrow("allowedHosts has");
});

test("who watches over a server may call it by its address", async () => {
  const server = served(greeter());
  for (const path of ["/health", "/ready"]) {
    const response = await server.fetch(request("GET", path, undefined, { host: "10.1.2.3:3000" }));
    expect(response.status).toBe(200);
  }
});

test.each([
  ["http://localhost:3000", 202],
  ["http://localhost:3001", 403],
  ["http://127.0.0.1:3000", 403],
  ["https://localhost", 403],
  ["null", 403],
  ["file://", 403],
  ["not an origin", 403],
  ["http://localhost:3000.evil.example", 403],
  [page, 403],
])("a request from a page of %s is answered with %s", async (origin, status) => {
  const response = await postWith(served(greeter()), { host: "localhost:3000", origin });
  expect(response.status).toBe(status);
  expect(response.headers.get("access-control-allow-origin")).toBe(status === 202 ? origin : null);
});

test("a page behind a proxy that speaks HTTPS is the server's own", async () => {
  const server = served(greeter(), {
    authorize: () => ({ user: "ada" }),
    allowedHosts: ["shop.example"],
  });
  expect((await postWith(server, { host: "shop.example", origin: page })).status).toBe(202);
});

test("a page that cors lists may read every answer, errors and streams included", async () => {
  const server = served([greeter(), refunds()], { cors: [page] });
  const from = { origin: page };
  const answers = await Promise.all([
    server.fetch(request("POST", "/runs/Hello", { input: "Hi" }, from)),
    server.fetch(request("POST", "/runs/Hello", { input: "Hi" }, { ...from, accept: "text/event-stream" })),
    server.fetch(request("POST", "/runs/Nobody", { input: "Hi" }, from)),
    server.fetch(request("POST", "/runs/Hello", "{", from)),
    server.fetch(request("PUT", "/runs/Hello", {}, from)),
    server.fetch(request("GET", "/nothing", undefined, from)),
    server.fetch(request("HEAD", "/agents", undefined, from)),
  ]);
  for (const { headers } of answers) {
    expect(headers.get("access-control-allow-origin")).toBe(page);
    expect(headers.get("access-control-expose-headers")).toContain("x-request-id");
    expect(headers.get("vary")).toContain("origin");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  }
  expect(answers.map(({ status }) => status)).toEqual([202, 200, 404, 400, 405, 404, 200]);
});

test("caches learn that an answer differs by the page that asks for it", async () => {
  const response = await served(greeter(), { cors: [page] }).fetch(request("GET", "/agents"));
  expect(response.headers.get("vary")).toBe("origin");
  expect(response.headers.get("cache-control")).toBe("no-store");
});

test("a browser that asks first is allowed what it asks for, and others are not", async () => {
  const server = served(greeter(), { cors: [page] });
  const ask = (origin: string): Promise<Response> =>
    server.fetch(
      request("OPTIONS", "/runs/Hello", undefined, {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type",
      }),
    );
  const allowed = await ask(page);
  expect(allowed.status).toBe(204);
  expect(allowed.headers.get("access-control-allow-origin")).toBe(page);
  expect(allowed.headers.get("access-control-allow-methods")).toContain("POST");
  expect(allowed.headers.get("access-control-allow-headers")).toBe("authorization,content-type");
  const refused = await ask("https://evil.example");
  expect(refused.status).toBe(403);
  expect(refused.headers.get("access-control-allow-origin")).toBeNull();
});

test("over a connection, a request without a host, or for another server, is refused", async () => {
  const { port } = await listening(greeter());
  const first = async (bytes: string): Promise<string> =>
    (await answerTo(port, bytes)).split("\r\n")[0] ?? "";
  expect(await first("GET /agents HTTP/1.1\r\n\r\n")).toContain(" 400 ");
  expect(await first("GET /agents HTTP/1.0\r\n\r\n")).toContain(" 400 ");
  expect(await first("GET /agents HTTP/1.1\r\nHost: localhost\r\n\r\n")).toContain(" 200 ");
  expect(await first("GET /agents HTTP/1.1\r\nHost: evil.example\r\n\r\n")).toContain(" 403 ");
  expect(await first("GET http://evil.example/agents HTTP/1.1\r\nHost: localhost\r\n\r\n")).toContain(
    " 400 ",
  );
  expect(await first("GET //evil.example/agents HTTP/1.1\r\nHost: localhost\r\n\r\n")).toContain(" 404 ");
  expect(await first("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n")).toContain(" 400 ");
});

test.each([
  ["cors", "https://shop.example", "cors must be a list"],
  ["cors", ["https://shop.example/"], "which is not an origin"],
  ["cors", ["*"], "which is not an origin"],
  ["allowedHosts", "shop.example", "allowedHosts must be a list"],
  ["protocols", "native", "protocols must be a list"],
  ["protocols", ["soap"], "There are: native"],
  ["basePath", "ai/", "basePath must begin with a slash"],
  ["basePath", ["/ai"], "basePath must begin with a slash"],
  ["basePath", "/a b", 'Write "/a%20b".'],
  ["basePath", "/a/../b", 'Write "/b".'],
  ["basePath", "/a?b", 'Write "/a".'],
  ["work", "no", "Write work: false"],
  ["maxRuns", Number.POSITIVE_INFINITY, "maxRuns must be a whole number of at least 1"],
  ["maxRuns", 1.5, "maxRuns must be a whole number of at least 1"],
  ["maxRuns", 0, "maxRuns must be"],
  ["onError", console, "Write onError: (error) => console.error(error)."],
])("%s: %j is refused", (option, value, message) => {
  expect(() => served(greeter(), { authorize: () => 401, [option]: value })).toThrow(message);
});

test("two agents of one name are refused, and a copy too: runs are found again by that name", () => {
  const agent = greeter();
  expect(() => served([agent, greeter()])).toThrow('two agents that are called "Hello"');
  expect(() => served({ best: agent, other: agent.with({ instructions: "Be brief." }) })).toThrow(
    "Rename one",
  );
  expect(served({ one: agent, same: agent }).runs).toBeDefined();
});
