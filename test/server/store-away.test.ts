/** A store that does not answer: each route that needs it says so, and clients try again. */
import { Agent } from "skein";
import { connect } from "skein/client";
import { type DurableStore, memoryStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { listening } from "./serving.ts";

/** A server whose store can be taken away: everything that reads or writes it fails then. */
async function desk() {
  const store = memoryStore();
  let isAway = false;
  const orFail = <T>(work: () => Promise<T>): Promise<T> =>
    isAway ? Promise.reject(new Error("ECONNREFUSED db.internal")) : work();
  const { events, ...methods } = store;
  const failing: DurableStore = {
    ...methods,
    key: store.key,
    create: (added) => orFail(() => store.create(added)),
    read: (id) => orFail(() => store.read(id)),
    list: (filter) => orFail(() => store.list(filter)),
    load: (log) => orFail(() => store.load(log)),
    update: (id, revision, change) => orFail(() => store.update(id, revision, change)),
    events: (id, after, limit) => orFail(() => events(id, after, limit)),
  };
  const agent = new Agent({ name: "Desk", model: new FunctionModel(() => "Hello.") });
  const { url } = await listening({ desk: agent }, { store: failing, onError: () => {} });
  return { url, take: (away: boolean) => void (isAway = away) };
}

const routes: readonly (readonly [method: string, path: string, body?: object])[] = [
  ["GET", "/runs/r"],
  ["GET", "/runs/r/events"],
  ["GET", "/sessions/s"],
  ["POST", "/runs/desk", { input: "Hello" }],
  ["POST", "/runs/r/cancel", {}],
  ["POST", "/runs/r/steer", { message: "Hello" }],
  ["POST", "/runs/r/decide", { decisions: [] }],
  ["POST", "/v1/responses", { model: "desk", input: "Hello" }],
  ["GET", "/v1/responses/resp_r"],
  [
    "POST",
    "/chat/desk",
    { id: "c", messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "Hi" }] }] },
  ],
  ["GET", "/chat/desk/c"],
];

test.each(routes)("%s %s is answered with 503 while the store is away", async (method, path, body) => {
  const { url, take } = await desk();
  await connect(url).run("desk", "Hello", { id: "r", session: "s" });
  take(true);
  const init = { method, headers: { "content-type": "application/json" } };
  const response = await fetch(`${url}${path}`, body ? { ...init, body: JSON.stringify(body) } : init);
  const text = await response.text();
  expect([response.status, JSON.parse(text)]).toMatchObject([503, { error: { code: "store-failed" } }]);
  expect(text).not.toContain("db.internal");
});

test("skein/client waits until the store is back", async () => {
  const { url, take } = await desk();
  const client = connect(url);
  await client.run("desk", "Hello", { id: "r" });
  take(true);
  const following = client.follow("r").result;
  setTimeout(() => take(false), 300);
  expect((await following).text).toBe("Hello.");
});
