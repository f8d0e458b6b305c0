/** Durations that no timer can wait: `Infinity`, and what is longer than 25 days. */
import { Agent } from "skein";
import { connect } from "skein/client";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { eventsOf, listening, request, served, waiter } from "./serving.ts";

test.each([Number.POSITIVE_INFINITY, 3_000_000_000])(
  "close({ drain: %d }) waits for the runs",
  async (drain) => {
    const { agent, letGo } = waiter();
    const server = served({ waiter: agent });
    const started = server.fetch(
      request("POST", "/runs/waiter", { input: "Hi" }, { accept: "text/event-stream" }),
    );
    const events = started.then(eventsOf);
    let hasClosed = false;
    await started;
    const closed = server.close({ drain }).then(() => (hasClosed = true));
    // A timer that is set later fires later.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(hasClosed).toBe(false);
    letGo();
    await closed;
    expect((await events).at(-1)).toMatchObject({ type: "run-end", status: "completed" });
  },
);

test("keepAlive: Infinity sends no comment", async () => {
  const { agent, letGo } = waiter();
  const server = served({ waiter: agent }, { keepAlive: Number.POSITIVE_INFINITY });
  const answer = await server.fetch(
    request("POST", "/runs/waiter", { input: "Hi" }, { accept: "text/event-stream" }),
  );
  const text = answer.text();
  await new Promise((resolve) => setTimeout(resolve, 20));
  letGo();
  expect((await text).split("\n").filter((line) => line.startsWith(":"))).toEqual([]);
});

test("idleTimeout: Infinity of a client waits for as long as it takes", async () => {
  const model = new FunctionModel(() => ({ text: "Hello there, friend.", chunkSize: 4, delay: 5 }));
  const { url } = await listening({ desk: new Agent({ name: "Desk", model }) });
  let requests = 0;
  const client = connect(url, {
    idleTimeout: Number.POSITIVE_INFINITY,
    fetch: (...args) => {
      requests += 1;
      return fetch(...args);
    },
  });
  expect((await client.run("desk", "Hi")).text).toBe("Hello there, friend.");
  expect(requests).toBe(1);
});
