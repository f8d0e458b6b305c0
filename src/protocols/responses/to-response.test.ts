import type OpenAI from "openai";
import { APIError } from "openai";
import { zodTextFormat } from "openai/helpers/zod";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Agent, run, stream, tool, type RunStream, type Tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { openaiErrorOf } from "../kit/openai-error.ts";
import { clientOf } from "../kit/test-openai-server.ts";
import { call, failing, lookUp, refund, scenarios, scripted, weather } from "../kit/test-scenarios.ts";
import { fromResponsesRequest } from "./request.ts";
import {
  toResponse,
  toResponseEvents,
  toResponsesResponse,
  type ResponseEventOptions,
} from "./to-response.ts";

/** A server of one agent, with the runs of its responses: what a program of one's own is. */
function serve(
  agent: Agent,
  own: readonly Tool[] = [],
  options: Partial<ResponseEventOptions> = {},
): Promise<OpenAI> {
  const runs = new Map<string, { readonly running: RunStream; readonly options: ResponseEventOptions }>();
  return clientOf(async (path, body) => {
    try {
      const { pathname, searchParams } = new URL(path, "http://localhost");
      const stored = runs.get(pathname.split("/").at(-1) ?? "");
      if (stored)
        return await toResponsesResponse(stored.running, {
          ...stored.options,
          stream: searchParams.get("stream") === "true",
          startingAfter: Number(searchParams.get("starting_after") ?? -1),
        });
      const request = fromResponsesRequest(body);
      const { previousResponseId, results, decisions, responseFormat, echo } = request;
      const caller = request.tools.map((each) => tool(each));
      const team = caller.length === 0 ? agent : agent.with({ tools: [...own, ...caller] });
      const before = await runs.get(previousResponseId ?? "")?.running.result;
      const running = stream(team, before && before.status === "paused" ? before.state : request.input, {
        ...(responseFormat && { output: responseFormat }),
        ...(before && { results, approvals: decisions }),
      });
      const id = `resp_${runs.size + 1}`;
      const settings: ResponseEventOptions = {
        id,
        createdAt: 1_700_000_000_000,
        completedAt: 1_700_000_001_000,
        model: request.model,
        output: responseFormat !== undefined,
        echo,
        metadata: request.metadata,
        ...(previousResponseId !== undefined && { previousResponseId }),
        ...options,
      };
      runs.set(id, { running, options: settings });
      return await toResponsesResponse(running, { ...settings, stream: request.stream });
    } catch (error) {
      return openaiErrorOf(error);
    }
  });
}

const hello = { model: "host", input: "Hello" };
const weatherTool = {
  type: "function" as const,
  name: weather.name,
  parameters: { ...weather.input },
  strict: false,
};

async function errorOf(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    return error;
  }
}

describe.each(scenarios)("$title", ({ agentOf, isTyped }) => {
  const options = { output: isTyped };

  test("as a whole is what run returns", async () => {
    const expected = await run(agentOf(), "Hello");
    const response = await (await serve(agentOf(), [], options)).responses.create(hello);
    expect(response).toMatchObject({ object: "response", status: "completed", error: null });
    expect(response.output_text).toBe(expected.text);
    expect(response.usage?.input_tokens).toBe(expected.usage.inputTokens ?? 0);
  });

  test("as a stream adds up to it", async () => {
    const expected = await run(agentOf(), "Hello");
    const client = await serve(agentOf(), [], options);
    let text = "";
    const numbers: number[] = [];
    for await (const event of await client.responses.create({ ...hello, stream: true })) {
      numbers.push(event.sequence_number);
      if (event.type === "response.output_text.delta") text += event.delta;
    }
    expect(text).toBe(expected.text);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((left, right) => left - right));
    const helper = (await serve(agentOf(), [], options)).responses.stream(hello);
    expect((await helper.finalResponse()).output_text).toBe(expected.text);
  });
});

describe("the client's tools", () => {
  const toolCalls = [call("weather", { city: "Oslo" }), call("weather", { city: "Rome" })];

  test("a loop of function calls by previous_response_id, streamed", async () => {
    const client = await serve(scripted([{ text: "Let me see.", toolCalls }, "Rain and sun."], [lookUp]), [
      lookUp,
    ]);
    const first = await client.responses.stream({ ...hello, tools: [weatherTool] }).finalResponse();
    const calls = first.output.flatMap((item) => (item.type === "function_call" ? [item] : []));
    expect(calls.map((item) => [item.name, item.call_id, item.arguments])).toEqual([
      ["weather", "call_1", '{"city":"Oslo"}'],
      ["weather", "call_2", '{"city":"Rome"}'],
    ]);
    expect(first.output[0]).toMatchObject({ type: "message", phase: "commentary" });
    const second = await client.responses.create({
      model: "host",
      tools: [weatherTool],
      previous_response_id: first.id,
      input: calls.map((item) => ({ type: "function_call_output", call_id: item.call_id, output: "sun" })),
    });
    expect(second).toMatchObject({ output_text: "Rain and sun.", previous_response_id: first.id });
  });

  test("a loop with the whole history", async () => {
    const client = await serve(scripted([{ toolCalls }, "Rain and sun."]));
    const first = await client.responses.create({ ...hello, tools: [weatherTool], store: false });
    const { output_text } = await client.responses.create({
      model: "host",
      store: false,
      tools: [weatherTool],
      input: [
        { role: "user", content: "Hello" },
        ...first.output,
        { type: "function_call_output", call_id: "call_1", output: "sun" },
        { type: "function_call_output", call_id: "call_2", output: [{ type: "input_text", text: "rain" }] },
      ] as OpenAI.Responses.ResponseInput,
    });
    expect(output_text).toBe("Rain and sun.");
  });
});

describe("approvals", () => {
  test.each([
    [true, "Refunded"],
    [false, "Too much."],
  ])("mcp_approval_response with approve: %s", async (approve, expected) => {
    const model = new ScriptedModel([
      { toolCalls: [call("refund", { euros: 10 })] },
      ({ messages }) => JSON.stringify(messages.at(-1)),
    ]);
    const client = await serve(new Agent({ name: "Host", model, tools: [refund] }));
    const first = await client.responses.stream(hello).finalResponse();
    const [request] = first.output;
    expect(request).toMatchObject({
      type: "mcp_approval_request",
      server_label: "skein",
      name: "refund",
      arguments: '{"euros":10}',
    });
    const second = await client.responses.create({
      model: "host",
      previous_response_id: first.id,
      input: [
        {
          type: "mcp_approval_response",
          approval_request_id: request?.id ?? "",
          approve,
          reason: "Too much.",
        },
      ],
    });
    expect(second.output_text).toContain(expected);
  });
});

test("parse reads a typed answer", async () => {
  const text = { format: zodTextFormat(z.object({ total: z.number() }), "total") };
  const turns = [{ text: '{"total":"x"}', chunkSize: 3 }, '{"total":2}'];
  const agent = () => new Agent({ name: "A", model: new ScriptedModel(turns, { supportsOutput: true }) });
  const parsed = await (await serve(agent())).responses.parse({ ...hello, text });
  expect(parsed.output_parsed).toEqual({ total: 2 });
  const streamed = await (await serve(agent())).responses.stream({ ...hello, text }).finalResponse();
  expect(streamed.output_parsed).toEqual({ total: 2 });
});

describe("starting_after", () => {
  test("continues behind any event", async () => {
    const turns = [
      { reasoning: "Hm.", text: "One", toolCalls: [call("failing")] },
      { text: "Two!", chunkSize: 2 },
    ];
    const client = await serve(scripted(turns, [failing]));
    const all = await Array.fromAsync(await client.responses.create({ ...hello, stream: true }));
    for (const [index, event] of all.entries()) {
      const query = { stream: true, starting_after: event.sequence_number } as const;
      const rest = await Array.fromAsync(await client.responses.retrieve("resp_1", query));
      expect(rest).toEqual(all.slice(index + 1));
    }
    const again = client.responses.stream({ response_id: "resp_1", starting_after: 40 });
    expect((await again.finalResponse()).output_text).toBe("OneTwo!");
  });
});

describe("the end", () => {
  test.each([
    ["length", "max_output_tokens"],
    ["content-filter", "content_filter"],
  ] as const)("%s is incomplete: %s", async (finishReason, reason) => {
    const client = await serve(scripted([{ text: "Cut", finishReason }]));
    const response = await client.responses.stream(hello).finalResponse();
    expect(response).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason },
      output_text: "Cut",
    });
    expect(response.output).toMatchObject([{ status: "incomplete" }]);
  });

  test("a provider that fails in mid-stream is a failed response with the public code", async () => {
    const error = new Error("planted-secret-of-the-provider");
    const agent = () => scripted([{ text: "Hel", error, errorAfter: 1 }]);
    const streamed = await (await serve(agent())).responses.stream(hello).finalResponse();
    expect(streamed).toMatchObject({ status: "failed", error: { code: "server_error" }, output_text: "Hel" });
    const whole = await (await serve(agent())).responses.create(hello);
    expect(whole).toMatchObject({ status: "failed", usage: null });
    expect(JSON.stringify([whole, streamed])).not.toContain("planted");
  });

  test("a run that is cancelled is a cancelled response", async () => {
    const slow = { text: "Hello there", chunkSize: 2, delay: 5 };
    const running = stream(scripted([slow]), "go", { timeout: 20 });
    const response = await toResponse(running, { model: "a" });
    expect(response).toMatchObject({
      status: "cancelled",
      output: [{ type: "message", status: "incomplete" }],
    });
    const events = await Array.fromAsync(toResponseEvents(running, { model: "a" }));
    expect(events.at(-1)).toMatchObject({ type: "response.incomplete", response: { status: "cancelled" } });
  });

  test("events that cannot be read on end with an error event, and no response", async () => {
    async function* broken() {
      for await (const event of stream(scripted([{ text: "Hello", chunkSize: 1 }]), "go")) {
        if (event.index === 4) throw new Error("planted-secret-of-the-store");
        yield event;
      }
    }
    const events = await Array.fromAsync(toResponseEvents(broken(), { model: "a" }));
    expect(events.at(-1)).toMatchObject({ type: "error", code: "run-failed" });
    expect(JSON.stringify(events)).not.toContain("planted");
    await expect(toResponse(broken(), { model: "a" })).rejects.toMatchObject({ code: "run-failed" });
    const client = await clientOf(() => toResponsesResponse(broken(), { model: "a", stream: true }));
    expect(await errorOf(client.responses.stream(hello).done())).toBeInstanceOf(APIError);
  });
});

test("an image reaches the model", async () => {
  const model = new ScriptedModel(["A goose."]);
  const image_url = "data:image/png;base64,AAAA";
  const content = [{ type: "input_image" as const, image_url, detail: "auto" as const }];
  await (
    await serve(new Agent({ name: "A", model }))
  ).responses.create({
    model: "a",
    input: [{ role: "user", content }],
  });
  expect(model.requests[0]?.messages).toMatchObject([{ content: [{ type: "image", url: image_url }] }]);
});

test("a client that leaves is reported, while the run has no events, too", async () => {
  const cancelled = Promise.withResolvers<void>();
  const running = stream(scripted([{ text: "Late", delay: 100_000 }]), "go");
  const client = await clientOf(() =>
    toResponsesResponse(running, { model: "a", stream: true, onCancel: cancelled.resolve }),
  );
  const events = await client.responses.create({ ...hello, stream: true });
  for await (const event of events) if (event.type === "response.in_progress") break;
  await expect(cancelled.promise).resolves.toBeUndefined();
  running.cancel();
});

test("reasoning is a summary, and can be left out", async () => {
  const agent = scripted([
    { reasoning: "Hmm, well", chunkSize: 4, text: "A." },
    { reasoning: "Hmm", text: "A." },
  ]);
  const open = await (await serve(agent)).responses.stream(hello).finalResponse();
  expect(open.output).toMatchObject([
    { type: "reasoning", summary: [{ type: "summary_text", text: "Hmm, well" }] },
    { type: "message" },
  ]);
  const shy = await (await serve(agent, [], { show: { reasoning: false } })).responses.create(hello);
  expect(shy.output.map(({ type }) => type)).toEqual(["message"]);
});

test("the response repeats its request", async () => {
  const client = await serve(scripted(["Hi"]));
  const response = await client.responses.create({
    ...hello,
    instructions: "Be brief.",
    temperature: 0.5,
    max_output_tokens: 100,
    metadata: { order: "7" },
    tools: [weatherTool],
    tool_choice: "none",
  });
  expect(response).toMatchObject({
    instructions: "Be brief.",
    temperature: 0.5,
    max_output_tokens: 100,
    metadata: { order: "7" },
    tools: [{ type: "function", name: "weather" }],
    tool_choice: "none",
    created_at: 1_700_000_000,
    completed_at: 1_700_000_001,
  });
});
