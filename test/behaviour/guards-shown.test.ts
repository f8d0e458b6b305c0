/** What clients see of a run that a guard blocks: that it did, and the message for the user; never the reason, nor the guard's name. */
import { expect, test } from "vitest";
import { Agent, stream, type RunStream } from "skein";
import { runs, memoryStore } from "skein/durable";
import { guard } from "skein/guards";
import {
  toAgUiEvents,
  toChatCompletionChunks,
  toEventStream,
  toResponseEvents,
  toUIMessageChunks,
} from "skein/protocols";
import { ScriptedModel } from "skein/testing";

const model = "m";
const protocols: readonly (readonly [string, (source: RunStream) => AsyncIterable<unknown>, RegExp])[] = [
  [
    "Chat Completions",
    (source) => toChatCompletionChunks(source, { model }),
    /"finish_reason":"content_filter"/,
  ],
  [
    "Responses",
    (source) => toResponseEvents(source, { model }),
    /"incomplete_details":\{"reason":"content_filter"\}/,
  ],
  [
    "AG-UI",
    (source) => toAgUiEvents(source, { threadId: "t", runId: "r" }),
    /"status":"blocked","finishReason":"content-filter"/,
  ],
  [
    "messages of the AI SDK",
    (source) => toUIMessageChunks(source),
    /"finishReason":"content-filter".*"status":"blocked"/,
  ],
];

const stages = [
  [
    "input",
    guard({ input: () => ({ block: "private reason", message: "Not here." }) }, { name: "private-name" }),
  ],
  [
    "output",
    guard(
      { output: () => ({ block: "private reason", message: "Not here." }) },
      { name: "private-name", hold: true },
    ),
  ],
  [
    "tool",
    guard({ tool: () => ({ block: "private reason", message: "Not here." }) }, { name: "private-name" }),
  ],
] as const;

const agent = () =>
  new Agent({
    name: "A",
    model: new ScriptedModel([{ text: "Secret plan.", toolCalls: [{ toolName: "act", arguments: {} }] }]),
    tools: { act: () => "done" },
  });

for (const [stage, middleware] of stages)
  test.each(protocols)(`blocked at "${stage}", %s`, async (_, write, end) => {
    const events: unknown[] = [];
    for await (const event of write(stream(agent(), "go", { middleware: [middleware] }))) events.push(event);
    const text = JSON.stringify(events);
    expect(text).toMatch(end);
    expect(text).toContain("Not here.");
    expect(text).not.toContain("private");
    // What was streamed before a call was blocked stays.
    expect(text.includes("Secret plan")).toBe(stage === "tool");
  });

test.each(stages)("blocked at %o, the events of the framework", async (stage, middleware) => {
  const text = await toEventStream(stream(agent(), "go", { middleware: [middleware] })).text();
  expect(text).toContain(`"blocked":{"stage":"${stage}","message":"Not here."}`);
  expect(text).not.toContain("private");
});

test("JSON of a result has no reason, the result has", async () => {
  const outcome = await stream(agent(), "go", { middleware: [stages[0][1]] }).result;
  expect(JSON.parse(JSON.stringify(outcome))).toMatchObject({
    status: "blocked",
    text: "Not here.",
    blocked: { guard: "private-name", stage: "input", message: "Not here." },
  });
  expect(JSON.stringify(outcome)).not.toContain("private reason");
  expect(outcome.blocked?.reason).toBe("private reason");
});

test("a durable run that is blocked has failed, and says that a guard did it", async () => {
  const blocked = new Agent({ name: "A", model: new ScriptedModel([]), middleware: [stages[0][1]] });
  const app = runs({ agents: [blocked], store: memoryStore() });
  void app.work();
  const started = await app.start(blocked, "go");
  expect(await started.result({ until: "end" })).toMatchObject({
    status: "failed",
    ended: "blocked",
    text: "Not here.",
  });
  await app.close();
});
