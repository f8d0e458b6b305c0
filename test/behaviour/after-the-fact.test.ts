/** What a run has done counts later: after a compaction, a cancellation, an error about its budget. */
import { expect, test } from "vitest";
import { Agent, type RunState, run, stream, tool, toolkit } from "skein";
import { memorySession, readSession } from "skein/sessions";
import { dollars } from "skein/models";
import { FunctionModel, ScriptedModel, type ScriptedToolCall } from "skein/testing";

const input = { type: "object", properties: {} } as const;
const call = (toolName: string): ScriptedToolCall => ({ toolName, arguments: {} });

function desk() {
  const done: string[] = [];
  const execute = (name: string) => () => `done ${done.push(name)}`;
  const tools = [
    tool({ name: "login", input, execute: execute("login") }),
    tool({ name: "other", input, execute: execute("other") }),
    tool({ name: "pay", input, requires: ["login"], execute: execute("pay") }),
  ];
  return { done, tools };
}

const long = "x".repeat(4_000);

test("a success counts for `requires` after compactions, however often `requires` is looked at", async () => {
  const { done, tools } = desk();
  const names = ["login", "pay", "other", "other", "other", "other", "pay", "login", "pay"];
  let turns = 0;
  const model = new FunctionModel(() => {
    const name = names[turns++];
    return name === undefined ? "done" : { toolCalls: [call(name)], text: long };
  });
  await run(new Agent({ name: "A", model, tools }), "go", { compaction: { maxTokens: 2_000 } });
  expect(done).toEqual(names);
});

test("a success counts for `requires` in a later run, though the history has a summary in its place", async () => {
  const { done, tools } = desk();
  const session = memorySession();
  const compaction = { maxTokens: 2_000 };
  const names = ["login", "other", "other", "other", "other"];
  const answers = names.map((name) => ({ toolCalls: [call(name)], text: long }));
  const first = new Agent({ name: "A", model: new ScriptedModel([...answers, "done"]), tools });
  const { state } = await run(first, "go", { session, compaction });
  const later = () =>
    new Agent({ name: "A", model: new ScriptedModel([{ toolCalls: [call("pay")] }, "done"]), tools });
  await run(later(), "pay", { session, compaction });
  const stored: RunState = JSON.parse(JSON.stringify(state));
  await run(later(), [...stored.messages, { role: "user", content: "pay" }]);
  expect(done).toEqual([...names, "pay", "pay"]);
});

test("the answer that a budget could not price is in the session", async () => {
  const session = memorySession();
  const agent = new Agent({ name: "A", model: new ScriptedModel(["The answer."]) });
  await expect(run(agent, "go", { session, maxCost: dollars(1) })).rejects.toMatchObject({
    code: "budget-unknown",
  });
  const { messages } = await readSession(session);
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
});

function cancelledAgent() {
  const requests: string[][] = [];
  const model = new FunctionModel(({ messages }) => {
    requests.push(messages.map(({ role }) => role));
    return requests.length === 1 ? { text: "One two three four.", chunkSize: 4, delay: 20 } : "Five.";
  });
  return { requests, agent: new Agent({ name: "A", model }) };
}

test("the text of a cancelled answer that a reader has seen is in the history, marked as cut", async () => {
  const { agent, requests } = cancelledAgent();
  const session = memorySession();
  const running = stream(agent, "go", { session });
  let seen = "";
  for await (const piece of running.text()) {
    seen += piece;
    if (seen.length >= 8) running.cancel();
  }
  const { messages, status, state } = await running.result;
  const answer = {
    role: "assistant",
    content: [{ type: "text", text: seen }],
    toolCalls: [],
    agent: "A",
    truncated: true,
  };
  expect([status, messages]).toEqual(["cancelled", [answer]]);
  expect((await readSession(session)).messages.at(-1)).toEqual(answer);
  expect((await run(agent, "go on", { session })).text).toBe("Five.");
  expect(requests[1]).toEqual(["user", "assistant", "user"]);
  const resumed = await run(agent, JSON.parse(JSON.stringify(state)));
  expect(resumed.text).toBe("Five.");
});

test("a run that is cancelled before its answer begins, or after it ended, adds none", async () => {
  const controller = new AbortController();
  const waits = tool({ name: "waits", input, execute: () => controller.abort() });
  const model = new ScriptedModel([{ text: "Wait.", toolCalls: [call("waits")] }]);
  const { messages } = await run(new Agent({ name: "A", model, tools: [waits] }), "go", {
    signal: controller.signal,
  });
  expect(messages.map(({ role }) => role)).toEqual(["assistant", "tool"]);
});

test("a toolkit leaves out what every object has, unless its options name it", async () => {
  class Kit {
    /** @public @param {string} name */
    greet(name: string): string {
      return name;
    }
    toString(): string {
      return "kit";
    }
    toJSON(): string {
      return "kit";
    }
    valueOf(): number {
      return 1;
    }
    toLocaleString(): string {
      return "kit";
    }
  }
  const namesOf = async (kit: ReturnType<typeof toolkit>) =>
    (await kit.tools({} as never)).map(({ name }) => name);
  expect(await namesOf(toolkit(new Kit()))).toEqual(["greet"]);
  expect(await namesOf(toolkit(new Kit(), { methods: { toString: {} } }))).toEqual(["greet", "toString"]);
});
