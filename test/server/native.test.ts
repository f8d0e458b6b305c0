import { Agent, tool } from "skein";
import { serve, type SkeinServer } from "skein/server";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { afterEach, expect, test } from "vitest";

let server: SkeinServer | undefined;

afterEach(async () => {
  await server?.close({ drain: 0 });
  server = undefined;
});

/** Serves agents on a free port. */
async function open(...args: Parameters<typeof serve>): Promise<string> {
  server = serve(...args);
  return (await server.listen({ port: 0 })).url;
}

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

const sse = { accept: "text/event-stream" };

/** The events of a stream, as its lines of data say. */
async function eventsOf(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text();
  return text.split("\n\n").flatMap((frame) => {
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    return data === undefined ? [] : [JSON.parse(data)];
  });
}

function typesOf(events: readonly Record<string, unknown>[]): unknown[] {
  return events.map(({ type }) => type);
}

/** Refund an order. */
function refund(order: number) {
  return `Refunded ${order}.`;
}

function refunds(): Agent {
  const call = { toolName: "refund", arguments: { order: 7 } };
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user" ? { toolCalls: [call] } : "Done.",
  );
  return new Agent({ name: "Refunds", model, tools: [tool(refund, { approval: true })] });
}

test("a run is started, and its events are streamed", async () => {
  const url = await open(new Agent({ name: "Hello", model: new ScriptedModel(["Hi there."]) }));
  const response = await post(`${url}/runs/Hello`, { input: "Hello" }, sse);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch("text/event-stream");
  const events = await eventsOf(response);
  expect(typesOf(events)).toEqual(["turn-start", "text-delta", "turn-end", "run-end"]);
  expect(events.at(-1)).toMatchObject({ status: "completed", result: { text: "Hi there." } });
});

test("a run can be read again from any of its events on", async () => {
  const url = await open(new Agent({ name: "Hello", model: new ScriptedModel(["Hi there."]) }));
  const first = await post(`${url}/runs/Hello`, { input: "Hello", id: "a" }, sse);
  const events = await eventsOf(first);
  const { index } = events[1] ?? {};
  const again = await fetch(`${url}/runs/a/events`, { headers: { "last-event-id": String(index) } });
  expect(await eventsOf(again)).toEqual(events.slice(2));
  const last = events.at(-1)?.["index"];
  const rest = await fetch(`${url}/runs/a/events?after=${String(last)}`);
  expect(rest.status).toBe(204);
});

test("an approval pauses the run, and a decision has it go on", async () => {
  const url = await open({ refunds: refunds() });
  const events = await eventsOf(
    await post(`${url}/runs/refunds`, { input: "Money back!", session: "s" }, sse),
  );
  const request = events.find(({ type }) => type === "approval-request");
  expect(events.at(-1)).toMatchObject({ type: "run-end", status: "paused" });
  const state = await (await fetch(`${url}/sessions/s`)).json();
  expect(state).toMatchObject({ pending: [{ toolName: "refund", input: { order: 7 } }] });
  const decisions = [{ approvalId: request?.["approvalId"], decision: "approve" }];
  const rest = await eventsOf(await post(`${url}/runs/refunds`, { session: "s", decisions }, sse));
  expect(typesOf(rest)).toEqual([
    "tool-start",
    "tool-end",
    "turn-start",
    "text-delta",
    "turn-end",
    "run-end",
  ]);
  expect(rest.at(-1)).toMatchObject({ status: "completed", result: { text: "Done." } });
  const twice = await post(`${url}/runs/refunds`, { session: "s", decisions });
  expect([twice.status, await twice.json()]).toMatchObject([409, { error: { code: "nothing-waits" } }]);
});

test("without an event stream the run itself is the answer", async () => {
  const url = await open({ refunds: refunds() });
  const response = await post(`${url}/runs/refunds`, { input: "Money back!", id: "order-7" });
  expect(response.status).toBe(202);
  expect(await response.json()).toMatchObject({ id: "order-7", agent: "Refunds" });
  await server?.runs.get("local/order-7").result();
  const state = await (await fetch(`${url}/runs/order-7`)).json();
  expect(state).toMatchObject({ id: "order-7", status: "paused", pending: [{ toolName: "refund" }] });
  const cancelled = await fetch(`${url}/runs/order-7/cancel`, { method: "POST" });
  expect(await cancelled.json()).toEqual({ id: "order-7", cancelled: true });
});

test("the same message sent twice is one run", async () => {
  let calls = 0;
  const model = new FunctionModel(() => `Answer ${++calls}.`);
  const url = await open(new Agent({ name: "A", model }));
  const body = { input: "Once", session: "s", id: "m1" };
  const [one, two] = await Promise.all([post(`${url}/runs/A`, body, sse), post(`${url}/runs/A`, body, sse)]);
  const [first, second] = [await eventsOf(one), await eventsOf(two)];
  expect(second.at(-1)).toEqual(first.at(-1));
  expect(calls).toBe(1);
});

test("authorize may name the model of the runs that a user starts", async () => {
  const agent = new Agent({ name: "Hello", model: new ScriptedModel(["From the script."]) });
  const url = await open(agent, {
    authorize: ({ headers }) => ({ user: "ada", ...(headers.has("x-free") && { model: "offline" }) }),
  });
  const end = async (headers: Record<string, string>): Promise<unknown> => {
    const response = await post(`${url}/runs/Hello`, { input: "Hello" }, { ...sse, ...headers });
    return (await eventsOf(response)).at(-1);
  };
  expect(await end({ "x-free": "1" })).toMatchObject({
    status: "completed",
    result: { usage: { inputTokens: 0 } },
  });
  expect(await end({})).toMatchObject({ status: "completed", result: { text: "From the script." } });
});

test("an unknown model fails the run, not the server", async () => {
  const agent = new Agent({ name: "Hello", model: new ScriptedModel(["Hi."]) });
  const url = await open(agent, {
    authorize: () => ({ user: "ada", model: "nobody:knows" }),
    onError: () => {},
  });
  const response = await post(`${url}/runs/Hello`, { input: "Hello" }, sse);
  expect((await eventsOf(response)).at(-1)).toMatchObject({
    status: "failed",
    error: { code: "model-not-found" },
  });
});
