/** Agents found and called by the official A2A client where their server is mounted below a path. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import express from "express";
import { Hono } from "hono";
import { expect, onTestFinished, test } from "vitest";
import { partOf, requestOf } from "./a2a-request.ts";
import { greeter, request, served } from "./serving.ts";

async function listen(listener: RequestListener): Promise<string> {
  const host = createServer(listener).listen(0, "127.0.0.1");
  await once(host, "listening");
  onTestFinished(() => host.close().closeAllConnections());
  const address = host.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

/** Where a program is, and how it is reached. */
interface Mounted {
  readonly url: string;
  readonly send: typeof fetch;
}

const hono = (app: Hono, path: string): Mounted => ({
  url: `http://localhost:3000${path}`,
  send: async (input, init) => app.fetch(new Request(input, init)),
});

const a2a = { protocols: ["a2a", "native", "ui-messages"] } as const;

const mounts: Readonly<Record<string, () => Mounted | Promise<Mounted>>> = {
  "Express, which says where it is": async () => {
    const { node } = served({ desk: greeter() }, a2a);
    return { url: `${await listen(express().use("/ai", node))}/ai`, send: fetch };
  },
  "Express, in two steps": async () => {
    const { node } = served({ desk: greeter() }, a2a);
    const url = await listen(express().use("/v1", express.Router().use("/ai", node)));
    return { url: `${url}/v1/ai`, send: fetch };
  },
  "Hono, mounted": () => {
    const { fetch: answer } = served({ desk: greeter() }, { ...a2a, basePath: "/ai" });
    return hono(new Hono().mount("/ai", answer), "/ai");
  },
  "Hono, as a route": () => {
    const { fetch: answer } = served({ desk: greeter() }, { ...a2a, basePath: "/ai" });
    return hono(
      new Hono().all("/ai/*", ({ req }) => answer(req.raw)),
      "/ai",
    );
  },
  "Hono, mounted at the path of a protocol": () => {
    const { fetch: answer } = served({ desk: greeter() }, { ...a2a, basePath: "/a2a" });
    return hono(new Hono().mount("/a2a", answer), "/a2a");
  },
};

test.each(Object.entries(mounts))("%s", async (_host, mount) => {
  const { url, send: fetchImpl } = await mount();
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
    }),
  );
  const client = await factory.createFromUrl(`${url}/`);
  const answer = await client.sendMessage(requestOf([partOf({ $case: "text", value: "Hi" })]));
  expect(answer).toMatchObject({ artifacts: [{ parts: [{ content: { value: "Hi there." } }] }] });
  const card = await (await fetchImpl(`${url}/a2a/desk/.well-known/agent-card.json`)).json();
  expect(card.supportedInterfaces[0].url).toBe(`${url}/a2a/desk`);
});

test("a base path that is the name of a route, too, takes no route away", async () => {
  const server = served({ desk: greeter() }, { basePath: "/chat" });
  const chat = { id: "c", messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "Hi" }] }] };
  for (const path of ["/chat/desk", "/chat/chat/desk"])
    expect(await (await server.fetch(request("POST", path, chat))).text()).toContain("Hi there.");
  expect((await server.fetch(request("GET", "/chat/health"))).status).toBe(200);
});
