/** Answers that programs ask for themselves, by `generate` and `generateStream`. */
import { context, trace } from "@opentelemetry/api";
import { afterEach, expect, test } from "vitest";
import { Agent, generate, generateStream, RateLimitError, run, tool } from "skein";
import { retry } from "skein/models";
import { ScriptedModel } from "skein/testing";
import { traceAll } from "skein/tracing";
import { useSdk } from "./current-sdk.ts";

const recorder = useSdk();
afterEach(() => traceAll()());

const hello = () =>
  new ScriptedModel([{ text: "planted-answer", usage: { inputTokens: 7, outputTokens: 2 } }]);

test("an answer outside of runs has a span of its own, without content", async () => {
  traceAll({ attributes: { team: "a" } });
  expect((await generate(hello(), "planted-question")).text).toBe("planted-answer");
  expect(recorder.ended).toMatchObject([
    {
      name: "chat scripted",
      kind: 2,
      attributes: {
        team: "a",
        "gen_ai.operation.name": "chat",
        "gen_ai.usage.input_tokens": 7,
        "gen_ai.response.finish_reasons": ["stop"],
      },
    },
  ]);
  expect(JSON.stringify(recorder.ended[0]?.attributes)).not.toContain("planted");
});

test("its content is there where it is wanted", async () => {
  traceAll({ content: true });
  await generate(hello(), { instructions: "Be kind.", messages: "planted-question" });
  expect(recorder.ended[0]?.attributes).toMatchObject({
    "gen_ai.input.messages": expect.stringContaining("planted-question"),
    "gen_ai.output.messages": expect.stringContaining("planted-answer"),
    "gen_ai.system_instructions": expect.stringContaining("Be kind."),
  });
});

test("within a span of the program, or a tool of a run, it is below that", async () => {
  traceAll();
  const ask = tool({
    name: "ask",
    input: { type: "object" },
    execute: async () => (await generate(hello(), "Hi")).text,
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "ask" }] }, "Done."]);
  await run(new Agent({ name: "A", model, tools: [ask] }), "Hi");
  const spanOf = (id: string | undefined) =>
    recorder.ended.find((span) => span.spanContext().spanId === id)?.name;
  const parents = recorder.ended.map(({ name, parentSpanContext }) => [
    name,
    spanOf(parentSpanContext?.spanId),
  ]);
  expect(parents).toEqual([
    ["chat scripted", "invoke_agent A"],
    ["chat scripted", "execute_tool ask"],
    ["execute_tool ask", "invoke_agent A"],
    ["chat scripted", "invoke_agent A"],
    ["invoke_agent A", undefined],
  ]);
});

test("what reads a stream is not within its span", async () => {
  traceAll();
  for await (const event of generateStream(hello(), "Hi"))
    expect([event.type, trace.getSpan(context.active())]).toEqual([event.type, undefined]);
  expect(recorder.open).toBe(0);
});

test("one that is left, fails or is cancelled ends its span once", async () => {
  traceAll();
  for await (const event of generateStream(hello(), "Hi")) if (event.type === "text-delta") break;
  await expect(generate(new ScriptedModel([{ error: new Error("no") }]), "Hi")).rejects.toThrow("no");
  const ended = new AbortController();
  ended.abort(new Error("enough"));
  await expect(generate(hello(), { messages: "Hi", signal: ended.signal })).rejects.toThrow("enough");
  expect(recorder.ended.map(({ attributes }) => attributes["error.type"])).toEqual([
    "cancelled",
    "Error",
    "cancelled",
  ]);
  expect([recorder.open, recorder.complaints]).toEqual([0, []]);
});

test("attempts that failed are events of its span", async () => {
  traceAll();
  const about = { provider: "scripted", modelId: "scripted" };
  const overloaded = new RateLimitError("too many requests", about);
  const model = new ScriptedModel([{ error: overloaded }, "Hello."]);
  const eager = retry(model, { delay: () => 0 });
  await generate(eager, "Hi");
  expect(recorder.ended[0]?.events.map(({ name }) => name)).toEqual(["skein.retry"]);
});

test("nothing is traced once traceAll has ended", async () => {
  traceAll()();
  await generate(hello(), "Hi");
  expect(recorder.ended).toEqual([]);
});
