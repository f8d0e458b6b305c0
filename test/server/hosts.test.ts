/** The same requests through each way that a server can be mounted in Node. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { serve, type SkeinServer } from "skein/server";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { request, served } from "./serving.ts";
import { askTwenty, type HostAnswer, hostAgents, hostOptions, type Send } from "./twenty-requests.ts";

let expected: readonly HostAnswer[];

/** Sends requests to a server that listens. */
function sendTo(base: string): Send {
  return (_method, path, init) => fetch(base + path, init);
}

/** Sends requests to a function. */
function sendBy(answer: (request: Request) => Response | Promise<Response>, base = ""): Send {
  return async (_method, path, init) => answer(new Request(`http://localhost:3000${base}${path}`, init));
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

function hosted(options: { readonly basePath?: string } = {}): SkeinServer {
  return served(hostAgents(), { ...hostOptions, ...options });
}

beforeAll(async () => {
  const server = serve(hostAgents(), hostOptions);
  expected = await askTwenty(sendBy(server.fetch));
  await server.close({ drain: 0 });
});

test("twenty requests have the answers that they are to have", () => {
  expect(expected.map(({ name, status }) => `${name} ${status}`)).toEqual([
    "health 200",
    "agents 200",
    "start 200",
    "again 200",
    "run 200",
    "resume 200",
    "no more 204",
    "pause 200",
    "session 200",
    "decide 200",
    "work 202",
    "steer 202",
    "cancel 200",
    "unknown run 404",
    "wrong method 405",
    "too large 413",
    "form 415",
    "not JSON 400",
    "preflight 204",
    "foreign page 403",
  ]);
  const bodies = Object.fromEntries(expected.map(({ name, body }) => [name, body]));
  expect(bodies["again"]).toBe(bodies["start"]);
  expect(bodies["start"]?.endsWith(bodies["resume"] ?? "-")).toBe(true);
  expect(bodies["decide"]).toContain("Refunded 7.");
});

test("listen()", async () => {
  const { url } = await hosted().listen({ port: 0 });
  expect(await askTwenty(sendTo(url))).toEqual(expected);
});

test("node:http", async () => {
  expect(await askTwenty(sendTo(await listen(hosted().node)))).toEqual(expected);
});

test("Express, below a path", async () => {
  const app = express();
  app.use("/ai", hosted().node);
  expect(await askTwenty(sendTo(`${await listen(app)}/ai`))).toEqual(expected);
});

test("Express, after express.json(), which refuses what is not JSON itself", async () => {
  const app = express();
  app.use(express.json());
  app.use("/ai", hosted().node);
  app.use(((_error, _request, response, _next) => {
    response.status(400).end();
  }) satisfies express.ErrorRequestHandler);
  const answers = await askTwenty(sendTo(`${await listen(app)}/ai`));
  const byExpress = ({ name }: HostAnswer): boolean => name === "not JSON";
  expect(answers.filter((each) => !byExpress(each))).toEqual(expected.filter((each) => !byExpress(each)));
  expect(answers.find(byExpress)).toMatchObject({ status: 400, body: "" });
});

test("Fastify, in a scope that leaves bodies alone", async () => {
  const app = fastify();
  const { node } = hosted({ basePath: "/ai" });
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _body, done) => done(null));
    scope.all("/ai/*", (incoming, reply) => {
      reply.hijack();
      node(incoming.raw, reply.raw);
    });
  });
  onTestFinished(() => app.close());
  expect(await askTwenty(sendTo(`${await app.listen({ port: 0 })}/ai`))).toEqual(expected);
});

test("Fastify without such a scope reads bodies itself, and the answer names the mistake", async () => {
  const app = fastify();
  const { node } = hosted({ basePath: "/ai" });
  app.all("/ai/*", (incoming, reply) => {
    reply.hijack();
    node(incoming.raw, reply.raw);
  });
  onTestFinished(() => app.close());
  const url = await app.listen({ port: 0 });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/ai/runs/Hello`, { method: "POST", headers, body: '{"input":"Hi"}' });
  expect([response.status, await response.json()]).toMatchObject([500, { error: { code: "body-was-read" } }]);
});

test("Hono, mounted", async () => {
  const app = new Hono().mount("/ai", hosted().fetch);
  expect(await askTwenty(sendBy((each) => app.fetch(each), "/ai"))).toEqual(expected);
});

test("Hono, as a route", async () => {
  const server = hosted({ basePath: "/ai" });
  const app = new Hono().all("/ai/*", (context) => server.fetch(context.req.raw));
  expect(await askTwenty(sendBy((each) => app.fetch(each), "/ai"))).toEqual(expected);
});

test("a route handler of Next.js, which answers methods itself that are not exported", async () => {
  const { GET, POST, DELETE, OPTIONS } = hosted({ basePath: "/api/ai" });
  // Next.js answers HEAD by GET.
  const handlers: Readonly<Record<string, SkeinServer["fetch"]>> = { GET, POST, DELETE, OPTIONS, HEAD: GET };
  const send = sendBy((each) => {
    const context = { params: Promise.resolve({ path: new URL(each.url).pathname.split("/").slice(3) }) };
    return handlers[each.method]?.(each, context) ?? new Response(null, { status: 405 });
  }, "/api/ai");
  const answers = await askTwenty(send);
  const byNext = ({ name }: HostAnswer): boolean => name === "wrong method";
  expect(answers.filter((each) => !byNext(each))).toEqual(expected.filter((each) => !byNext(each)));
});

test("two servers in one program know nothing of one another", async () => {
  const [one, two] = [hosted(), hosted()];
  await one.fetch(request("POST", "/runs/Hello", { input: "Hi", id: "mine" }));
  expect((await two.fetch(request("GET", "/runs/mine"))).status).toBe(404);
});
