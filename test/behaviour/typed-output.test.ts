import { type } from "arktype";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Agent, output, run, tool } from "skein";
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

describe("the form of an answer", () => {
  test.each([
    ["JSON Schema", jsonSchema],
    ["zod", z.object({ number: z.string(), total: z.number().min(0) })],
    [
      "valibot",
      toStandardJsonSchema(v.object({ number: v.string(), total: v.pipe(v.number(), v.minValue(0)) })),
    ],
    ["arktype", type({ number: "string", total: "number >= 0" })],
    ["a TypeScript type", output<Invoice>()],
  ])("is sent to the model and validated: %s", async (_, form) => {
    const model = answering({ ...invoice, total: -1 }, invoice);
    const result = await run(new Agent({ name: "Reader", model, output: form }), question);
    expect(result.status).toBe("completed");
    expect(result.output).toEqual(invoice);
    expect(JSON.parse(result.text)).toEqual(invoice);
    const [first] = model.requests;
    expect(first?.toolChoice).toEqual({ tool: "final_answer" });
    expect(first?.tools?.[0]?.inputSchema).toMatchObject({
      type: "object",
      properties: { number: { type: "string" }, total: { type: "number" } },
    });
    model.assertComplete();
  });

  test("revives what JSON has no form for", async () => {
    const model = answering({ ...invoice, due: "2026-03-01T00:00:00Z" });
    const result = await run(new Agent({ name: "Reader", model, output: output<Invoice>() }), question);
    expect(result.output?.due).toEqual(new Date("2026-03-01T00:00:00Z"));
  });

  test("need not be an object: a list is one property of the requested schema", async () => {
    const form = z.array(z.object({ word: z.string(), times: z.number() }));
    const model = answering({ value: [{ word: "owl", times: "2" }] }, { value: [{ word: 3 }] }, '["owl"]');
    const agent = new Agent({ name: "Counter", model, output: form });
    expect((await run(agent, "Count.")).output).toEqual([{ word: "owl", times: 2 }]);
    const { status, messages } = await run(agent, "Count.", { maxCorrections: 2 });
    expect(status).toBe("corrections");
    expect(textsOf(messages)).toContain('"times" is missing  <-- ');
  });

  test.each([
    [
      "a union",
      z.union([z.object({ ok: z.literal(true) }), z.object({ error: z.string() })]),
      { error: "no" },
    ],
    ["a number", { type: "number" }, 7],
    ["a text", { type: "string", minLength: 2 }, "hello"],
    ["null", { type: "null" }, null],
  ])("may be %s, and written as text without the property around", async (_, form, value) => {
    const model = new ScriptedModel([JSON.stringify(value), JSON.stringify({ value })]);
    const agent = new Agent({ name: "A", model, output: form });
    expect((await run(agent, "go")).output).toEqual(value);
    expect((await run(agent, "go")).output).toEqual(value);
  });

  test("keeps the references of a schema that is put into a property", async () => {
    const form = {
      anyOf: [{ $ref: "#/$defs/leaf" }, { type: "array", items: { $ref: "#" } }],
      $defs: { leaf: { type: "string" } },
    };
    const model = answering({ value: ["a", ["b"]] });
    expect((await run(new Agent({ name: "A", model, output: form }), "go")).output).toEqual(["a", ["b"]]);
    expect(model.requests[0]?.tools?.[0]?.inputSchema).toEqual({
      type: "object",
      properties: {
        value: {
          anyOf: [{ $ref: "#/$defs/leaf" }, { type: "array", items: { $ref: "#/properties/value" } }],
        },
      },
      required: ["value"],
      additionalProperties: false,
      $defs: { leaf: { type: "string" } },
    });
  });

  test("is the same object in every request, by which adapters remember what they have written", async () => {
    const model = answering({ number: "R-7" }, invoice);
    await run(new Agent({ name: "Reader", model, output: jsonSchema }), question);
    const [first, second] = model.requests.map(({ tools }) => tools?.at(-1));
    expect(first?.name).toBe("final_answer");
    expect(second).toBe(first);
  });

  test("of the options overrides the agent's own", async () => {
    const model = answering({ city: "Paris" });
    const agent = new Agent({ name: "A", model, output: jsonSchema });
    const result = await run(agent, "Where?", { output: z.object({ city: z.string() }) });
    expect(result.output).toEqual({ city: "Paris" });
  });

  test("is refused at once where it is not a schema, and before any request where it has no JSON Schema", async () => {
    // @ts-expect-error -- a name is not a schema
    expect(() => new Agent({ name: "A", output: "Invoice" })).toThrow(
      /The output of the agent A must be a schema/,
    );
    // @ts-expect-error -- nor is a number
    await expect(run(new Agent({ name: "A" }), "go", { output: 7 })).rejects.toThrow(/output of run\(\)/);
    const model = new ScriptedModel([]);
    const withoutSchema = new Agent({ name: "A", model, output: v.object({ a: v.string() }) });
    await expect(run(withoutSchema, "go")).rejects.toThrow(/toStandardJsonSchema/);
    expect(model.requests).toEqual([]);
  });
});

describe("a wrong answer", () => {
  test("is corrected like a wrong call, with what was wrong before, and ends the run with the status corrections", async () => {
    const wrong = { number: "R-7", total: "a lot" };
    const model = answering(wrong, wrong, { number: "R-7", total: -1 });
    const result = await run(new Agent({ name: "A", model, output: jsonSchema }), question);
    expect(result).toMatchObject({ status: "corrections", output: undefined, turns: 3, pending: [] });
    const results = result.messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
    expect(results.map(({ outcome }) => outcome)).toEqual(Array(3).fill("invalid-arguments"));
    expect(textsOf(result.messages)).toContain('"total": "a lot"  <-- expected a number');
    expect(textsOf(result.messages)).toContain("You made this mistake before.");
  });

  test("given as text is corrected in a message that is marked as a correction", async () => {
    const model = new ScriptedModel(["It is 12.50.", 'Here: {"number": "R-7"}', JSON.stringify(invoice)], {
      supportsOutput: true,
    });
    const result = await run(new Agent({ name: "A", model, output: jsonSchema }), question);
    expect(result).toMatchObject({ status: "completed", output: invoice, text: JSON.stringify(invoice) });
    const corrections = result.messages.filter((message) => message.role === "user");
    expect(corrections).toMatchObject([{ correction: true }, { correction: true }]);
    expect(corrections[0]?.content).toContain("Your answer was not accepted");
    expect(corrections[1]?.content).toMatch(/total.*required|required.*total/);
    expect(corrections[1]?.content).toContain("Answer again, with corrected JSON alone.");
    expect(model.requests.map((request) => request.output)).toEqual(
      Array.from({ length: 3 }, () => ({ name: "final_answer", schema: jsonSchema })),
    );
    expect(model.requests[0]?.tools).toEqual([]);
  });

  test("as text, where a tool is expected, gets a message that names the tool", async () => {
    const model = new ScriptedModel([
      "12.50",
      { toolCalls: [{ toolName: "final_answer", arguments: { ...invoice } }] },
    ]);
    const result = await run(new Agent({ name: "A", model, output: jsonSchema }), question);
    expect(result.output).toEqual(invoice);
    expect(textsOf(result.messages)).toContain("Call final_answer with the corrected answer.");
  });

  test("does not count once other tools were called in between", async () => {
    const wrong = { toolCalls: [{ toolName: "final_answer", arguments: {} }] };
    const model = new ScriptedModel([wrong, callPing, wrong, callPing, wrong, wrong]);
    const agent = new Agent({ name: "A", model, tools: [ping], output: jsonSchema });
    expect(await run(agent, question, { maxCorrections: 2 })).toMatchObject({
      status: "corrections",
      turns: 6,
    });
  });

  test("leaves a state that can be resumed with as many chances again", async () => {
    const model = new ScriptedModel(["no", "no", JSON.stringify(invoice)]);
    const agent = new Agent({ name: "A", model, output: jsonSchema });
    const { state } = await run(agent, question, { maxCorrections: 2 });
    expect(await run(agent, JSON.parse(JSON.stringify(state)))).toMatchObject({
      status: "completed",
      output: invoice,
    });
  });

  test("uses its own refinements, including asynchronous ones", async () => {
    const form = z.object({ total: z.number() }).refine(async ({ total }) => total > 10, "too little");
    const model = answering({ total: 1 }, { total: 11 });
    const result = await run(new Agent({ name: "A", model, output: form }), question);
    expect(result.output).toEqual({ total: 11 });
    expect(textsOf(result.messages)).toContain("too little");
  });
});

describe("together with tools", () => {
  test("the agent's tools are called first, then the one that takes the answer; every call has its result", async () => {
    const model = new ScriptedModel([
      callPing,
      { text: "So:", toolCalls: [{ toolName: "final_answer", arguments: { ...invoice } }] },
    ]);
    const result = await run(new Agent({ name: "A", model, tools: [ping], output: jsonSchema }), question);
    expect(result).toMatchObject({ status: "completed", output: invoice, stats: { toolCalls: 1 } });
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(["required", "required"]);
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["ping", "final_answer"]);
    expect(result.messages.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant", "tool"]);
    expect(result.messages.at(-1)).toMatchObject({ result: { toolCallId: "call_2", outcome: "success" } });
  });

  test("several answers that differ are none: the model is to give one", async () => {
    const giving = (...totals: number[]) => ({
      toolCalls: totals.map((total) => ({ toolName: "final_answer", arguments: { ...invoice, total } })),
    });
    const agentWith = (...turns: ReturnType<typeof giving>[]) =>
      new Agent({ name: "A", model: new ScriptedModel(turns), tools: [ping], output: jsonSchema });
    const result = await run(agentWith(giving(1, 2), giving(2)), question);
    expect(result).toMatchObject({ status: "completed", turns: 2, output: { ...invoice, total: 2 } });
    expect(textsOf(result.messages)).toContain("call it alone, and once");
    // The same twice is one.
    expect(await run(agentWith(giving(3, 3)), question)).toMatchObject({ turns: 1, output: { total: 3 } });
    const stubborn = agentWith(giving(1, 2), giving(1, 2), giving(1, 2));
    expect(await run(stubborn, question, { maxCorrections: 3 })).toMatchObject({
      status: "corrections",
      turns: 3,
    });
  });

  test("an answer beside other calls waits for them, and is requested again", async () => {
    const both = {
      toolCalls: [{ toolName: "final_answer", arguments: { ...invoice } }, { toolName: "ping" }],
    };
    const model = new ScriptedModel([both, { toolCalls: [both.toolCalls[0] ?? { toolName: "" }] }]);
    const result = await run(new Agent({ name: "A", model, tools: [ping], output: jsonSchema }), question);
    expect(result).toMatchObject({ status: "completed", turns: 2, output: invoice });
    const outcomes = result.messages.flatMap((message) =>
      message.role === "tool" ? [`${message.result.toolName} ${message.result.outcome}`] : [],
    );
    expect(outcomes).toEqual(["final_answer not-executed", "ping success", "final_answer success"]);
  });

  test("a tool of that name keeps it", async () => {
    const own = tool({ name: "final_answer", input: { type: "object" }, execute: () => "mine" });
    const model = new ScriptedModel([
      { toolCalls: [{ toolName: "final_answer" }] },
      { toolCalls: [{ toolName: "final_answer_", arguments: { ...invoice } }] },
    ]);
    const result = await run(new Agent({ name: "A", model, tools: [own], output: jsonSchema }), question);
    expect(result.output).toEqual(invoice);
    expect(textsOf(result.messages)).toContain("mine");
  });

  test.each([
    ["required", "required", ["ping"]],
    [{ tool: "ping" }, { tool: "ping" }, ["ping"]],
    ["none", { tool: "final_answer" }, ["ping", "final_answer"]],
  ] as const)("toolChoice %j is kept for the first call", async (toolChoice, sent, names) => {
    const model = new ScriptedModel([JSON.stringify(invoice)]);
    const agent = new Agent({ name: "A", model, tools: [ping], toolChoice, output: jsonSchema });
    expect((await run(agent, question)).output).toEqual(invoice);
    expect(model.requests[0]).toMatchObject({ toolChoice: sent, tools: names.map((name) => ({ name })) });
  });

  test("a model that is held to the form itself keeps the agent's tools and choice as they are", async () => {
    const model = new ScriptedModel([callPing, JSON.stringify(invoice)], { supportsOutput: true });
    const result = await run(new Agent({ name: "A", model, tools: [ping], output: jsonSchema }), question);
    expect(result.output).toEqual(invoice);
    expect(model.requests[0]?.toolChoice).toBeUndefined();
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["ping"]);
  });

  test("a tool with the last word gives the output, if it has the form", async () => {
    const last = (value: unknown): ReturnType<typeof tool> =>
      tool({ name: "ping", input: { type: "object" }, final: true, execute: () => value });
    const outputs = await Promise.all(
      [invoice, "done"].map(async (value) => {
        const model = new ScriptedModel([callPing]);
        const agent = new Agent({ name: "A", model, tools: [last(value)], output: jsonSchema });
        const { status, output, warnings } = await run(agent, question);
        return { status, output, warnings: warnings.length };
      }),
    );
    expect(outputs).toEqual([
      { status: "completed", output: invoice, warnings: 0 },
      { status: "completed", output: undefined, warnings: 1 },
    ]);
  });

  test("calls of tools that are executed elsewhere are answered first: the run goes on to its output", async () => {
    const elsewhere = tool({ name: "ping", input: { type: "object" } });
    const model = new ScriptedModel([callPing, JSON.stringify(invoice)]);
    const agent = new Agent({ name: "A", model, tools: [elsewhere], output: jsonSchema });
    const paused = await run(agent, question);
    expect(paused).toMatchObject({ status: "paused", output: undefined });
    const results = [{ toolCallId: paused.pending[0]?.toolCallId ?? "", content: "pong" }];
    expect(await run(agent, paused.state, { results })).toMatchObject({
      status: "completed",
      output: invoice,
    });
  });

  test("an answer that a crash left open is taken when the run is resumed, without asking again", async () => {
    const model = new ScriptedModel([]);
    const agent = new Agent({ name: "A", model, output: jsonSchema });
    const toolCalls = [{ toolCallId: "c1", toolName: "final_answer", arguments: JSON.stringify(invoice) }];
    const { state } = await run(agent, question, { signal: AbortSignal.abort() });
    const answer = { role: "assistant" as const, content: [], toolCalls, agent: "A" };
    const messages = [...state.messages, answer];
    const result = await run(agent, { ...state, messages, pending: toolCalls });
    expect(result).toMatchObject({ status: "completed", output: invoice, turns: 0, pending: [] });
  });

  test("a cut answer is not an output, and neither is a refusal", async () => {
    const toolCalls = [{ toolName: "final_answer", arguments: { ...invoice } }];
    const model = new ScriptedModel([
      { toolCalls, finishReason: "length" },
      { text: "I cannot say that.", refusal: "I cannot say that." },
    ]);
    const agent = new Agent({ name: "A", model, output: jsonSchema });
    expect(await run(agent, question)).toMatchObject({ status: "incomplete", output: undefined });
    expect(await run(agent, question)).toMatchObject({ status: "incomplete", output: undefined, turns: 1 });
  });
});
