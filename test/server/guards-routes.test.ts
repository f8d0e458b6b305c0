import { expect, test } from "vitest";
import { answerTo, greeter, heard, listening, outcome, rawConnection, request, served } from "./serving.ts";

test.each([
  ["GET", "/"],
  ["GET", "/nothing"],
  ["GET", "/runs"],
  ["POST", "/runs/"],
  ["GET", "/runs/a/b/c"],
  ["GET", "//agents"],
  ["GET", "/agents//"],
  ["GET", "/runs/%"],
  ["GET", "/runs/%zz"],
  ["GET", "/runs/%ff"],
  ["GET", "/runs/%00"],
  ["GET", "/runs/%2e%2e"],
  ["GET", "/runs/..%2f..%2fada"],
  ["GET", "/runs/__proto__"],
  ["GET", "/sessions/constructor"],
  ["GET", "/sessions/nothing"],
  ["POST", "/runs/__proto__"],
  ["POST", "/runs/toString"],
  ["POST", "/runs/nothing/decide"],
  ["GET", `/runs/${"x".repeat(5_000)}`],
  ["GET", `/${"x/".repeat(5_000)}`],
  ["POST", `/runs/${"%F0%9F%A6%86".repeat(500)}`],
])("%s %s is not found", async (method, path) => {
  const server = served(greeter());
  const response = await server.fetch(request(method, path, method === "POST" ? { input: "Hi" } : undefined));
  const text = await response.clone().text();
  expect(await outcome(response)).toMatch(/^4(?:04 not-found|00 invalid-name)$/);
  expect(text.length).toBeLessThan(1_000);
});

test.each([
  ["PUT", "/runs/Hello", "POST, GET, HEAD, OPTIONS"],
  ["DELETE", "/runs/Hello", "POST, GET, HEAD, OPTIONS"],
  ["PATCH", "/agents", "GET, HEAD, OPTIONS"],
  ["POST", "/agents", "GET, HEAD, OPTIONS"],
  ["GET", "/runs/a/cancel", "POST, OPTIONS"],
  ["HEAD", "/runs/a/cancel", "POST, OPTIONS"],
  ["POST", "/runs/a/events", "GET, HEAD, OPTIONS"],
])("%s %s is not allowed, and the answer says what is", async (method, path, allow) => {
  const response = await served(greeter()).fetch(request(method, path, method === "POST" ? {} : undefined));
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe(allow);
});

test("HEAD has the status and the headers of GET, and no body", async () => {
  const { url, server } = await listening(greeter());
  await server.fetch(request("POST", "/runs/Hello", { input: "Hi", id: "a" }));
  await server.runs.get("local/a").result();
  for (const path of ["/health", "/ready", "/agents", "/runs/a", "/runs/a/events", "/runs/b", "/nothing"]) {
    const [get, head] = await Promise.all([fetch(url + path), fetch(url + path, { method: "HEAD" })]);
    await get.text();
    expect([path, head.status, await head.text()]).toEqual([path, get.status, ""]);
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  }
});

test("OPTIONS without a page is answered without a body", async () => {
  const response = await served(greeter()).fetch(request("OPTIONS", "/agents"));
  expect([response.status, await response.text()]).toEqual([204, ""]);
});

test("every answer has an id of its own", async () => {
  const server = served(greeter());
  const paths = ["/health", "/agents", "/nothing", "/agents"];
  const answers = await Promise.all(paths.map((path) => server.fetch(request("GET", path))));
  const refused = await server.fetch(request("GET", "/agents", undefined, { host: "evil.example" }));
  const ids = [...answers, refused].map(({ headers }) => headers.get("x-request-id"));
  expect(new Set(ids).size).toBe(5);
  expect(ids).not.toContain(null);
});

test("protocols that are not served have no routes", async () => {
  const server = served(greeter(), { protocols: ["responses"] });
  expect((await server.fetch(request("GET", "/agents"))).status).toBe(404);
});

test("a server below a path answers there, and where a framework cuts the path off", async () => {
  const server = served(greeter(), { basePath: "/api/ai" });
  for (const path of ["/api/ai/agents", "/agents", "/api/ai/health"])
    expect((await server.fetch(request("GET", path))).status).toBe(200);
  expect((await server.fetch(request("GET", "/api/aim/agents"))).status).toBe(404);
});

test("what is not HTTP is refused, and the next client is served", async () => {
  const { port, url } = await listening(greeter());
  const get = "GET /agents HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const garbage = [
    "\u0000\u0001\u0002\r\n\r\n",
    "GET\r\n\r\n",
    "GET /agents SMTP/1.1\r\n\r\n",
    "{}\n\n",
    "FOO / HTTP/1.1\r\n\r\n",
  ];
  for (const bytes of garbage) expect(await answerTo(port, bytes)).toContain(" 400 ");
  const pipelined = await answerTo(port, `${get}${get}\u0000garbage\r\n\r\n${get}`);
  const statuses = [...pipelined.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses.every((status) => status === "200" || status === "400")).toBe(true);
  const smuggled = await answerTo(
    port,
    `POST /runs/Hello HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${get}`,
  );
  expect(smuggled.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
  expect(await answerTo(port, "TRACE /agents HTTP/1.1\r\nHost: localhost\r\n\r\n")).toContain(" 400 ");
  const long = await answerTo(port, `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  expect(long).toContain(" 431 ");
  expect((await fetch(`${url}/agents`)).status).toBe(200);
});

test("a client that sends its headers one byte at a time holds no other up", async () => {
  const { port, url } = await listening(greeter());
  const slow = await rawConnection(port);
  for (const letter of "GET /agents HT") slow.write(letter);
  expect((await fetch(`${url}/agents`)).status).toBe(200);
  slow.write("TP/1.1\r\nHost: localhost\r\n\r\n");
  expect(await heard(slow)).toContain(" 200 ");
});
