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

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

const message = { id: "m", role: "user", parts: [{ type: "text", text: "Hi" }] };
const requests: readonly Sent[] = [
  { method: "GET", path: "/runs/r" },
  { method: "GET", path: "/runs/r/events" },
  { method: "GET", path: "/sessions/s" },
  { method: "POST", path: "/runs/desk", body: { input: "Hello" } },
  { method: "POST", path: "/runs/r/cancel", body: {} },
  { method: "POST", path: "/runs/r/steer", body: { message: "Hello" } },
  { method: "POST", path: "/runs/r/decide", body: { decisions: [] } },
  { method: "POST", path: "/v1/responses", body: { model: "desk", input: "Hello" } },
  { method: "GET", path: "/v1/responses/resp_r" },
  { method: "POST", path: "/chat/desk", body: { id: "c", messages: [message] } },
  { method: "GET", path: "/chat/desk/c" },
];

test.each(requests)(
  "$method $path is answered with 503 while the store is away",
  async ({ method, path, body }) => {
    const { url, take } = await desk();
    await connect(url).run("desk", "Hello", { id: "r", session: "s" });
    take(true);
    const init = { method, headers: { "content-type": "application/json" } };
    const response = await fetch(`${url}${path}`, body ? { ...init, body: JSON.stringify(body) } : init);
    const text = await response.text();
    expect([response.status, JSON.parse(text)]).toMatchObject([503, { error: { code: "store-failed" } }]);
    expect(text).not.toContain("db.internal");
  },
);

test("skein/client waits until the store is back", async () => {
  const { url, take } = await desk();
  const client = connect(url);
  await client.run("desk", "Hello", { id: "r" });
  take(true);
  const following = client.follow("r").result;
  setTimeout(() => take(false), 300);
  expect((await following).text).toBe("Hello.");
});
