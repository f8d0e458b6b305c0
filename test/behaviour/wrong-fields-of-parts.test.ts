/** A field of a part that is not what it must be is refused where the part comes from, and never ends a conversation for good. */
import { expect, test } from "vitest";
import {
  Agent,
  type ExternalResult,
  InvalidInputError,
  type Model,
  type Part,
  result,
  run,
  type Session,
  stream,
  tool,
  type UserMessage,
} from "skein";
import { anthropic } from "skein/anthropic";
import { memoryStore, runs } from "skein/durable";
import { google } from "skein/google";
import { openai } from "skein/openai";
import { memorySession } from "skein/sessions";
import { FunctionModel, ScriptedModel } from "skein/testing";

const input = { type: "object", properties: {} } as const;
const url = "https://acme.test/a";
const wrong: readonly (readonly [string, object])[] = [
  ["mediaType", { type: "file", url, mediaType: 5 }],
  ["mediaType", { type: "image", url, mediaType: {} }],
  ["filename", { type: "file", url, filename: 5 }],
  ["providerData", { type: "file", url, providerData: "x" }],
  ["note", { type: "text", text: "Hi", note: 5 }],
];

/** What a program without types passes. */
function untyped<T>(value: unknown): T {
  return value as T;
}

const messageWith = (part: object): UserMessage => ({
  role: "user",
  content: [{ type: "text", text: "Look." }, untyped<Part>(part)],
});

test.each(wrong)("%s of %j is refused in inputs, and the conversation goes on", async (field, part) => {
  const agent = new Agent({ name: "A", model: new FunctionModel(() => "Hello.") });
  const session = memorySession();
  const refused = run(agent, [messageWith(part)], { session });
  await expect(refused).rejects.toThrow(InvalidInputError);
  await expect(refused).rejects.toThrow(`whose ${field} is not`);
  expect(await run(agent, "Hello?", { session })).toMatchObject({ status: "completed", warnings: [] });

  const app = runs({ agents: [agent], store: memoryStore() });
  void app.work();
  await expect(app.start(agent, [messageWith(part)], { session: "s" })).rejects.toThrow(
    `whose ${field} is not`,
  );
  const next = await app.start(agent, "Hello?", { session: "s" });
  expect(await next.result()).toMatchObject({ status: "completed" });
  await expect(next.queue(messageWith(part))).rejects.toThrow(`whose ${field} is not`);
  await app.close();
});

test.each(wrong)("%s of %j is refused in messages to a run that works", async (field, part) => {
  const working = stream(new Agent({ name: "A", model: new ScriptedModel(["Hello."]) }), "Hi");
  for (const send of [working.steer, working.queue])
    expect(() => send.call(working, messageWith(part))).toThrow(`whose ${field} is not`);
  expect(await working.result).toMatchObject({ status: "completed" });
});

test.each(wrong)("%s of %j in a tool's result is an error that the model reads", async (field, part) => {
  const look = tool({ name: "look", input, execute: () => result({ content: [untyped<Part>(part)] }) });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "look", arguments: {} }] }, "Sorry.", "Hello."]);
  const agent = new Agent({ name: "A", model, tools: [look] });
  const session = memorySession();
  const first = await run(agent, "Look.", { session });
  expect(first).toMatchObject({ status: "completed", text: "Sorry." });
  expect(JSON.stringify(first.messages)).toContain(`whose ${field} is not`);
  expect(await run(agent, "Hello?", { session })).toMatchObject({ text: "Hello." });
});

test.each(wrong.slice(0, 3))("%s of %j is refused in results from elsewhere", async (field, part) => {
  const model = new FunctionModel(({ messages }) =>
    messages.some(({ role }) => role === "tool")
      ? "Done."
      : { toolCalls: [{ toolCallId: "c1", toolName: "look", arguments: {} }] },
  );
  const agent = new Agent({ name: "A", model, tools: [tool({ name: "look", input })] });
  const wrongResult: ExternalResult = { toolCallId: "c1", content: [part] };
  const goodResult: ExternalResult = { toolCallId: "c1", content: "A heron." };

  const { state } = await run(agent, "Look.");
  await expect(run(agent, state, { results: [wrongResult] })).rejects.toThrow(`whose ${field} is not`);
  expect(await run(agent, state, { results: [goodResult] })).toMatchObject({ text: "Done." });

  const app = runs({ agents: [agent], store: memoryStore() });
  void app.work();
  const durable = await app.start(agent, "Look.");
  expect(await durable.result()).toMatchObject({ status: "paused" });
  await expect(durable.resolve("c1", [part])).rejects.toThrow(`whose ${field} is not`);
  await durable.resolve("c1", goodResult.content);
  expect(await durable.result({ until: "end" })).toMatchObject({ status: "completed", text: "Done." });
  await app.close();
});

/** A session as an earlier version may have written it: with media types that are none. */
function withNumbersForTypes(session: Session): Session {
  return {
    load: async () => JSON.parse(JSON.stringify(await session.load()).replaceAll('"application/pdf"', "5")),
    append: (entries) => session.append(entries),
    clear: () => session.clear(),
  };
}

const sent: string[] = [];
const connection = {
  apiKey: "key",
  fetch: (async (_url: unknown, init?: RequestInit) => {
    sent.push(typeof init?.body === "string" ? init.body : "");
    return new Response("no", { status: 400 });
  }) as typeof fetch,
};
const models: readonly (readonly [string, Model])[] = [
  ["openai", openai("gpt-5.2", connection)],
  ["openai.responses", openai.responses("gpt-5.2", connection)],
  ["anthropic", anthropic("claude-sonnet-5-5", connection)],
  ["google", google("gemini-3.8-flash", connection)],
];

test.each(models)("a note stands for such a part of a stored conversation: %s", async (_, model) => {
  const part: Part = { type: "file", url, mediaType: "application/pdf" };
  const look = tool({ name: "look", input, execute: () => result({ content: [part] }) });
  const scripted = new ScriptedModel([{ toolCalls: [{ toolName: "look", arguments: {} }] }, "A heron."]);
  const session = memorySession();
  const agent = new Agent({ name: "A", model: scripted, tools: [look] });
  const { state } = await run(agent, [messageWith(part)], { session });

  sent.length = 0;
  const stored = withNumbersForTypes(session);
  const asking = run(agent, "And now?", { session: stored, model });
  await expect(asking).rejects.toMatchObject({ status: 400 });
  const old = JSON.parse(JSON.stringify(state).replaceAll('"application/pdf"', "5"));
  const resuming = run(
    agent,
    { ...old, status: "max-turns", messages: old.messages.slice(0, -1) },
    { model },
  );
  await expect(resuming).rejects.toMatchObject({ status: 400 });
  expect(sent).toHaveLength(2);
  for (const body of sent) {
    const notes = body.split("whose mediaType is not a text, which cannot be shown]");
    expect(notes).toHaveLength(3);
  }
});
