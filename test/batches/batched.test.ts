import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Agent, generate, generateStream, type Model, run } from "skein";
import { anthropic } from "skein/anthropic";
import { google } from "skein/google";
import { batched, type BatchOptions, costOf, dollars, fallback, retry, withSettings } from "skein/models";
import { openai } from "skein/openai";
import { ScriptedModel } from "skein/testing";
import { until } from "../durable/test-runs.ts";
import { BatchServer } from "./batch-server.ts";
import { modelOfApi, models, quick } from "./test-models.ts";

let server: BatchServer;
beforeAll(async () => {
  server = await new BatchServer().start();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.close();
  server = await new BatchServer().start();
});

function batchesOf(name: string): { readonly create: string; readonly look: string } {
  return name === "anthropic"
    ? { create: "POST /v1/messages/batches", look: "GET /v1/messages/batches/:id" }
    : { create: "POST /v1/batches", look: "GET /v1/batches/:id" };
}

describe.each(Object.keys(models))("%s", (name) => {
  const modelOf = (options?: BatchOptions): Model => modelOfApi(name, server, options);
  const { create, look } = batchesOf(name);

  test("an answer comes from a batch, whole and with its usage at half price", async () => {
    const model = modelOf();
    const events = await Array.fromAsync(generateStream(model, "Hello!"));
    expect(events.map(({ type }) => type)).toEqual(["text-delta", "finish"]);
    expect(server.count(create)).toBe(1);
    const result = await run(new Agent({ name: "Batch", model }), "Hello!");
    expect(result.text).toBe("Answer to 1.");
    expect(result.modelCalls).toEqual([
      expect.objectContaining({ batch: true, usage: expect.objectContaining({ inputTokens: 1_000 }) }),
    ]);
    const whole = result.modelCalls.map(({ batch: _, ...call }) => call);
    expect(costOf(result)).toBeCloseTo((costOf({ modelCalls: whole }) ?? Number.NaN) / 2);
    expect(costOf(result)).toBeGreaterThan(0);
  });

  test("requests of one moment share a batch, and each gets its own answer", async () => {
    const model = modelOf({ gather: 1_000_000, maxRequests: 20, interval: 20 });
    const { outcomeOf } = server;
    server.outcomeOf = (body, batch) => {
      const [question = ""] = /Question \d+/.exec(JSON.stringify(body)) ?? [];
      const text = JSON.stringify(outcomeOf(body, batch)).replace(
        "Answer to 1.",
        question.replace("Question", "Answer"),
      );
      return JSON.parse(text);
    };
    const questions = Array.from({ length: 20 }, (_, index) => `Question ${index}`);
    const answers = await Promise.all(questions.map((question) => generate(model, question)));
    expect(answers.map(({ text }) => text)).toEqual(questions.map((_, index) => `Answer ${index}`));
    expect(server.batches).toHaveLength(1);
    // One look for all of them, not one each.
    expect(server.count(look)).toBe(1);
  });

  test("a batch has no more requests than it may", async () => {
    const model = modelOf({ gather: 1_000_000, maxRequests: 2, interval: 20 });
    await Promise.all(["a", "b", "c", "d"].map((question) => generate(model, question)));
    expect(server.batches.map(({ requests }) => requests.length)).toEqual([2, 2]);
  });

  test("a run calls tools between its batches", async () => {
    let looks = 0;
    const look = {
      name: "look",
      description: "Look.",
      input: { type: "object", properties: {} },
      execute: () => `look ${(looks += 1)}`,
    };
    const { tool } = await import("skein");
    const agent = new Agent({ name: "Batch", model: modelOf(), tools: [tool(look)] });
    const { status, turns } = await run(agent, "Hello!");
    expect([status, turns, looks]).toEqual(
      name === "openai responses" ? ["completed", 1, 0] : ["completed", 2, 1],
    );
  });

  test("an error of the request is that of the model", async () => {
    server.outcomeOf = () => ({
      status: 400,
      body: { type: "error", error: { type: "invalid_request_error", message: "max_tokens: too large" } },
    });
    await expect(generate(modelOf(), "Hello!")).rejects.toMatchObject({
      code: "invalid-request",
      providerMessage: "max_tokens: too large",
      status: 400,
    });
    expect(server.batches).toHaveLength(1);
  });

  test("an overloaded model is asked again, in another batch", async () => {
    const { outcomeOf } = server;
    server.outcomeOf = (body, batch) =>
      batch === server.batches[0]
        ? { status: 529, body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } } }
        : outcomeOf(body, batch);
    expect((await generate(modelOf(), "Hello!")).text).toBe("Answer to 1.");
    expect(server.batches).toHaveLength(2);
  });

  test("what expired or was cancelled is not submitted again", async () => {
    server.outcomeOf = () => "expired";
    await expect(generate(modelOf(), "Hello!")).rejects.toMatchObject({
      code: "timeout",
      isRetryable: false,
    });
    server.outcomeOf = () => "canceled";
    await expect(generate(modelOf(), "Hello!")).rejects.toMatchObject({ code: "batch-cancelled" });
    expect(server.batches).toHaveLength(2);
  });

  test("a wrong key is an error at once", async () => {
    const wrong = await run(
      new Agent({
        name: "Batch",
        model:
          name === "anthropic"
            ? batched(anthropic("claude-sonnet-4-6", { apiKey: "wrong-key", baseURL: server.url }), quick)
            : batched(openai("gpt-5.2", { apiKey: "wrong-key", baseURL: `${server.url}/v1` }), quick),
      }),
      "Hello!",
    ).catch((error: unknown) => error);
    expect(wrong).toMatchObject({ code: "authentication", status: 401 });
    expect(String(wrong)).not.toContain("wrong-key");
  });

  test("failures of the network while a batch is under way are borne", async () => {
    server.troubles.set(look, ["before", 500, "after", 429]);
    expect((await generate(modelOf(), "Hello!")).text).toBe("Answer to 1.");
    expect(server.batches).toHaveLength(1);
  });

  test("a batch whose answer is lost is looked for, not submitted again", async () => {
    server.troubles.set(create, ["after"]);
    expect((await generate(modelOf(), "Hello!")).text).toBe("Answer to 1.");
    expect(server.batches).toHaveLength(1);
    expect(server.count(create)).toBe(1);
  });

  test("a batch that was not submitted is submitted, three times at most", async () => {
    server.troubles.set(create, ["before", "before"]);
    expect((await generate(modelOf(), "Hello!")).text).toBe("Answer to 1.");
    expect(server.count(create)).toBe(3);
    server.troubles.set(create, [500, 500, 500]);
    await expect(
      generate(modelOf(), { messages: "Hello!", settings: { maxRetries: 0 } }),
    ).rejects.toMatchObject({ code: "overloaded" });
  });

  test("a request that is cancelled cancels its batch, if that has no other", async () => {
    server.isHolding = true;
    const alone = new AbortController();
    const lone = generate(modelOf(), { messages: "Hello!", signal: alone.signal });
    await until(() => server.count(look) > 0);
    alone.abort(new Error("enough"));
    await expect(lone).rejects.toThrow("enough");
    await until(() => server.batches[0]?.isCancelled === true);

    const model = modelOf({ gather: 1_000_000, maxRequests: 2, interval: 20 });
    const shared = new AbortController();
    const first = generate(model, { messages: "Hello!", signal: shared.signal });
    const second = generate(model, "Hello!");
    const before = server.count(look);
    await until(() => server.count(look) > before);
    shared.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    server.isHolding = false;
    expect((await second).text).toBe("Answer to 1.");
    expect(server.batches[1]?.isCancelled).toBe(false);
  });

  test.each(["at once", "one after the other"])(
    "a batch whose requests are all cancelled %s is cancelled",
    async (how) => {
      server.isHolding = true;
      const model = modelOf({ gather: 1_000_000, maxRequests: 3, interval: 20 });
      const requests = [1, 2, 3].map(() => {
        const controller = new AbortController();
        const answer = generate(model, { messages: "Hello!", signal: controller.signal });
        return { controller, failure: answer.then(String, String) };
      });
      await until(() => server.count(look) > 0);
      for (const { controller, failure } of requests) {
        expect(server.batches[0]?.isCancelled).toBe(false);
        controller.abort(new Error("enough"));
        if (how === "one after the other") await failure;
      }
      for (const { failure } of requests) expect(await failure).toBe("Error: enough");
      await until(() => server.batches[0]?.isCancelled === true);
      expect(server.batches).toHaveLength(1);
    },
  );

  test("a request that was left out of its batch does not keep it going", async () => {
    server.isHolding = true;
    const model = modelOf({ gather: 1_000_000, maxRequests: 2, interval: 20 });
    const [first, second] = [new AbortController(), new AbortController()];
    const left = generate(model, { messages: "Hello!", signal: first.signal });
    await new Promise((resolve) => setTimeout(resolve, 5));
    first.abort(new Error("enough"));
    await expect(left).rejects.toThrow("enough");
    const answer = generate(model, { messages: "Hello!", signal: second.signal });
    await until(() => server.count(look) > 0);
    second.abort(new Error("enough"));
    await expect(answer).rejects.toThrow("enough");
    await until(() => server.batches[0]?.isCancelled === true);
  });

  test("a request that is cancelled while others are gathered is left out", async () => {
    const model = modelOf({ gather: 1_000_000, maxRequests: 3, interval: 20 });
    const controller = new AbortController();
    const first = generate(model, { messages: "Hello!", signal: controller.signal });
    const second = generate(model, "Hello!");
    await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    const third = generate(model, "Hello!");
    expect([(await second).text, (await third).text]).toEqual(["Answer to 1.", "Answer to 1."]);
    expect(server.submitted).toBe(2);
  });

  test("after the deadline the batch is given up", async () => {
    server.isHolding = true;
    await expect(generate(modelOf({ ...quick, deadline: 60 }), "Hello!")).rejects.toMatchObject({
      code: "timeout",
      isRetryable: false,
    });
    await until(() => server.batches[0]?.isCancelled === true);
    expect(server.batches).toHaveLength(1);
  });

  test("the limit of money counts half the price", async () => {
    const agent = new Agent({ name: "Batch", model: modelOf() });
    const { modelCalls } = await run(agent, "Hello!", { maxCost: dollars(1) });
    expect(modelCalls.map((call) => dollars(1).costOf(call))).toEqual([costOf({ modelCalls })]);
  });
});

test("a batch that OpenAI refuses as a whole is an error of each request", async () => {
  const broken = openai("gpt-5.2", {
    apiKey: "key",
    baseURL: `${server.url}/v1`,
    fetch: (input, init) =>
      fetch(
        input,
        typeof init?.body === "string" && init.body.includes("endpoint")
          ? { ...init, body: init.body.replace("/v1/chat/completions", "/v1/responses") }
          : init,
      ),
  });
  await expect(generate(batched(broken, quick), "Hello!")).rejects.toMatchObject({
    code: "invalid-request",
    providerMessage: "The batch input file is invalid.",
  });
});

test("numbers that JavaScript cannot hold arrive as they were written", async () => {
  server.outcomeOf = (body) => ({
    status: 200,
    body: {
      id: "m",
      type: "message",
      role: "assistant",
      model: body["model"],
      content: [{ type: "tool_use", id: "t", name: "look", input: { id: "@" } }],
      stop_reason: "tool_use",
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  });
  const replacing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    return new Response((await response.text()).replace('"@"', "12345678901234567890"), response);
  };
  const model = batched(
    anthropic("claude-sonnet-4-6", { apiKey: "key", baseURL: server.url, fetch: replacing }),
    quick,
  );
  const { toolCalls } = await generate(model, "Hello!");
  expect(toolCalls[0]?.arguments).toBe('{"id":"12345678901234567890"}');
});

test("models without a batch API are refused, and so are other wrappers within", async () => {
  for (const model of [
    new ScriptedModel(["Hello!"]),
    retry(anthropic("claude-sonnet-4-6", { apiKey: "key" })),
  ])
    expect(() => batched(model)).toThrow("Put other wrappers around it: retry(batched(model)).");
  const other = batched(google("gemini-3.5-flash", { apiKey: "key", baseURL: server.url }), quick);
  await expect(generate(other, "Hello!")).rejects.toMatchObject({ code: "invalid-option" });
  expect(() => batched(openai("gpt-5.2"), { interval: Infinity })).toThrow(
    "interval of batched() is Infinity.",
  );
  expect(() => batched(openai("gpt-5.2"), { interval: 0 })).toThrow(
    "interval must be a number of at least 1",
  );
});

test("other wrappers stand around it", async () => {
  const model = fallback([
    retry(withSettings(modelOfApi("anthropic", server), { temperature: 0 })),
    new ScriptedModel(["Instead."]),
  ]);
  expect((await generate(model, "Hello!")).text).toBe("Answer to 1.");
  server.outcomeOf = () => "expired";
  expect((await generate(model, "Hello!")).response.batch).toBeUndefined();
});
