import { describe, expect, test } from "vitest";
import { memoryJournal } from "./test-journal.ts";
import { z } from "zod";
import { Agent, generate, output, OutputError, run, type RunEvent, stream, tool } from "skein";
import { offline } from "skein/offline";
import { openai } from "skein/openai";
import { memorySession } from "skein/sessions";
import { ScriptedModel } from "skein/testing";
import {
  answering,
  question,
  callPing,
  invoice,
  type Invoice,
  jsonSchema,
  ping,
  textsOf,
} from "./test-invoices.ts";

const strictForm = z.object({ number: z.string().startsWith("R"), total: z.number() });

describe("several agents", () => {
  const city = z.object({ city: z.string() });

  test("the output of the agent that finishes counts", async () => {
    const guide = new Agent({ name: "Guide", output: city });
    const model = new ScriptedModel([
      { toolCalls: [{ toolName: "transfer_to_guide" }] },
      { toolCalls: [{ toolName: "final_answer", arguments: { city: "Paris" } }] },
    ]);
    const desk = new Agent({ name: "Desk", model, handoffs: [guide], output: jsonSchema });
    const result = await run(desk, "Where?");
    expect(result).toMatchObject({ status: "completed", output: { city: "Paris" } });
    expect(result.agent.name).toBe("Guide");
  });

  test("an agent without a form answers in text", async () => {
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "transfer_to_guide" }] }, "In Paris."]);
    const desk = new Agent({
      name: "Desk",
      model,
      handoffs: [new Agent({ name: "Guide" })],
      output: jsonSchema,
    });
    expect(await run(desk, "Where?")).toMatchObject({
      status: "completed",
      output: undefined,
      text: "In Paris.",
    });
    expect(model.requests[1]).toMatchObject({ tools: [] });
  });

  test("an agent used as a tool returns its output as JSON", async () => {
    const inner = new ScriptedModel([
      { toolCalls: [{ toolName: "final_answer", arguments: { city: "Paris" } }] },
    ]);
    const guide = new Agent({ name: "Guide", model: inner, output: city });
    const model = new ScriptedModel([
      { toolCalls: [{ toolName: "guide", arguments: { input: "Where?" } }] },
      "Paris.",
    ]);
    const result = await run(new Agent({ name: "Desk", model, tools: [guide.asTool()] }), "Where?");
    expect(textsOf(result.messages)).toContain('{"city":"Paris"}');
    expect(result).toMatchObject({ output: undefined, text: "Paris." });
  });
});

describe("an answer that is still coming in", () => {
  async function partialsOf(model: ScriptedModel, form: Record<string, unknown>): Promise<unknown[]> {
    const seen: unknown[] = [];
    const texts = new Map<RunEvent["type"], string>();
    const onEvent = (event: RunEvent): void => {
      if (event.type === "output-delta") seen.push(structuredClone(event.partial));
      if ("text" in event) texts.set(event.type, (texts.get(event.type) ?? "") + event.text);
      expect(JSON.stringify(event)).not.toContain("partial");
    };
    const result = await run(new Agent({ name: "A", model, output: form }), question, { onEvent });
    expect(result.warnings).toEqual([]);
    expect(texts.get("output-delta")).toBe(result.text);
    expect(texts.has("tool-input-delta")).toBe(false);
    return seen;
  }

  test("grows as an object, the same whether it is text or a call", async () => {
    const text = JSON.stringify(invoice);
    const asText = new ScriptedModel([{ text, chunkSize: 6 }], { supportsOutput: true });
    const call = { toolName: "final_answer", arguments: { ...invoice } };
    const asCall = new ScriptedModel([{ toolCalls: [call], chunkSize: 6 }]);
    const partials = await partialsOf(asText, jsonSchema);
    expect(partials).toContainEqual({ number: "R" });
    expect(partials.at(-1)).toEqual(invoice);
    expect(await partialsOf(asCall, jsonSchema)).toEqual(partials);
  });

  test("grows as a list", async () => {
    const call = { toolName: "final_answer", arguments: { value: ["one", "two"] } };
    const model = new ScriptedModel([{ toolCalls: [call], chunkSize: 4 }]);
    const partials = await partialsOf(model, { type: "array", items: { type: "string" } });
    expect(partials).toContainEqual(["one"]);
    expect(partials.at(-1)).toEqual(["one", "two"]);
  });

  test("starts empty after a correction", async () => {
    const model = new ScriptedModel(['{"number":1,"total":0}', JSON.stringify(invoice)], {
      supportsOutput: true,
    });
    const partials: unknown[] = [];
    for await (const event of stream(new Agent({ name: "A", model, output: strictForm }), question))
      if (event.type === "output-delta") partials.push(structuredClone(event.partial));
    expect(partials).toEqual([{ number: 1, total: 0 }, invoice]);
  });
});

test("what a type says only in part is a warning", async () => {
  const form = output<{ /** @minimum three */ readonly size: number }>();
  const answer = { size: 4 };
  const result = await run(new Agent({ name: "A", model: answering(answer), output: form }), "go");
  expect(result.output).toEqual(answer);
  expect(result.warnings).toEqual([expect.stringMatching(/^"output\.size": @minimum needs a number/)]);
  const generation = await generate(answering(answer), { messages: "go", output: form });
  expect(generation.warnings).toEqual(result.warnings);
});

describe("generate", () => {
  test("asks once for the form, and checks the answer", async () => {
    const model = answering({ number: "R-7", total: "12.5" });
    const generation = await generate(model, { messages: question, output: output<Invoice>() });
    expect(generation.output).toEqual(invoice);
    expect(generation.output?.number).toBe("R-7");
    expect(generation.toolCalls).toEqual([]);
    const native = new ScriptedModel([JSON.stringify(invoice)], { supportsOutput: true });
    expect((await generate(native, { messages: question, output: jsonSchema })).output).toEqual(invoice);
    expect(native.requests[0]?.output?.schema).toEqual(jsonSchema);
  });

  test("throws an OutputError for a wrong answer, with what the model wrote", async () => {
    const failure = generate(new ScriptedModel(["12.50"]), { messages: question, output: jsonSchema });
    await expect(failure).rejects.toThrow(OutputError);
    await expect(failure).rejects.toMatchObject({ code: "invalid-output", text: "12.50" });
  });

  test("leaves a cut answer, and one that calls tools, without output", async () => {
    const cut = new ScriptedModel([{ text: '{"number', finishReason: "length" }]);
    expect(await generate(cut, { messages: question, output: jsonSchema })).not.toHaveProperty("output");
    const calls = new ScriptedModel([callPing]);
    const generation = await generate(calls, { messages: question, tools: [ping], output: jsonSchema });
    expect(generation).toMatchObject({ toolCalls: [{ toolName: "ping" }] });
    expect(generation.output).toBeUndefined();
  });

  test("a tool with the name of the one that takes the answer keeps it", async () => {
    const own = tool({ name: "final_answer", input: { type: "object" } });
    const request = { messages: question, tools: [own], output: jsonSchema };
    const calls = (toolName: string) =>
      new ScriptedModel([{ toolCalls: [{ toolName, arguments: { ...invoice } }] }]);
    const model = calls("final_answer");
    const generation = await generate(model, request);
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["final_answer", "final_answer_"]);
    expect(generation).toMatchObject({ toolCalls: [{ toolName: "final_answer" }] });
    expect(generation.output).toBeUndefined();
    const answer = await generate(calls("final_answer_"), request);
    expect(answer).toMatchObject({ output: invoice, toolCalls: [] });
  });
});

test("of several answers that differ, generate takes none", async () => {
  const giving = (...totals: number[]) =>
    new ScriptedModel([
      { toolCalls: totals.map((total) => ({ toolName: "final_answer", arguments: { ...invoice, total } })) },
    ]);
  const request = { messages: question, output: jsonSchema };
  await expect(generate(giving(1, 2), request)).rejects.toThrow("the model gave 2 answers");
  expect(await generate(giving(3, 3), request)).toMatchObject({ output: { total: 3 } });
});

test("the offline model fills the output with what the user wrote, and nothing else", async () => {
  const form = z.object({ city: z.string(), days: z.number(), note: z.string().optional() });
  const agent = new Agent({ name: "A", model: offline(), output: form });
  expect((await run(agent, "Three days... that is 3 days in Paris.")).output).toEqual({
    city: "Paris",
    days: 3,
  });
  expect(await run(agent, "Somewhere in Paris.")).toMatchObject({ status: "corrections", output: undefined });
});

test("a journal gives the same output again, without asking, and a session goes on after it", async () => {
  const journal = memoryJournal();
  const model = answering({ number: 1 }, invoice);
  const agent = new Agent({ name: "A", model, output: jsonSchema });
  const first = await run(agent, question, { journal });
  const again = await run(agent.with({ model: new ScriptedModel([]) }), question, { journal });
  expect(again.output).toEqual(first.output);
  expect(again.messages).toEqual(first.messages);

  const session = memorySession();
  const talking = agent.with({ model: answering(invoice, "{}", invoice) });
  await run(talking, question, { session });
  const { output: second, messages } = await run(talking, "Once more?", { session });
  expect(second).toEqual(invoice);
  expect(messages).toHaveLength(4);
});

test("a history with answers that a tool took is replayed to a provider which takes the form itself", async () => {
  const taken = await run(new Agent({ name: "A", model: answering(invoice), output: jsonSchema }), question);
  const bodies: unknown[] = [];
  const fetch: typeof globalThis.fetch = (_, init) => {
    bodies.push(JSON.parse(typeof init?.body === "string" ? init.body : ""));
    const message = { role: "assistant", content: JSON.stringify(invoice) };
    return Promise.resolve(
      Response.json({ id: "c", choices: [{ index: 0, finish_reason: "stop", message }] }),
    );
  };
  const native = openai("gpt-5.2", { apiKey: "key", fetch, structuredOutput: true });
  const history = [...taken.state.messages, { role: "user", content: "Sure?" } as const];
  const result = await run(new Agent({ name: "B", model: native, output: jsonSchema }), history);
  expect(result.output).toEqual(invoice);
  expect(bodies).toMatchObject([
    {
      messages: [
        { role: "user" },
        { role: "assistant", tool_calls: [{ id: "call_1", function: { name: "final_answer" } }] },
        { role: "tool", tool_call_id: "call_1", content: "The answer was accepted." },
        { role: "user", content: "Sure?" },
      ],
      response_format: { type: "json_schema" },
    },
  ]);
});
