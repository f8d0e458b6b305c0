/** Connections are cut at many places of the answers of a server: the events, the result and what was done are the same. */
import { Agent } from "skein";
import { type Client, connect, type RemoteEvent, type RemoteRun } from "skein/client";
import { FunctionModel } from "skein/testing";
import { afterEach, expect, test } from "vitest";
import type { Proxy } from "./proxy.ts";
import { closeAll, openServer, proxyTo, refunds, speaker } from "./servers.ts";

afterEach(closeAll);

/** How many connections are cut at the same time. */
const atOnce = 60;

/** Calls a function for each place of an answer. */
async function atEach(places: readonly number[], check: (place: number) => Promise<void>): Promise<void> {
  const waiting = [...places];
  const worker = async (): Promise<void> => {
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) await check(place);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Each k-th place of an answer, and its end. */
function placesOf(length: number, step: number): readonly number[] {
  return [...Array.from({ length: Math.ceil(length / step) }, (_, place) => place * step), length];
}

/** The events of a run as the server has them. */
function storedEvents(direct: Client, { id }: RemoteRun): Promise<RemoteEvent[]> {
  return Array.fromAsync(direct.follow(id));
}

/** Expects of a run whose connection is cut that its reader sees what the server has, once each. */
async function expectWhole(direct: Client, running: RemoteRun, text: string): Promise<void> {
  const [events, pieces] = await Promise.all([Array.fromAsync(running), Array.fromAsync(running.text())]);
  expect(events).toEqual(await storedEvents(direct, running));
  expect(pieces.join("")).toBe(text);
  expect(await running.result).toMatchObject({ status: "completed", text, runId: running.id });
}

/** How many bytes an answer has. */
async function lengthOf(proxy: Proxy, read: () => Promise<unknown>): Promise<number> {
  const before = proxy.bytes;
  await read();
  return proxy.bytes - before;
}

test("an answer that is cut at any of its bytes is read to its end", async () => {
  let answers = 0;
  const model = new FunctionModel(() => {
    answers += 1;
    return { text: "Är 雁 a goose?", chunkSize: 5 };
  });
  const { url, client } = await openServer(new Agent({ name: "Speaker", model }));
  const first = await proxyTo(url);
  const length = await lengthOf(first, () => connect(first.url).run("Speaker", "Hello"));
  expect(length).toBeGreaterThan(800);
  await atEach(placesOf(length, 1), async (place) => {
    const proxy = await proxyTo(url);
    proxy.cutAfter(place);
    await expectWhole(client, connect(proxy.url).stream("Speaker", "Hello"), "Är 雁 a goose?");
  });
  // Whatever became of the answers: each run was started once.
  expect(answers).toBe(length + 2);
}, 300_000);

test("a long answer with calls of tools, cut and then refused for a while, is read to its end", async () => {
  /** Look something up. */
  function look(word: string) {
    return { word, meanings: Array.from({ length: 10 }, (_, place) => `${word} ${place}`) };
  }
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user"
      ? { toolCalls: ["skein", "lead"].map((word) => ({ toolName: "look", arguments: { word } })) }
      : { text: "Both words have ten meanings, and that is a lot of meanings.", chunkSize: 3 },
  );
  const { url, client } = await openServer(new Agent({ name: "Clerk", model, tools: [look] }));
  const first = await proxyTo(url);
  const length = await lengthOf(first, () => connect(first.url).run("Clerk", "Look!"));
  expect(length).toBeGreaterThan(5_000);
  await atEach(placesOf(length, 37), async (place) => {
    const proxy = await proxyTo(url);
    proxy.cutAfter(place);
    const running = connect(proxy.url).stream("Clerk", "Look!");
    void running[Symbol.asyncIterator]()
      .next()
      .then(() => proxy.refuse(2));
    await expectWhole(client, running, "Both words have ten meanings, and that is a lot of meanings.");
  });
});

test("a connection that is cut again and again passes on a bit more each time", async () => {
  const text = "word ".repeat(50);
  const model = new FunctionModel(() => ({ text, chunkSize: 2 }));
  const { url, client } = await openServer(new Agent({ name: "Speaker", model }));
  const proxy = await proxyTo(url);
  // The answer's head and a few events.
  proxy.cutEach(1_500);
  const running = connect(proxy.url).stream("Speaker", "Hello");
  await expectWhole(client, running, text);
  expect(proxy.connections).toBeGreaterThan(4);
});

test("a decision whose answer is cut, at each seventh byte, is carried out once", async () => {
  const { url, client } = await openServer(refunds());
  const pause = async (): Promise<readonly [string, string, number]> => {
    const running = client.stream("Refunds", "Money back!");
    const { pending } = await running.result;
    const events = await Array.fromAsync(running);
    return [running.id, pending[0]?.approvalId ?? "", events.at(-1)?.index ?? 0];
  };
  const first = await proxyTo(url);
  const decide = async (proxy: Proxy, place?: number): Promise<readonly [RemoteRun, number]> => {
    const [id, approvalId, after] = await pause();
    const running = connect(proxy.url).follow(id, { after });
    await running.result;
    if (place !== undefined) proxy.cutAfter(place);
    return [await running.decide([{ approvalId, decision: "approve" }]), after];
  };
  // What is read before the decision is not counted: the proxy is open for it alone.
  const before = await lengthOf(first, async () => {
    const [id, , after] = await pause();
    return connect(first.url).follow(id, { after }).result;
  });
  const length = await lengthOf(first, async () => (await decide(first))[0].result);
  await atEach(placesOf(length - before, 7), async (place) => {
    const [next, after] = await decide(await proxyTo(url), place);
    const events = await Array.fromAsync(next);
    const stored = await storedEvents(client, next);
    expect(events).toEqual(stored.filter(({ index }) => index > after));
    expect(await next.result).toMatchObject({ status: "completed", text: "It says: Refunded 7." });
    expect(stored.filter(({ type }) => type === "tool-end")).toHaveLength(1);
  });
});

test("a conversation is read and a run cancelled although the answer is cut, at each third byte", async () => {
  const { url, client } = await openServer(speaker("Hello."));
  const { runId } = await client.run("Speaker", "Hi", { session: "s" });
  const expected = await client.session("s");
  const first = await proxyTo(url);
  const length = await lengthOf(first, () => connect(first.url).session("s"));
  await atEach(placesOf(length, 3), async (place) => {
    const proxy = await proxyTo(url);
    proxy.cutAfter(place);
    expect(await connect(proxy.url).session("s")).toEqual(expected);
    proxy.cutAfter(place);
    await connect(proxy.url).follow(runId).cancel();
  });
});
