import { afterEach, describe, expect, test, vi } from "vitest";
import { Agent } from "../../agent/agent.ts";
import { InvalidRequestError } from "../../errors.ts";
import type { AssistantMessage, Message } from "../../message/messages.ts";
import type { Generation, ModelEvent, ModelRequest, ToolSpec } from "../../model/types.ts";
import { run } from "../../run/run.ts";
import { tool } from "../../tool/define.ts";
import { offline } from "./model.ts";
import { answer, callsFor, mail, maths, resultMessage, says, weather } from "./test-tools.ts";
import { notice } from "./wording.ts";

async function eventsOf(request: ModelRequest): Promise<ModelEvent[]> {
  return Array.fromAsync(offline().stream(request));
}

function by(agent: string, { message }: Generation): AssistantMessage {
  return { ...message, agent };
}

describe("the stream", () => {
  test("emits a call piece by piece, then the whole call, then finishes", async () => {
    const text = "Weather in Paris for 3 days, in celsius";
    const events = await eventsOf({ messages: [says(text)], tools: weather });
    const pieces = events.flatMap((event) => (event.type === "tool-input-delta" ? [event.text] : []));
    const calls = events.flatMap((event) => (event.type === "tool-call" ? [event.toolCall] : []));
    expect(pieces.length).toBeGreaterThan(1);
    expect(calls).toEqual([{ toolCallId: "offline_1", toolName: "getWeather", arguments: pieces.join("") }]);
    expect(JSON.parse(pieces.join(""))).toEqual({ city: "Paris", unit: "celsius", days: 3 });
    const last = events.at(-1);
    expect(last?.type === "finish" && last.generation).toMatchObject({
      finishReason: "tool-calls",
      toolCalls: calls,
      usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
      response: { modelId: "keyword-rules" },
    });
  });

  test("emits a text word by word", async () => {
    const events = await eventsOf({ messages: [says("hello")], tools: weather });
    const pieces = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
    const last = events.at(-1);
    expect(pieces.length).toBeGreaterThan(10);
    expect(last?.type === "finish" && last.generation.text).toBe(pieces.join(""));
    expect(last?.type === "finish" && last.generation.finishReason).toBe("stop");
  });

  test("is the same for the same request", async () => {
    const request = { messages: [says("Compare the weather in Paris and Rome")], tools: weather };
    const shape = async (): Promise<string> =>
      JSON.stringify((await answer(request.messages, weather)).message);
    expect(await shape()).toBe(await shape());
    expect(await eventsOf(request)).toHaveLength((await eventsOf(request)).length);
  });

  test("throws at once when its signal is aborted, before and between pieces", async () => {
    const controller = new AbortController();
    const request = { messages: [says("hello")], tools: weather, signal: controller.signal };
    const stream = offline().stream(request)[Symbol.asyncIterator]();
    expect((await stream.next()).done).toBe(false);
    controller.abort(new Error("enough"));
    await expect(stream.next()).rejects.toThrow("enough");
    await expect(eventsOf(request)).rejects.toThrow("enough");
  });

  test("can be aborted while it waits between pieces", async () => {
    const controller = new AbortController();
    const stream = offline({ delay: 3_600_000 }).stream({
      messages: [says("hello")],
      signal: controller.signal,
    });
    const next = stream[Symbol.asyncIterator]().next();
    controller.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
  });
});

describe("the notice", () => {
  test("is at the end of the first answer of a conversation, and of no other", async () => {
    const first = await answer("hello", weather);
    expect(first.text.endsWith(`(${notice})`)).toBe(true);
    const second = await answer([says("hello"), first.message, says("tell me a joke")], weather);
    expect(second.text).not.toContain(notice);
  });

  test("is in the first text after calls, which have none", async () => {
    const userMessage = says("weather in Paris");
    const call = await answer([userMessage], weather);
    expect(call.text).toBe("");
    const next = await answer(
      [userMessage, call.message, resultMessage(call.toolCalls[0], "18 degrees")],
      weather,
    );
    expect(next.text).toBe(`18 degrees\n\n(${notice})`);
  });
});

describe("results", () => {
  const userMessage = says("weather in Paris");

  test("are answered, and the tool is not called again, even without a new message", async () => {
    const call = await answer([userMessage], weather);
    const history = [userMessage, call.message, resultMessage(call.toolCalls[0], "18 degrees")];
    const next = await answer(history, weather);
    expect(next.toolCalls).toEqual([]);
    expect((await answer([...history, next.message], weather)).toolCalls).toEqual([]);
  });

  test("that are errors are marked as errors", async () => {
    const call = await answer([userMessage], weather);
    const next = await answer(
      [userMessage, call.message, resultMessage(call.toolCalls[0], "no network", true)],
      weather,
    );
    expect(next.text).toMatch(/^That did not work: no network\n/);
  });

  test("of a list come from one call at a time if parallel calls are off, and are answered together", async () => {
    const rest = { parallelToolCalls: false };
    const messages: Message[] = [says("weather in Paris, Rome and Oslo")];
    const cities: unknown[] = [];
    let turn = await answer(messages, weather, rest);
    while (turn.toolCalls.length > 0) {
      expect(turn.toolCalls).toHaveLength(1);
      cities.push(JSON.parse(turn.toolCalls[0]?.arguments ?? ""));
      messages.push(turn.message, resultMessage(turn.toolCalls[0], `fine ${cities.length}`));
      turn = await answer(messages, weather, rest);
    }
    expect(cities).toEqual([{ city: "Paris" }, { city: "Rome" }, { city: "Oslo" }]);
    expect(turn.text).toMatch(/^fine 1\nfine 2\nfine 3\n/);
  });

  test("are answered if the next message repeats the request", async () => {
    const call = await answer([userMessage], weather);
    const history = [userMessage, call.message, resultMessage(call.toolCalls[0], "18 degrees")];
    const next = await answer(history, weather);
    const again = await answer([...history, next.message, userMessage], weather);
    expect(again.toolCalls).toEqual([
      { toolCallId: "offline_2", toolName: "getWeather", arguments: '{"city":"Paris"}' },
    ]);
  });
});

describe("a question", () => {
  const start = says("email bob@example.com saying I will be late");

  test("has the next message as its answer", async () => {
    const question = await answer([start], mail);
    expect(question.text).toMatch(/^For "send email" I need the subject: please tell me\./);
    const { toolCalls } = await answer([start, question.message, says("Tonight")], mail);
    expect(JSON.parse(toolCalls[0]?.arguments ?? "")).toEqual({
      to: "bob@example.com",
      subject: "Tonight",
      body: "I will be late",
    });
  });

  test("is repeated until all arguments are filled, and survives JSON", async () => {
    const messages: Message[] = [says("send a mail")];
    for (const text of ["bob@example.com", "Dinner", "See you at eight"]) {
      messages.push((await answer(messages, mail)).message, says(text));
    }
    const stored = JSON.parse(JSON.stringify(messages)) as Message[];
    const { toolCalls } = await answer(stored, mail);
    expect(JSON.parse(toolCalls[0]?.arguments ?? "")).toEqual({
      to: "bob@example.com",
      subject: "Dinner",
      body: "See you at eight",
    });
  });

  test("is dropped when the user cancels it", async () => {
    const question = await answer([start], mail);
    const last = await answer([start, question.message, says("Never mind.")], mail);
    expect(last.toolCalls).toEqual([]);
    expect(last.text).toBe("All right, I will leave it.");
  });

  test("gives way to another request", async () => {
    const first = says("What's the weather like?");
    const question = await answer([first], [...weather, ...maths]);
    const next = [first, question.message, says("what is 6 times 7?")];
    expect(await callsFor(next, [...weather, ...maths])).toEqual(['multiply {"a":6,"b":7}']);
  });

  test("is repeated if the answer does not help", async () => {
    const first = says("square root please");
    const question = await answer([first], maths);
    const again = await answer([first, question.message, says("of the big one")], maths);
    expect(again.text).toMatch(/^For "square root" I need the x/);
    expect(await callsFor([first, question.message, says("of 16")], maths)).toEqual(['squareRoot {"x":16}']);
  });
});

describe("the choice of tools", () => {
  test("none: only text", async () => {
    expect(await callsFor("weather in Paris", weather, { toolChoice: "none" })).toEqual([]);
  });

  test("required: the likeliest tool is called, without missing arguments", async () => {
    expect(await callsFor("tell me a joke", maths.slice(4), { toolChoice: "required" })).toHaveLength(1);
    expect(await callsFor("weather please", weather, { toolChoice: "required" })).toEqual(["getWeather {}"]);
  });

  test("required is satisfied once for each message", async () => {
    const userMessage = says("weather in Paris");
    const call = await answer([userMessage], weather, { toolChoice: "required" });
    const history = [userMessage, call.message, resultMessage(call.toolCalls[0], "18 degrees")];
    expect((await answer(history, weather, { toolChoice: "required" })).text).toMatch(/^18 degrees/);
  });

  test("one tool: that tool", async () => {
    const toolChoice = { tool: "subtract" };
    expect(await callsFor("10 and 3", maths, { toolChoice })).toEqual(['subtract {"a":10,"b":3}']);
  });

  test("an unknown tool is an error that lists the available ones", async () => {
    const request = answer("hello", maths, { toolChoice: { tool: "power" } });
    await expect(request).rejects.toThrow(InvalidRequestError);
    await expect(request).rejects.toThrow(/"power".*add, subtract/);
  });
});

describe("handoffs", () => {
  const empty = { type: "object", properties: {} };
  const handoff = (name: string, description: string): ToolSpec => ({
    name,
    description,
    inputSchema: empty,
  });
  const sales = handoff("transfer_to_sales", "Hands over to Sales. Takes orders.");
  const refunds = handoff("transferToRefunds", "Hands over to the agent that gives refunds.");
  const triage = handoff("transfer_to_triage", "Hands over to Triage. Helps with anything else.");
  const refundItem: ToolSpec = {
    name: "refundItem",
    description: "Refund an item.",
    inputSchema: { type: "object", properties: { itemId: { type: "integer" } }, required: ["itemId"] },
  };

  test("are chosen by agents' names and purposes, and so are functions that return agents", async () => {
    expect(await callsFor("I want to buy something", [sales, refunds])).toEqual(["transfer_to_sales {}"]);
    expect(await callsFor("my money back, please", [sales, refunds])).toEqual(["transferToRefunds {}"]);
    expect(await callsFor("can I talk to the sales people", [sales, refunds])).toEqual([
      "transfer_to_sales {}",
    ]);
  });

  test("are followed by the user's request, with the tools of the new agent", async () => {
    const userMessage = says("refund item 2");
    const first = await answer([userMessage], [sales, refunds]);
    const history = [
      userMessage,
      by("Triage", first),
      resultMessage(first.toolCalls[0], "Transferred to Refunds."),
    ];
    expect(await callsFor(history, [refundItem, triage])).toEqual(['refundItem {"itemId":2}']);
  });

  test("do not go back to an agent that has had a turn for this message", async () => {
    const userMessage = says("what about the weather?");
    const pass = await answer([userMessage], [refundItem, triage]);
    expect(pass.toolCalls[0]?.toolName).toBe("transfer_to_triage");
    const history = [
      userMessage,
      by("Refunds", pass),
      resultMessage(pass.toolCalls[0], "Transferred to Triage."),
    ];
    const last = await answer(history, [
      sales,
      handoff("transfer_to_refunds", "Weather damage and refunds."),
    ]);
    expect(last.toolCalls).toEqual([]);
    expect(last.text).toMatch(/^I found no tool that fits\./);
  });

  test("that failed are answered as errors, and not repeated", async () => {
    const userMessage = says("refund item 2");
    const first = await answer([userMessage], [sales, refunds]);
    const history = [
      userMessage,
      by("Triage", first),
      resultMessage(first.toolCalls[0], "nobody is there", true),
    ];
    expect((await answer(history, [sales, refunds])).text).toMatch(/^That did not work: nobody is there/);
  });
});

test("a very long message is read in part", async () => {
  for (const filler of ["a", "1 ", "x@", "'b ", "New York ", "a.b/"]) {
    const calls = await callsFor(`weather in Paris. ${filler.repeat(100_000)}`, weather);
    expect(calls[0]).toMatch(/^getWeather .*"city":/);
  }
});

test("a history without a user message, or with an empty one, gets a list of abilities", async () => {
  expect((await answer([], weather)).text).toMatch(/^Hello\. What I can do here:/);
  const image = { role: "user", content: [{ type: "image", url: "https://example.com/a.png" }] } as const;
  expect((await answer([image], weather)).text).toMatch(/^Hello\. What I can do here:/);
  expect((await answer("hello", [])).text).toMatch(/^Hello\. There is no tool here/);
});

describe("in a run", () => {
  afterEach(() => vi.unstubAllGlobals());

  test("it sends no request, and a call that needs approval waits for it", async () => {
    const fetch = vi.fn<typeof globalThis.fetch>();
    vi.stubGlobal("fetch", fetch);
    const refunds: unknown[] = [];
    const refund = tool({
      name: "refundOrder",
      description: "Refund an order.",
      input: { type: "object", properties: { order: { type: "integer" } }, required: ["order"] },
      approval: true,
      execute: (input) => `refund ${refunds.push(input)}`,
    });
    const agent = new Agent({ name: "Shop", model: offline(), tools: [refund] });
    const { status, pending } = await run(agent, "Refund order 7");
    expect({ status, pending }).toMatchObject({ status: "paused", pending: [{ toolName: "refundOrder" }] });
    expect(refunds).toEqual([]);
    expect(fetch).not.toHaveBeenCalled();
  });
});
