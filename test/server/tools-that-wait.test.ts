/** Runs whose tools sleep, or wait for what no client has: every protocol's reader gets the answer, and no conversation is blocked. */
import { Chat } from "@ai-sdk/react";
import { HttpAgent } from "@ag-ui/client";
import { DefaultChatTransport, type UIMessage } from "ai";
import OpenAI from "openai";
import { Agent, tool, type ToolContext } from "skein";
import { connect } from "skein/client";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { until } from "./open-server.ts";
import { listening } from "./serving.ts";

/** An agent with one tool; its answer has what users have written to it. */
function desk(wait: (context: ToolContext) => Promise<unknown>): Agent {
  const sell = tool({
    name: "sell",
    input: { type: "object", properties: {} },
    execute: async (_, context) => {
      await wait(context);
      return "sold";
    },
  });
  const model = new FunctionModel(({ messages }) => {
    const hasSold = messages.some(({ role }) => role === "tool");
    if (!hasSold) return { toolCalls: [{ toolName: "sell", arguments: {} }] };
    const texts = messages.flatMap((each) => (each.role === "user" ? [JSON.stringify(each.content)] : []));
    return `Sold after ${texts.join(", ")}.`;
  });
  return new Agent({ name: "Desk", model, tools: [sell] });
}

// Just above what keeps its process.
const sleeper = (): Agent => desk(({ sleep }) => sleep("until it is packed", 1_005));
const waiter = (): Agent => desk(({ waitFor }) => waitFor("payment"));

const sold = 'Sold after "Go".';

function openai(url: string): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: "x", maxRetries: 0 });
}

function chatOf(url: string, messages: UIMessage[] = []): Chat<UIMessage> {
  return new Chat({ id: "c1", messages, transport: new DefaultChatTransport({ api: `${url}/chat/desk` }) });
}

/** A chat as a page shows it: its texts, and how its calls stand. */
function shown({ messages }: { readonly messages: readonly UIMessage[] }): readonly string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type === "text") return [part.text];
      return "state" in part ? [`${part.type} ${part.state}`] : [];
    }),
  );
}

function threadOf(url: string): HttpAgent {
  const agent = new HttpAgent({ url: `${url}/ag-ui/desk`, threadId: "t1" });
  agent.addMessage({ id: "m1", role: "user", content: "Go" });
  return agent;
}

async function json(url: string): Promise<Record<string, unknown>> {
  return (await fetch(url)).json();
}

test("readers follow a run over a sleep of its tool to the answer, whatever they speak", async () => {
  const { url } = await listening({ desk: sleeper() });
  const client = openai(url);
  const chat = chatOf(url);
  const thread = threadOf(url);
  const background = await client.responses.create({ model: "desk", input: "Go", background: true });
  const [native, response, streamed] = await Promise.all([
    connect(url).run("desk", "Go"),
    client.responses.create({ model: "desk", input: "Go" }),
    client.responses.stream({ model: "desk", input: "Go" }).finalResponse(),
    chat.sendMessage({ text: "Go" }),
    thread.runAgent(),
  ]);
  expect([native.status, native.text]).toEqual(["completed", sold]);
  for (const each of [response, streamed])
    expect([each.status, each.output_text, each.output.length]).toEqual(["completed", sold, 1]);
  await until(async () => (await client.responses.retrieve(background.id)).status === "completed");
  expect((await client.responses.retrieve(background.id)).output_text).toBe(sold);
  const next = { model: "desk", input: "More", previous_response_id: response.id };
  expect((await client.responses.create(next)).output_text).toBe('Sold after "Go", "More".');
  expect([chat.status, ...shown(chat)]).toEqual(["ready", "Go", "tool-sell output-available", sold]);
  expect(chat.messages).toHaveLength(2);
  expect(thread.pendingInterrupts).toEqual([]);
  expect(thread.messages.map(({ role, content }) => [role, content])).toEqual([
    ["user", "Go"],
    ["assistant", undefined],
    ["tool", "sold"],
    ["assistant", sold],
  ]);
});

test("a page that is loaded again during a sleep follows the answer", async () => {
  const { url } = await listening({ desk: sleeper() });
  const chat = chatOf(url);
  const sent = chat.sendMessage({ text: "Go" });
  await until(() => shown(chat).length === 2);
  const { messages, isWorking } = await (await fetch(`${url}/chat/desk/c1`)).json();
  expect(isWorking).toBe(true);
  const page = chatOf(url, messages);
  await Promise.all([page.resumeStream(), sent]);
  expect(shown(page)).toEqual(["Go", "tool-sell output-available", sold]);
});

test("a Responses client gets what a wait has so far, and the answer by the same id", async () => {
  const { url, server } = await listening({ desk: waiter() });
  const client = openai(url);
  const response = await client.responses.create({ model: "desk", input: "Go" });
  expect(response).toMatchObject({ status: "in_progress", output: [] });
  expect(await client.responses.retrieve(response.id)).toMatchObject({ status: "in_progress" });
  const next = { model: "desk", input: "Quick!", previous_response_id: response.id };
  const second = await client.responses.create(next);
  expect(second).toMatchObject({ status: "in_progress", output: [] });
  const run = server.runs.get(`local/${response.id}`);
  await run.resolve("payment", 40);
  await run.result();
  for (const { id } of [response, second])
    expect(await client.responses.retrieve(id)).toMatchObject({
      status: "completed",
      output_text: 'Sold after "Go", "Quick!".',
    });
  const events = await client.responses.retrieve(response.id, { stream: true });
  const types = (await Array.fromAsync(events)).map(({ type }) => type);
  expect(types.filter((type) => /created|completed$/.test(type))).toEqual([
    "response.created",
    "response.completed",
  ]);
});

test("over Chat Completions, whose runs end with their readers, a wait is an error", async () => {
  const { url } = await listening({ desk: waiter() });
  const messages = [{ role: "user" as const, content: "Go" }];
  const completion = openai(url).chat.completions.create({ model: "desk", messages });
  await expect(completion).rejects.toThrow("The run waits for something that Chat Completions cannot send.");
});

test("a chat goes on while a tool waits: messages reach the run, and a page has the answer once it is there", async () => {
  const { url, server } = await listening({ desk: waiter() });
  const chat = chatOf(url);
  await chat.sendMessage({ text: "Go" });
  await chat.sendMessage({ text: "Quick!" });
  expect([chat.status, chat.error, ...shown(chat)]).toEqual([
    "ready",
    undefined,
    "Go",
    "tool-sell input-available",
    "Quick!",
  ]);
  expect(chat.messages.at(-1)?.metadata).toMatchObject({ status: "paused" });
  const [run] = await server.runs.list();
  await server.runs.get(run?.id ?? "").resolve("payment", 40);
  await server.runs.get(run?.id ?? "").result();
  const { messages } = await (await fetch(`${url}/chat/desk/c1`)).json();
  expect(shown({ messages }).at(-1)).toBe('Sold after "Go", "Quick!".');
});

test("a reader that follows a run when its wait is over gets one whole answer", async () => {
  const { url, server } = await listening({
    desk: desk(async ({ waitFor, sleep }) => {
      await waitFor("payment");
      await sleep("until it is packed", 1_005);
    }),
  });
  await chatOf(url).sendMessage({ text: "Go" });
  const [run] = await server.runs.list();
  await server.runs.get(run?.id ?? "").resolve("payment", 40);
  const { messages, isWorking } = await (await fetch(`${url}/chat/desk/c1`)).json();
  const page = chatOf(url, messages);
  const [stream] = await Promise.all([
    fetch(`${url}/chat/desk/c1/stream`).then((response) => response.text()),
    page.resumeStream(),
  ]);
  expect([isWorking, messages.length, stream.match(/"type":"finish"/g)?.length]).toEqual([true, 1, 1]);
  expect(page.messages).toHaveLength(2);
  expect(shown(page)).toEqual(["Go", "tool-sell output-available", sold]);
});

test("an AG-UI thread is not blocked while a tool waits for what its page does not have", async () => {
  const { url, server } = await listening({ desk: waiter() });
  const thread = threadOf(url);
  const statuses: unknown[] = [];
  const subscriber: Parameters<HttpAgent["runAgent"]>[1] = {
    onCustomEvent: ({ event }) => void statuses.push([event.name, event.value]),
  };
  await thread.runAgent({}, subscriber);
  expect(thread.pendingInterrupts).toEqual([]);
  thread.addMessage({ id: "m2", role: "user", content: "Quick!" });
  await thread.runAgent({}, subscriber);
  const paused = ["run-status", expect.objectContaining({ status: "paused" })];
  expect(statuses).toEqual([paused, paused]);
  const [run] = await server.runs.list();
  await server.runs.get(run?.id ?? "").resolve("payment", 40);
  await server.runs.get(run?.id ?? "").result();
  const { messages } = await json(`${url}/ag-ui/desk/t1`);
  expect(messages).toMatchObject([{}, {}, {}, {}, { content: 'Sold after "Go", "Quick!".' }]);
  expect(await server.runs.list()).toHaveLength(1);
});

test("a user who does not want to wait ends the run, and the next message begins another", async () => {
  const { url, server } = await listening({ desk: waiter() });
  const chat = chatOf(url);
  await chat.sendMessage({ text: "Go" });
  const stop = await fetch(`${url}/chat/desk/c1/stop`, { method: "POST" });
  expect(await stop.json()).toEqual({ stopped: true });
  await chat.sendMessage({ text: "Something else." });
  expect((await server.runs.list()).map(({ status }) => status)).toEqual(["completed", "cancelled"]);
  expect(chat.status).toBe("ready");
});
