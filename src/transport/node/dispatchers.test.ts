/** In a file of their own: undici and nock put something in the place of Node's when they are loaded. */
import { afterEach, expect, test } from "vitest";
import nock from "nock";
import { Agent, getGlobalDispatcher, MockAgent, setGlobalDispatcher } from "undici";
import { postByNode } from "./exchange.ts";
import { post } from "./index.ts";
import { ok, requestTo, serveBytes, textOf } from "./test-servers.ts";

const before = getGlobalDispatcher();
afterEach(() => setGlobalDispatcher(before));

async function textFrom(url: string): Promise<string> {
  const answer = await post(requestTo(url));
  if (!answer) throw new Error("no answer");
  return textOf(answer);
}

test("a request reaches the mock that was made the dispatcher of fetch", async () => {
  const mock = new MockAgent();
  mock.disableNetConnect();
  mock.get("http://provider.test").intercept({ path: "/chat", method: "POST" }).reply(200, "mocked");
  setGlobalDispatcher(mock);
  expect(await textFrom("http://provider.test/chat")).toBe("mocked");
});

test("a request goes by fetch, over the dispatcher that a program has made", async () => {
  await using server = await serveBytes((socket, _, request) =>
    socket.write(ok(/user-agent: (.*)\r/i.exec(request)?.[1] ?? "")),
  );
  setGlobalDispatcher(new Agent({ connect: { timeout: 5_000 } }));
  expect(await textFrom(server.url)).toBe("node");
});

test("nock sees a request, by fetch or by node:http", async () => {
  nock("http://provider.test").post("/chat", { a: "ä" }).twice().reply(200, "intercepted");
  try {
    expect(await textFrom("http://provider.test/chat")).toBe("intercepted");
    expect(await textOf(await postByNode(requestTo("http://provider.test/chat")))).toBe("intercepted");
  } finally {
    nock.cleanAll();
    nock.restore();
  }
});
