import { Agent, tool } from "skein";
import type { Client, RemoteResult } from "skein/client";
import { FunctionModel } from "skein/testing";
import { afterEach, expect, test } from "vitest";
import { closeAll, openServer, refunds } from "./servers.ts";

afterEach(closeAll);

function approvalIdOf({ pending }: RemoteResult): string {
  return pending[0]?.approvalId ?? "";
}

/** A run that waits for a decision. */
async function paused(client: Client, options: { readonly session?: string } = {}) {
  const running = client.stream("Refunds", "Money back!", options);
  const result = await running.result;
  expect(result).toMatchObject({ status: "paused", pending: [{ toolName: "refund", input: { order: 7 } }] });
  return { running, result, approvalId: approvalIdOf(result) };
}

test("an approval has the run go on, as a run of its own with the same id", async () => {
  const { client } = await openServer(refunds());
  const { running, approvalId } = await paused(client);
  const next = await running.decide([{ approvalId, decision: "approve" }]);
  expect((await Array.fromAsync(next)).map(({ type }) => type)).toEqual([
    "tool-start",
    "tool-end",
    "turn-start",
    "text-delta",
    "turn-end",
    "run-end",
  ]);
  expect(await next.result).toMatchObject({
    status: "completed",
    text: "It says: Refunded 7.",
    runId: running.id,
  });
  expect(await running.result).toMatchObject({ status: "paused" });
});

test("a denial says why, and arguments can be edited", async () => {
  const { client } = await openServer(refunds());
  const one = await paused(client);
  const denied = await one.running.decide([
    { approvalId: one.approvalId, decision: "deny", reason: "Too late." },
  ]);
  expect((await denied.result).text).toMatch("Too late.");
  const two = await paused(client);
  const edited = await two.running.decide([
    { approvalId: two.approvalId, decision: "approve", arguments: { order: 8 } },
  ]);
  expect((await edited.result).text).toMatch(/^It says: Refunded 8\./);
});

test("a decision that no call waits for is refused, and so is one after the end", async () => {
  const { client } = await openServer(refunds());
  const { running, approvalId } = await paused(client);
  await expect(running.decide([{ approvalId: "no", decision: "approve" }])).rejects.toMatchObject({
    name: "SkeinClientError",
    status: 409,
    code: "nothing-waits",
  });
  await (
    await running.decide([{ approvalId, decision: "approve" }])
  ).result;
  // The same once more is answered as the first.
  const again = await running.decide([{ approvalId, decision: "approve" }]);
  expect((await again.result).text).toBe("It says: Refunded 7.");
  await expect(running.decide([{ approvalId, decision: "deny" }])).rejects.toMatchObject({
    code: "nothing-waits",
  });
});

test("after a reload the session has what waits, and its run goes on", async () => {
  const { client } = await openServer(refunds());
  await paused(client, { session: "c1" });
  const { run, pending, messages } = await client.session("c1");
  expect(messages[0]).toEqual({ role: "user", content: "Money back!" });
  expect(run).toMatchObject({ status: "paused", session: "c1" });
  const reloaded = client.follow(run?.id ?? "");
  const approvalId = pending[0]?.approvalId ?? "";
  const next = await reloaded.decide([{ approvalId, decision: "approve" }]);
  expect((await next.result).text).toBe("It says: Refunded 7.");
  // A reader from the first event on goes over the pause.
  const whole = client.follow(run?.id ?? "");
  const ends = (await Array.fromAsync(whole)).filter(({ type }) => type === "run-end");
  expect(ends).toMatchObject([{ status: "paused" }, { status: "completed" }]);
  expect((await whole.result).status).toBe("completed");
});

const locate = tool({ name: "locate", description: "Where the user is.", input: { type: "object" } });

function guide(calls: number): Agent {
  const model = new FunctionModel(({ messages }) => {
    const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
    if (results.length === 0)
      return { toolCalls: Array.from({ length: calls }, () => ({ toolName: "locate" })) };
    return results
      .map(({ content, isError }) => `${isError ? "Error: " : ""}${JSON.stringify(content)}`)
      .join(" ");
  });
  return new Agent({ name: "Guide", model, tools: [locate] });
}

test("results of tools that the client executes have the run go on", async () => {
  const { client } = await openServer(guide(1));
  const running = client.stream("Guide", "Where am I?");
  const [call] = (await running.result).pending;
  const next = await running.resolve(call?.toolCallId ?? "", { city: "Oslo" });
  expect((await next.result).text).toMatch("Oslo");
  const other = client.stream("Guide", "Where am I?");
  const [failed] = (await other.result).pending;
  const rest = await other.resolve(failed?.toolCallId ?? "", "No satellite.", { isError: true });
  expect((await rest.result).text).toMatch(/Error: .*No satellite\./);
});

test("several results at once are one step; one of several leaves the run paused for the others", async () => {
  const { client } = await openServer(guide(2));
  const running = client.stream("Guide", "Where?");
  const [one, two] = (await running.result).pending.map(({ toolCallId }) => toolCallId);
  const all = await running.resolve([
    { toolCallId: one ?? "", content: "Oslo" },
    { toolCallId: two ?? "", content: "Rome" },
  ]);
  expect((await all.result).text).toMatch(/Oslo.*Rome/);

  const other = client.stream("Guide", "Where?");
  const [first, second] = (await other.result).pending.map(({ toolCallId }) => toolCallId);
  const half = await other.resolve(first ?? "", "Bern");
  expect(await half.result).toMatchObject({ status: "paused", pending: [{ toolCallId: second }] });
  const whole = await half.resolve(second ?? "", "Wien");
  expect((await whole.result).text).toMatch(/Bern.*Wien/);
});

test("the agent reads what is sent to it while it works", async () => {
  let proceed: () => void = () => {};
  /** Look for a hotel. */
  async function findHotels(city: string) {
    await new Promise<void>((resolve) => (proceed = resolve));
    return `Three hotels in ${city}.`;
  }
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === "user" && messages.length === 1)
      return { toolCalls: [{ toolName: "findHotels", arguments: { city: "Oslo" } }] };
    return last?.role === "user" ? `Read: ${JSON.stringify(last.content)}` : "Done.";
  });
  const { client } = await openServer(new Agent({ name: "Host", model, tools: [findHotels] }));
  const running = client.stream("Host", "A hotel!");
  for await (const event of running) {
    if (event.type === "tool-start") {
      await running.steer("With a sauna.");
      await running.queue({ role: "user", content: "And a boat." });
      proceed();
    }
  }
  const events = await Array.fromAsync(running);
  const messages = events.flatMap((event) => (event.type === "user-message" ? [event] : []));
  expect(messages).toMatchObject([
    { when: "steer", message: { content: "With a sauna." } },
    { when: "queue", message: { content: "And a boat." } },
  ]);
  expect((await running.result).text).toBe('Read: "And a boat."');
  await expect(running.steer("Too late.")).rejects.toMatchObject({ status: 409, code: "run-ended" });
});

test("a run is cancelled, at once after its start too, and while it waits", async () => {
  const model = new FunctionModel(() => ({ text: "Slow.", delay: 60_000 }));
  const { client } = await openServer([new Agent({ name: "Slow", model }), refunds()]);
  const running = client.stream("Slow", "Hello");
  await running.cancel("Changed my mind.");
  expect(await running.result).toMatchObject({ status: "cancelled", runId: running.id });
  const waiting = await paused(client);
  await waiting.running.cancel();
  expect(await client.follow(waiting.running.id).result).toMatchObject({
    status: "cancelled",
    text: "",
    pending: [],
    usage: { totalTokens: 0 },
  });
  await waiting.running.cancel();
});

test("a failure has a code, and not one word of the provider", async () => {
  const model = new FunctionModel(() => {
    throw new Error("key sk-secret is wrong");
  });
  const { client } = await openServer(new Agent({ name: "Broken", model }), { onError: () => {} });
  const running = client.stream("Broken", "Hello");
  const events: unknown[] = [];
  const reading = (async () => {
    for await (const event of running) events.push(event);
  })();
  await expect(reading).rejects.toMatchObject({ name: "SkeinClientError", message: /^The run failed/ });
  expect(events.at(-1)).toMatchObject({ type: "run-end", status: "failed" });
  expect(JSON.stringify(events)).not.toMatch("secret");
  const error = await running.result.catch((error: unknown) => error);
  expect(String(error)).not.toMatch("secret");
  expect(error).toMatchObject({ status: undefined });
});
