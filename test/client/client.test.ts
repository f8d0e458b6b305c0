import { Agent, run } from "skein";
import { connect, type RemoteEvent } from "skein/client";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { afterEach, expect, test } from "vitest";
import { closeAll, openServer, proxyTo, speaker } from "./servers.ts";

afterEach(closeAll);

const sentence = "A skein is a flock of geese in flight.";

/** Roll a die. */
function roll(sides = 6) {
  return { sides, eyes: 4 };
}

function dealer(): Agent {
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user"
      ? { reasoning: "Let us see.", toolCalls: [{ toolName: "roll" }] }
      : { text: "You rolled a four.", chunkSize: 4 },
  );
  return new Agent({ name: "Dealer", description: "Rolls dice.", model, tools: [roll] });
}

test("the pieces of text and the result are those of the run", async () => {
  const { client } = await openServer(speaker(sentence));
  const running = client.stream("Speaker", "What is a skein?");
  const pieces = await Array.fromAsync(running.text());
  expect(pieces.length).toBeGreaterThan(3);
  expect(pieces.join("")).toBe(sentence);
  const { runId, ...result } = await running.result;
  expect(runId).toBe(running.id);
  const expected = JSON.parse(JSON.stringify(await run(speaker(sentence), "What is a skein?")));
  const { warnings: _, ...report } = expected;
  expect(result).toEqual(report);
});

test("the events are those that the server shows, in their order", async () => {
  const { client, url } = await openServer(dealer());
  const running = client.stream("Dealer", "Roll!", { id: "roll-1" });
  const events = await Array.fromAsync(running);
  expect(events.map(({ type }) => type)).toEqual([
    "turn-start",
    "reasoning-delta",
    "tool-input-delta",
    "tool-start",
    "tool-end",
    "turn-end",
    "turn-start",
    ...Array.from({ length: 5 }, () => "text-delta"),
    "turn-end",
    "run-end",
  ]);
  const response = await fetch(`${url}/runs/roll-1/events`);
  const frames = (await response.text()).split("\n\n").filter((frame) => frame !== "");
  expect(events).toEqual(frames.map((frame) => JSON.parse(frame.split("data: ")[1] ?? "")));
});

test("run() is the result of stream()", async () => {
  const { client } = await openServer(dealer());
  expect(await client.run("Dealer", "Roll!")).toMatchObject({
    status: "completed",
    text: "You rolled a four.",
    finishReason: "stop",
    agent: "Dealer",
    turns: 2,
    pending: [],
  });
});

test("data of an output schema is in the result", async () => {
  const model = new ScriptedModel(['{"city":"Oslo"}'], { supportsOutput: true });
  const output = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
  const { client } = await openServer(new Agent({ name: "Finder", model, output }));
  expect((await client.run("Finder", "Where?")).output).toEqual({ city: "Oslo" });
});

test("all readers of a run see all of it, those that come late too, and leaving stops none of them", async () => {
  const { client } = await openServer(speaker(sentence));
  const running = client.stream("Speaker", "Hello");
  const leaver: RemoteEvent[] = [];
  for await (const event of running) {
    leaver.push(event);
    if (event.type === "text-delta") break;
  }
  const [one, other, text] = await Promise.all([
    Array.fromAsync(running),
    Array.fromAsync(running.events()),
    Array.fromAsync(running.text()),
  ]);
  expect(one.at(-1)).toMatchObject({ type: "run-end", status: "completed" });
  expect(other).toEqual(one);
  expect(one.slice(0, leaver.length)).toEqual(leaver);
  expect(text.join("")).toBe(sentence);
  expect(await Array.fromAsync(running)).toEqual(one);
  const after = one[2]?.index ?? -1;
  expect(await Array.fromAsync(running.events({ after }))).toEqual(one.slice(3));
});

test("a reader that reads nothing holds up neither the result nor other readers", async () => {
  const long = "word ".repeat(40_000);
  const model = new FunctionModel(() => ({ text: long, chunkSize: 5 }));
  const { client } = await openServer(new Agent({ name: "Long", model }));
  const running = client.stream("Long", "Go on!");
  const stalled = running[Symbol.asyncIterator]();
  expect((await stalled.next()).value).toMatchObject({ type: "turn-start" });
  expect((await running.result).text).toBe(long);
  expect((await stalled.next()).value).toMatchObject({ type: "events-dropped" });
  const rest = await Array.fromAsync({ [Symbol.asyncIterator]: () => stalled });
  expect(rest.length).toBeGreaterThanOrEqual(16_384);
  expect(rest.at(-1)).toMatchObject({ type: "run-end" });
  await expect(Array.fromAsync(running.text())).rejects.toMatchObject({ code: "events-dropped" });
});

test("a run can be followed by its id, from any event on, while it works and after its end", async () => {
  const { client } = await openServer(speaker(sentence));
  const running = client.stream("Speaker", "Hello", { id: "m1" });
  const all = await Array.fromAsync(running);
  const result = await running.result;
  for (const [place, { index }] of all.entries()) {
    const followed = client.follow("m1", { after: index });
    expect(await Array.fromAsync(followed)).toEqual(all.slice(place + 1));
    expect(await followed.result).toEqual(result);
  }
  expect(await Array.fromAsync(client.follow("m1"))).toEqual(all);
  // As the server says it of a conversation whose run has no event yet.
  expect(await Array.fromAsync(client.follow("m1", { after: -1 }))).toEqual(all);
});

test("the same id is the same run", async () => {
  let calls = 0;
  const model = new FunctionModel(() => `Answer ${++calls}.`);
  const { client } = await openServer(new Agent({ name: "A", model }));
  const options = { session: "s", id: "m1" };
  const [one, two] = await Promise.all([client.run("A", "Once", options), client.run("A", "Once", options)]);
  expect(two).toEqual(one);
  expect(calls).toBe(1);
});

test("a conversation goes on over runs, and can be read", async () => {
  const model = new FunctionModel(({ messages }) => `Message ${messages.length}.`);
  const { client } = await openServer(new Agent({ name: "Counter", model }));
  expect(await client.session("c1")).toEqual({ session: "c1", messages: [], pending: [] });
  await client.run("Counter", "One", { session: "c1" });
  const last = await client.run("Counter", [{ role: "user", content: "Two" }], { session: "c1" });
  expect(last.text).toBe("Message 3.");
  const session = await client.session("c1");
  expect(session.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(session).toMatchObject({ pending: [], run: { id: last.runId, status: "completed" } });
});

test("the agents are listed with their descriptions", async () => {
  const { client } = await openServer({ dice: dealer(), words: speaker(sentence) });
  expect(await client.agents()).toEqual([{ name: "dice", description: "Rolls dice." }, { name: "words" }]);
});

test("requests that follow one another share connections", async () => {
  const { url } = await openServer(speaker(sentence));
  const proxy = await proxyTo(url);
  const client = connect(proxy.url);
  for (const session of ["one", "two", "three"]) {
    const running = client.stream("Speaker", "Hello", { session });
    await Array.fromAsync(running);
    await client.session(session);
  }
  // The end of a stream may still be on its way when the next request is sent.
  expect(proxy.connections).toBeLessThanOrEqual(2);
});

test("headers are sent with each request, and a function is called for each", async () => {
  const users: (string | null)[] = [];
  const { url } = await openServer(speaker(sentence), {
    authorize: (request) => {
      users.push(request.headers.get("x-user"));
      return { user: "ada" };
    },
  });
  let count = 0;
  const client = connect(`${url}/`, { headers: async () => ({ "x-user": `ada-${++count}` }) });
  await client.run("Speaker", "Hello", { session: "s" });
  await client.session("s");
  await connect(new URL(url), { headers: { "x-user": "bob" } }).agents();
  expect(users).toEqual(["ada-1", "ada-2", "bob"]);
});

test("a fetch of one's own takes the requests, such as the server in the same process", async () => {
  const { server } = await openServer(speaker(sentence));
  const client = connect("http://localhost", {
    fetch: (url, init) => server.fetch(new Request(url, init)),
  });
  expect((await client.run("Speaker", "Hello")).text).toBe(sentence);
});
