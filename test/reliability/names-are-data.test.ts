import { inspect } from "node:util";
import { expect, test } from "vitest";
import { Agent, run, stream, tool, type RunEvent } from "skein";
import { memorySession } from "skein/sessions";
import { ScriptedModel } from "skein/testing";
import { streamed } from "../providers/answers.ts";
import { serve } from "../providers/local-server.ts";
import { modelOver, protocols } from "../providers/protocols.ts";
import { eventsOf, noting, outcomesOf, resultOf, runOver } from "./kit.ts";

const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
const calls = names.map((name, n) => ({ id: `call_${n}`, name, arguments: `{"n":${n}}` }));

test.each(protocols)(
  "tools may have any name, and an unknown one is an error that the model reads: %s",
  async (protocol) => {
    const replies = [streamed(protocol, { id: "a", calls }), streamed(protocol, { id: "b", text: "Done." })];
    const done: string[] = [];
    const own = await runOver(
      protocol,
      replies,
      names.map((name) => noting(done, name)),
    );
    expect(resultOf(own.outcome)).toMatchObject({ status: "completed", text: "Done." });
    expect(done.toSorted()).toEqual(names.map((name, n) => `${name} ${n}`).toSorted());
    const none = await runOver(protocol, replies, [noting(done, "look")]);
    expect(outcomesOf(resultOf(none.outcome))).toEqual(names.map((name) => `${name}: unknown-tool`));
  },
);

test("arguments may have any name, and change nothing but themselves", async () => {
  const seen: object[] = [];
  const store = tool<object>({
    name: "store",
    input: { type: "object", additionalProperties: true },
    execute: (given) => `${seen.push(given)} times`,
  });
  const text = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"toString":"t"}';
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "store", arguments: text }] }, "Done."]);
  await run(new Agent({ name: "A", model, tools: [store] }), "Go.");
  const [given = {}] = seen;
  expect(Object.keys(given)).toEqual(["constructor", "toString"]);
  expect("isAdmin" in given).toBe(false);
  expect("isAdmin" in {}).toBe(false);
});

test.each(protocols)("masks a secret in an error, and keeps the rest: %s", async (protocol) => {
  const message = "Incorrect key a-key-for-tests or sk-abcdef123456 at messages[0].content";
  const body = JSON.stringify({ type: "error", error: { type: "authentication_error", message } });
  await using server = await serve(() => ({ status: 401, type: "application/json", pieces: [body] }));
  const agent = new Agent({ name: "A", model: modelOver(protocol, server) });
  const error = await run(agent, "Go.").catch((failure: Error) => failure);
  if (!(error instanceof Error)) throw new Error("the run did not fail");
  const told = `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
  expect(told).toContain("messages[0].content");
  expect(told).not.toMatch(/a-key-for-tests|sk-abcdef/);
});

const key = "sk-live-0123456789abcdef";
const failure = (): Error => new Error(`refused ${key}`, { cause: new Error(`401 for Bearer ${key}`) });

const fail = (): never => {
  throw failure();
};

test("nor is one that a tool throws: neither to the model, nor in an event or a state", async () => {
  const input = { type: "object", properties: {} } as const;
  const throwing = (name: string, execute: () => unknown) => tool({ name, input, execute });
  const tools = [
    throwing("thrown", fail),
    throwing("rejected", () => Promise.reject(failure())),
    throwing("said", () => Promise.reject(`refused ${key}`)),
    throwing("unreadable", async () => new Proxy({}, { ownKeys: fail })),
  ];
  const calls = tools.map(({ name }) => ({ toolName: name }));
  const events: RunEvent[] = [];
  const { state, warnings } = await run(
    new Agent({ name: "A", model: new ScriptedModel([{ toolCalls: calls }, "Sorry."]), tools }),
    "Go.",
    { onEvent: (event) => void events.push(event) },
  );
  const told = inspect({ state, warnings, events }, { depth: 20 });
  expect(told).toContain("rejected failed: refused [redacted]");
  expect(told).not.toContain("0123456789");
});

test.each([
  ["the instructions", { instructions: () => Promise.reject(failure()) }, {}],
  ["a toolset", { tools: [{ name: "set", tools: () => Promise.reject(failure()) }] }, {}],
  ["a session", {}, { session: { ...memorySession(), load: () => Promise.reject(failure()) } }],
] as const)("nor one that %s throws", async (_, agent, options) => {
  const running = stream(new Agent({ name: "A", model: new ScriptedModel([]), ...agent }), "Go.", options);
  const events = await eventsOf(running);
  const error: unknown = await running.result.catch((thrown: unknown) => thrown);
  expect(String(error)).toContain("refused [redacted]");
  expect(inspect({ events, error }, { depth: 20, showHidden: true })).not.toContain("0123456789");
});
