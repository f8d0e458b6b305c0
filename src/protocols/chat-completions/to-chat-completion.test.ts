import { APIError } from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Agent, run, stream, tool, type Tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { openaiErrorOf } from "../kit/openai-error.ts";
import { clientOf } from "../kit/test-openai-server.ts";
import {
  call,
  failing,
  lookUp,
  numberSchema,
  refund,
  scenarios,
  scripted,
  weather,
} from "../kit/test-scenarios.ts";
import { fromChatCompletionRequest } from "./request.ts";
import {
  type ChatCompletionOptions,
  toChatCompletion,
  toChatCompletionChunks,
  toChatCompletionResponse,
} from "./to-chat-completion.ts";
import type OpenAI from "openai";

/** A server of one agent: what a route of one's own is. */
function serve(
  agent: Agent,
  own: readonly Tool[] = [],
  options: Partial<ChatCompletionOptions> = {},
): Promise<OpenAI> {
  return clientOf(async (_path, body) => {
    try {
      const {
        model,
        messages,
        tools,
        responseFormat,
        stream: isStream,
        includeUsage,
      } = fromChatCompletionRequest(body);
      const caller = tools.map((each) => tool(each));
      const team = tools.length === 0 ? agent : agent.with({ tools: [...own, ...caller] });
      const running = stream(team, messages, responseFormat ? { output: responseFormat } : {});
      return await toChatCompletionResponse(running, {
        model,
        stream: isStream,
        includeUsage,
        output: responseFormat !== undefined,
        tools: tools.map(({ name }) => name),
        ...options,
      });
    } catch (error) {
      return openaiErrorOf(error);
    }
  });
}

const hello = { model: "host", messages: [{ role: "user" as const, content: "Hello" }] };
const weatherTool = {
  type: "function" as const,
  function: { name: weather.name, parameters: { ...weather.input } },
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
    const client = await serve(agentOf(), [], options);
    const { choices, usage, object } = await client.chat.completions.create(hello);
    expect(object).toBe("chat.completion");
    expect(choices[0]?.message.content).toBe(expected.text);
    expect(choices[0]?.finish_reason).toBe("stop");
    expect(usage?.prompt_tokens).toBe(expected.usage.inputTokens ?? 0);
  });

  test("as a stream adds up to it", async () => {
    const expected = await run(agentOf(), "Hello");
    const client = await serve(agentOf(), [], options);
    let text = "";
    for await (const { choices } of await client.chat.completions.create({ ...hello, stream: true }))
      text += choices[0]?.delta.content ?? "";
    expect(text).toBe(expected.text);
    const helper = (await serve(agentOf(), [], options)).chat.completions.stream(hello);
    expect(await helper.finalContent()).toBe(expected.text);
  });
});

describe("the client's tools", () => {
  const turns = [
    {
      text: "Let me see.",
      toolCalls: [call("weather", { city: "Oslo" }), call("weather", { city: "Rome" })],
    },
    "Rain and sun.",
  ];

  test("calls come back as tool_calls", async () => {
    const client = await serve(scripted(turns));
    const { choices } = await client.chat.completions.create({ ...hello, tools: [weatherTool] });
    expect(choices[0]?.finish_reason).toBe("tool_calls");
    expect(choices[0]?.message.content).toBe("Let me see.");
    expect(choices[0]?.message.tool_calls).toEqual([
      { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
      { id: "call_2", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } },
    ]);
  });

  test("runTools executes them and gets the answer", async () => {
    for (const isStream of [false, true]) {
      const cities: unknown[] = [];
      const client = await serve(scripted(turns, [lookUp]), [lookUp]);
      const tools = [
        {
          type: "function" as const,
          function: {
            name: "weather",
            description: "The weather.",
            parameters: { ...weather.input },
            parse: JSON.parse,
            function: ({ city }: { city: string }) => String(cities.push(city)),
          },
        },
      ];
      const runner = isStream
        ? client.chat.completions.runTools({ ...hello, stream: true, tools })
        : client.chat.completions.runTools({ ...hello, tools });
      expect(await runner.finalContent()).toBe("Rain and sun.");
      expect(cities).toEqual(["Oslo", "Rome"]);
    }
  });

  test("own calls beside them are executed and not seen", async () => {
    const toolCalls = [call("lookUp", { city: "A" }), call("weather", { city: "B" })];
    const client = await serve(scripted([{ toolCalls }], [lookUp]), [lookUp]);
    const helper = client.chat.completions.stream({ ...hello, tools: [weatherTool] });
    const { choices } = await helper.finalChatCompletion();
    expect(
      choices[0]?.message.tool_calls?.map((each) => each.type === "function" && each.function.name),
    ).toEqual(["weather"]);
    expect(choices[0]?.message.content).toBe("");
  });

  test("a call that was written badly comes as the tool's input", async () => {
    const toolCalls = [{ toolName: "weather", arguments: '{"city": "Oslo",}' }];
    const client = await serve(scripted([{ toolCalls }]));
    const { choices } = await client.chat.completions.create({ ...hello, tools: [weatherTool] });
    expect(choices[0]?.message.tool_calls).toMatchObject([{ function: { arguments: '{"city":"Oslo"}' } }]);
  });
});

test("parse reads a typed answer, whole or streamed", async () => {
  const format = zodResponseFormat(z.object({ total: z.number() }), "total");
  const agent = () =>
    new Agent({ name: "A", model: new ScriptedModel(["{}", '{"total":2}'], { supportsOutput: true }) });
  const parsed = await (await serve(agent())).chat.completions.parse({ ...hello, response_format: format });
  expect(parsed.choices[0]?.message.parsed).toEqual({ total: 2 });
  const helper = (await serve(agent())).chat.completions.stream({ ...hello, response_format: format });
  const { choices } = await helper.finalChatCompletion();
  expect(choices[0]?.message.parsed).toEqual({ total: 2 });
});

test("an output is noticed by itself where the model is held to it", async () => {
  const model = new ScriptedModel([{ text: '{"total":"x"}', chunkSize: 4 }, '{"total":1}'], {
    supportsOutput: true,
  });
  const agent = new Agent({ name: "A", output: numberSchema, model });
  const { choices } = await toChatCompletion(stream(agent, "go"), { model: "a" });
  expect(choices[0]?.message.content).toBe('{"total":1}');
});

describe("the end", () => {
  test.each([
    ["length", "length"],
    ["content-filter", "content_filter"],
  ] as const)("%s is the finish reason %s", async (finishReason, expected) => {
    const client = await serve(scripted([{ text: "Cut", finishReason }]));
    const { choices } = await client.chat.completions.create(hello);
    expect(choices[0]).toMatchObject({ finish_reason: expected, message: { content: "Cut" } });
  });

  test("a limit of turns is length", async () => {
    const running = stream(scripted([{ text: "Hm", toolCalls: [call("failing")] }], [failing]), "go", {
      maxTurns: 1,
    });
    const { choices } = await toChatCompletion(running, { model: "a" });
    expect(choices[0]).toMatchObject({ finish_reason: "length", message: { content: "Hm" } });
  });

  test("usage comes with the last chunk, if it is asked for", async () => {
    const usage = { inputTokens: 7, outputTokens: 3 };
    const client = await serve(
      scripted([
        { text: "Hi", usage },
        { text: "Hi", usage },
      ]),
    );
    const chunks = await Array.fromAsync(
      await client.chat.completions.create({
        ...hello,
        stream: true,
        stream_options: { include_usage: true },
      }),
    );
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
    const plain = await Array.fromAsync(await client.chat.completions.create({ ...hello, stream: true }));
    expect(plain.some((chunk) => "usage" in chunk)).toBe(false);
  });

  test("texts of two turns have an empty line between them, streamed or not", async () => {
    const turns = [
      { text: "First.", toolCalls: [call("failing")] },
      { text: "Second.", chunkSize: 2 },
    ];
    const client = await serve(scripted([...turns, ...turns], [failing]), []);
    const whole = await client.chat.completions.create(hello);
    expect(whole.choices[0]?.message.content).toBe("First.\n\nSecond.");
    expect(await client.chat.completions.stream(hello).finalContent()).toBe("First.\n\nSecond.");
  });
});

describe("failures", () => {
  const broken = () =>
    scripted([{ text: "Hel", error: new Error("planted-secret-of-the-provider"), errorAfter: 1 }]);

  test("a provider that fails in mid-stream ends it with an error of the public code", async () => {
    const client = await serve(broken());
    let text = "";
    const chunks = await client.chat.completions.create({ ...hello, stream: true });
    const read = async (): Promise<void> => {
      for await (const { choices } of chunks) text += choices[0]?.delta.content ?? "";
    };
    const error = await errorOf(read());
    expect(text).toBe("Hel");
    expect(error).toBeInstanceOf(APIError);
    expect((error as APIError).type).toBe("server_error");
    expect(String(error)).not.toContain("planted");
  });

  test("it is a 500 without a stream, which clients do not send again", async () => {
    const error = (await errorOf((await serve(broken())).chat.completions.create(hello))) as APIError;
    expect(error).toMatchObject({ status: 500, type: "server_error" });
    expect(error.headers?.get("x-should-retry")).toBe("false");
    expect(JSON.stringify([error, error.message])).not.toContain("planted");
  });

  test("a call that waits for approval is an error that says what to use", async () => {
    const agent = () => scripted([{ toolCalls: [call("refund")] }], [refund]);
    const error = await errorOf((await serve(agent())).chat.completions.create(hello));
    expect(error).toMatchObject({ status: 409, code: "approval-required" });
    expect(String(error)).toContain("Responses API");
    const streamed = await errorOf((await serve(agent())).chat.completions.stream(hello).done());
    expect(streamed).toMatchObject({ code: "approval-required" });
  });

  test("a run that is cancelled ends the stream with an error", async () => {
    const running = stream(scripted([{ text: "Hello there", chunkSize: 2, delay: 5 }]), "go", {
      timeout: 20,
    });
    await expect(toChatCompletion(running, { model: "a" })).rejects.toMatchObject({ code: "cancelled" });
  });

  test("a client that leaves is reported, and its reader released", async () => {
    const cancelled = Promise.withResolvers<void>();
    const client = await serve(scripted([{ text: "x".repeat(500), chunkSize: 1, delay: 2 }]), [], {
      ...({ onCancel: () => cancelled.resolve() } as object),
    });
    const chunks = await client.chat.completions.create({ ...hello, stream: true });
    for await (const chunk of chunks) if (chunk.choices[0]?.delta.content === "x") break;
    await expect(cancelled.promise).resolves.toBeUndefined();
  });
});

test("an image reaches the model", async () => {
  const model = new ScriptedModel(["A goose."]);
  const url = "data:image/png;base64,AAAA";
  const content = [
    { type: "text" as const, text: "What is it?" },
    { type: "image_url" as const, image_url: { url } },
  ];
  const client = await serve(new Agent({ name: "A", model }));
  await client.chat.completions.create({ model: "a", messages: [{ role: "user", content }] });
  expect(model.requests[0]?.messages).toMatchObject([
    { role: "user", content: [{ text: "What is it?" }, { type: "image", url }] },
  ]);
});

test("reasoning is sent only with show.reasoning", async () => {
  const turn = { reasoning: "Hmm, ", text: "A.", chunkSize: 2 };
  const running = stream(scripted([turn]), "go");
  for (const reasoning of [undefined, false, true]) {
    const options = { model: "a", show: reasoning === undefined ? {} : { reasoning } };
    const { choices } = await toChatCompletion(running, options);
    expect(choices[0]?.message.reasoning_content).toBe(reasoning ? "Hmm, " : undefined);
    const chunks = await Array.fromAsync(toChatCompletionChunks(running, options));
    const deltas = chunks
      .flatMap((chunk) => ("choices" in chunk ? chunk.choices : []))
      .map(({ delta }) => delta);
    const pieces = deltas.map((delta) => delta.reasoning_content ?? "").join("");
    expect(pieces).toBe(reasoning ? "Hmm, " : "");
  }
});

test("an unknown option is an error", () => {
  const options = { model: "a", shows: {} } as ChatCompletionOptions;
  const completion = toChatCompletion(stream(scripted(["a"]), "go"), options);
  return expect(completion).rejects.toThrow("shows");
});
