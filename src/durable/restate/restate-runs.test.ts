import { createServer, type RequestListener } from "node:http";
import { Agent } from "skein";
import { restateRuns, type RestateRunsOptions } from "skein/durable/restate";
import { FunctionModel } from "skein/testing";
import { afterEach, expect, test, vi } from "vitest";

const agent = new Agent({ name: "Echo", model: new FunctionModel(() => "Hello") });
const ingress = "http://127.0.0.1:8080";

const closes: (() => void)[] = [];
afterEach(() => {
  for (const close of closes.splice(0)) close();
});

/** What answers in place of Restate. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  closes.push(() => server.close());
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

/** Options of a program in JavaScript. */
function untyped(options: object): RestateRunsOptions {
  const all: RestateRunsOptions = { agents: [agent], ingress };
  return Object.assign(all, options);
}

test.each([
  [{ store: {} }, 'has no option "store"'],
  [{ url: ingress }, "ingress"],
  [{ ingress: undefined }, "ingress"],
  [{ ingress: "localhost:8080" }, "ingress"],
  [{ ingress: "http://user:hidden@127.0.0.1:8080" }, "without credentials"],
  [{ admin: "nowhere" }, "admin"],
  [{ headers: { authorization: "Bearer\nhidden" } }, '"authorization"'],
  [{ headers: { authorization: 1 } }, '"authorization"'],
  [{ name: "a/b" }, "letters and digits"],
  [{ concurrency: 0 }, "at least 1"],
  [{ lease: 1 }, "The option lease of restateRuns()"],
  [{ agents: "Echo" }, "The option agents of restateRuns()"],
])("the options %j are refused with what to write", (options, message) => {
  const make = (): unknown => restateRuns(untyped(options));
  expect(make).toThrow(message);
  expect(make).not.toThrow("hidden");
  expect(make).toThrow(expect.objectContaining({ code: "invalid-option" }));
});

test("start refuses to execute a run here, and what is not an agent of the list", async () => {
  const app = restateRuns({ agents: [agent], ingress });
  await expect(app.start(agent, "Hello", { here: true })).rejects.toThrow("Restate chooses the process");
  await expect(app.start("Other", "Hello")).rejects.toMatchObject({ code: "invalid-input" });
  await app.close();
  await expect(app.start(agent, "Hello")).rejects.toMatchObject({ code: "closed" });
});

test("services need agents, and the package, which is named with how to install it", async () => {
  await expect(restateRuns({ agents: [], ingress }).services()).rejects.toThrow("needs agents");
  vi.doMock("@restatedev/restate-sdk", () => {
    throw new Error("not found");
  });
  const services = restateRuns({ agents: [agent], ingress }).services();
  await expect(services).rejects.toMatchObject({ code: "missing-package" });
  await expect(services).rejects.toThrow("npm install @restatedev/restate-sdk");
  vi.doUnmock("@restatedev/restate-sdk");
});

test("the services are named after the option name", async () => {
  const services = await restateRuns({ agents: [agent], ingress, name: "desk" }).services();
  expect(services.map(({ name }) => name)).toEqual(["deskLog", "deskRun"]);
});

test("a server that is not there is a store that failed, and headers are not in the error", async () => {
  const closed = await listen(() => {});
  closes.splice(0).forEach((close) => close());
  const headers = { authorization: "Bearer hidden" };
  const app = restateRuns({ agents: [agent], ingress: closed, headers });
  const start = app.start(agent, "Hello");
  await expect(start).rejects.toMatchObject({ name: "DurableRunError", code: "store-failed" });
  await expect(start).rejects.toThrow(`Restate did not answer at ${closed} (ECONNREFUSED)`);
  await expect(start).rejects.not.toThrow("hidden");
});

test.each([
  [500, "x".repeat(100_000), "Restate refused /skeinLog/"],
  [404, '{"message":"service \'skeinLog\' not found"}', "not found"],
  [200, "<html>", "Is http"],
  [200, "[]", "Is http"],
])("an answer %i is an error that shows the beginning of it", async (status, body, message) => {
  const address = await listen((_, response) => response.writeHead(status).end(body));
  const start = restateRuns({ agents: [agent], ingress: address }).start(agent, "Hello");
  await expect(start).rejects.toThrow(message);
  const error: unknown = await start.catch((reason: unknown) => reason);
  expect(String(error).length).toBeLessThan(600);
});

test("headers are sent with each request, and names go into paths as they are", async () => {
  const requests: string[] = [];
  const address = await listen(({ url, headers }, response) => {
    requests.push(`${url} ${headers.authorization}`);
    response.end("{}");
  });
  const app = restateRuns({
    agents: [],
    ingress: `${address}/`,
    headers: { authorization: "Bearer secret" },
  });
  await expect(app.get("a/b ü").state()).rejects.toMatchObject({ code: "run-not-found" });
  expect(requests).toEqual(["/skeinLog/run%3Aa%2Fb%20%C3%BC/read Bearer secret"]);
});

test("list needs the admin API", async () => {
  const app = restateRuns({ agents: [agent], ingress });
  await expect(app.list()).rejects.toMatchObject({ code: "invalid-option" });
  await expect(app.list()).rejects.toThrow("Set the option admin");
});
