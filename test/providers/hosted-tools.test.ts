/** Tools that providers execute: offered by their models, read as typed calls, and kept whatever becomes of the run. */
import { describe, expect, test } from "vitest";
import { Agent, run, stream, tool, type Message, type RunEvent } from "skein";
import { memoryStore, runs } from "skein/durable";
import { citationsOf, hostedCalls } from "skein/models";
import { fromUIMessages, type ShowOptions, toUIMessageChunks, toUIMessages } from "skein/protocols";
import { memorySession } from "skein/sessions";
import { block, framed, messageEnd, messageStart, streamed } from "./answers.ts";
import {
  anthropicBlocks,
  answerText,
  type HostedProtocol,
  type HostedScenario,
  hostedScenarios,
} from "./hosted-answers.ts";
import { serve, type LocalServer } from "./local-server.ts";
import { modelOver } from "./protocols.ts";

const names: readonly HostedProtocol[] = ["messages", "responses", "google"];
const search = {
  tool: "webSearch",
  status: "completed",
  input: { queries: ["herons"] },
  results: [{ url: "https://a.test/" }],
};
const citation = { url: "https://a.test/", title: "Herons" };

interface Desk extends AsyncDisposable {
  readonly server: LocalServer;
  readonly agent: Agent;
}

/** An agent whose provider searches in its first answer, and says "Sure." in all others. */
async function deskOf(name: HostedProtocol, { model, pieces }: HostedScenario): Promise<Desk> {
  const server = await serve((index) =>
    index === 0 ? { pieces } : streamed(name, { id: `${index + 1}`, text: "Sure." }),
  );
  const agent = new Agent({ name: "Clerk", model: model(server.url), settings: { maxRetries: 0 } });
  return { server, agent, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function statesOf(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "hosted-call" ? [event.call.status] : []));
}

describe.each(names)("a search by the provider of %s", (name) => {
  const scenario = hostedScenarios[name];

  test("is offered in every request, reported as it begins and ends, and read from the answer", async () => {
    await using desk = await deskOf(name, scenario);
    const running = stream(desk.agent, "Herons?");
    const events = await Array.fromAsync(running.events());
    const result = await running.result;
    expect(result).toMatchObject({ status: "completed", text: answerText, warnings: [] });
    expect(statesOf(events)).toEqual(scenario.states);
    const calls = events.flatMap((event) => (event.type === "hosted-call" ? [event.call] : []));
    expect(new Set(calls.map(({ id }) => id)).size).toBe(1);
    expect(calls.at(-1)).toMatchObject(search);
    expect(calls.some((call) => "raw" in call)).toBe(false);
    const stored = hostedCalls(result.messages);
    expect(stored).toMatchObject([{ ...search, provider: scenario.provider }]);
    expect(citationsOf(result.messages)).toMatchObject([citation]);
    await run(desk.agent, [...conversation(result.messages), { role: "user", content: "Sure?" }]);
    for (const { body } of desk.server.received) expect(body["tools"]).toMatchObject([scenario.offer]);
  });

  test("is kept by a run that is cancelled at any event, and goes on later", async () => {
    const count = await eventCount(name, scenario);
    for (let index = 0; index < count; index++) {
      await using desk = await deskOf(name, scenario);
      const cancel = new AbortController();
      const first = await run(desk.agent, "Herons?", {
        signal: cancel.signal,
        onEvent: (event) => event.index === index && cancel.abort(),
      });
      const next = await run(desk.agent, JSON.parse(JSON.stringify(first.state)));
      // A call is kept whole with its answer, or not at all: nothing of half an answer goes back to the provider.
      expect(hostedCalls(first.messages).every(({ status }) => status === "completed")).toBe(true);
      expect(["completed", "cancelled"]).toContain(first.status);
      expect(next.status).toBe("completed");
    }
  });

  test("is kept by sessions, and sent back to its provider as it came", async () => {
    await using desk = await deskOf(name, scenario);
    const session = memorySession();
    const first = await run(desk.agent, "Herons?", { session });
    await run(desk.agent, "Sure?", { session });
    const copy: Message[] = JSON.parse(JSON.stringify(first.messages));
    expect(hostedCalls(copy)).toEqual(hostedCalls(first.messages));
    expect(desk.server.received[1]?.text).toMatch(scenario.own);
    expect(desk.server.received[1]?.text).toContain("herons");
  });

  test("is kept by durable runs", async () => {
    await using desk = await deskOf(name, scenario);
    const app = runs({ agents: [desk.agent], store: memoryStore() });
    const started = await app.start(desk.agent, "Herons?", { here: true });
    const result = await started.result();
    expect(result).toMatchObject({ status: "completed", text: answerText });
    const events = await Array.fromAsync(started.events());
    expect(events.filter(({ type }) => type === "hosted-call")).toHaveLength(scenario.states.length);
    expect(hostedCalls((await started.state())?.messages ?? [])).toMatchObject([search]);
    await app.close();
  });

  test("is not offered to another provider after a handoff, which gets the words alone", async () => {
    await using desk = await deskOf(name, scenario);
    const first = await run(desk.agent, "Herons?");
    await using other = await serve(() => streamed("chat", { id: "3", text: "Fine." }));
    const second = new Agent({ name: "Second", model: modelOver("chat", other) });
    await run(second, [...conversation(first.messages), { role: "user", content: "Sure?" }]);
    expect(other.received[0]?.text).toContain(answerText);
    expect(other.received[0]?.text).not.toMatch(scenario.own);
    expect(other.received[0]?.body).not.toHaveProperty("tools");
  });

  test("is a part of the UI message, the same while it streams and from the history, and no call of the client's", async () => {
    await using desk = await deskOf(name, scenario);
    const running = stream(desk.agent, "Herons?");
    const chunks = await Array.fromAsync(toUIMessageChunks(running));
    const { messages } = await running.result;
    const own = chunks.filter((chunk) => "providerExecuted" in chunk);
    expect(own.at(-1)).toMatchObject({
      type: "tool-output-available",
      output: [{ url: "https://a.test/" }],
      providerExecuted: true,
    });
    const ui = toUIMessages(conversation(messages));
    expect(ui.at(-1)?.parts).toMatchObject([
      { type: "step-start" },
      {
        state: "output-available",
        input: { queries: ["herons"] },
        output: [{ url: "https://a.test/" }],
        providerExecuted: true,
      },
      { type: "text", text: answerText },
    ]);
    const { messages: back } = fromUIMessages(JSON.parse(JSON.stringify(ui)));
    expect(JSON.stringify(back)).not.toContain("queries");
  });

  test("stands beside functions of the agent", async () => {
    await using desk = await deskOf(name, scenario);
    const lookUp = tool({ name: "look_up", input: { type: "object" }, execute: () => "grey" });
    await run(desk.agent.with({ tools: [lookUp] }), "Herons?");
    const body = JSON.stringify(desk.server.received[0]?.body["tools"]);
    expect(body).toContain("look_up");
    expect(body).toContain(JSON.stringify(scenario.offer).slice(1, -1));
  });
});

test("a call of an answer that the provider pauses ends in the one that goes on with it", async () => {
  const { searching, results } = anthropicBlocks;
  const answers = [
    [messageStart("1"), ...block(0, searching), ...messageEnd("pause_turn")],
    [
      messageStart("2"),
      ...block(0, results),
      ...block(1, { type: "text", text: answerText }),
      ...messageEnd("end_turn"),
    ],
  ];
  await using server = await serve((index) => ({ pieces: framed("messages", answers[index] ?? []) }));
  const agent = new Agent({ name: "Clerk", model: hostedScenarios.messages.model(server.url) });
  const running = stream(agent, "Herons?");
  const chunks = Array.fromAsync(toUIMessageChunks(running));
  const events = await Array.fromAsync(running.events());
  const { messages } = await running.result;
  expect(statesOf(events)).toEqual(["running", "completed"]);
  expect(messages).toHaveLength(2);
  expect(hostedCalls(messages)).toMatchObject([{ status: "completed", raw: [searching, results] }]);
  expect(hostedCalls(messages.slice(0, 1))).toMatchObject([{ status: "running", results: [] }]);
  const own = (await chunks).filter((chunk) => "providerExecuted" in chunk);
  expect(own.map(({ type }) => type)).toEqual(["tool-input-available", "tool-output-available"]);
});

test("a client that may not see results or the words of errors gets neither", async () => {
  const { searching } = anthropicBlocks;
  const failed = {
    type: "web_search_tool_result",
    tool_use_id: "srvtoolu_1",
    content: { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" },
  };
  const events = [messageStart("1"), ...block(0, searching), ...block(1, failed), ...messageEnd("end_turn")];
  await using server = await serve(() => ({ pieces: framed("messages", events) }));
  const agent = new Agent({ name: "Clerk", model: hostedScenarios.messages.model(server.url) });
  const shownAs = async (show: ShowOptions): Promise<string> =>
    JSON.stringify(await Array.fromAsync(toUIMessageChunks(stream(agent, "Herons?"), { show })));
  expect(await shownAs({})).toContain("The tool failed.");
  expect(await shownAs({})).not.toContain("max_uses_exceeded");
  expect(await shownAs({ toolErrors: true })).toContain("max_uses_exceeded");
  expect(await shownAs({ toolCalls: false })).not.toContain("srvtoolu_1");
});

function conversation(messages: readonly Message[]): Message[] {
  return [{ role: "user", content: "Herons?" }, ...messages];
}

async function eventCount(name: HostedProtocol, scenario: HostedScenario): Promise<number> {
  await using desk = await deskOf(name, scenario);
  return (await Array.fromAsync(stream(desk.agent, "Herons?").events())).length;
}
