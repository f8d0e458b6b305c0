/** Long histories are made shorter before a model call: what stays, what is told, and what a session keeps. */
import { describe, expect, test } from "vitest";
import {
  Agent,
  run,
  stream,
  tool,
  type Compaction,
  type Message,
  type ModelRequest,
  type RunEvent,
} from "skein";
import { memorySession, readSession } from "skein/sessions";
import { FunctionModel, ScriptedModel } from "skein/testing";

const empty = { type: "object", properties: {} } as const;
const fetchPage = tool({ name: "fetchPage", input: empty, execute: () => "page ".repeat(200) });

/** A model that calls a tool so many times and then answers, and what it was asked. */
function caller(calls: number, usage?: (request: ModelRequest) => number) {
  const requests: (readonly Message[])[] = [];
  const model = new FunctionModel((request) => {
    requests.push([...request.messages]);
    const inputTokens = usage?.(request);
    return {
      ...(requests.length > calls ? { text: "done" } : { toolCalls: [{ toolName: "fetchPage" }] }),
      ...(inputTokens !== undefined && { usage: { inputTokens, outputTokens: 1 } }),
    };
  });
  return { model, requests };
}

/** Every call has its result before anybody speaks again. */
function assertPairs(messages: readonly Message[]): void {
  const open = new Set<string>();
  const wrong = messages.filter((message) => {
    if (message.role === "tool") return !open.delete(message.result.toolCallId);
    const isEarly = open.size > 0;
    if (message.role === "assistant") for (const { toolCallId } of message.toolCalls) open.add(toolCallId);
    return isEarly;
  });
  expect(wrong).toEqual([]);
  expect([...open]).toEqual([]);
}

async function followed(agent: Agent, input: string, compaction: Compaction) {
  const running = stream(agent, input, { compaction, maxTurns: 60 });
  const compactions: Extract<RunEvent, { type: "compaction" }>[] = [];
  for await (const event of running) if (event.type === "compaction") compactions.push(event);
  return { result: await running.result, compactions };
}

const isSummary = (message: Message): boolean => message.role === "user" && message.summaryOf !== undefined;

test("without a summary drops the oldest messages; keeps pairs whole, the user's message and the newest turns", async () => {
  const { model, requests } = caller(30);
  const agent = new Agent({ name: "A", model, tools: [fetchPage], instructions: "Be brief." });
  const { result, compactions } = await followed(agent, "Read it all", { maxTokens: 3_000 });
  expect(result).toMatchObject({ status: "completed", text: "done", warnings: [] });
  expect(compactions.length).toBeGreaterThan(1);
  for (const { before, after, dropped } of compactions) {
    expect(before).toBeGreaterThan(3_000);
    expect(after).toBeLessThan(1_500);
    expect(dropped).toBeGreaterThan(5);
  }
  for (const messages of requests) {
    assertPairs(messages);
    expect(messages.length).toBeLessThan(30);
    expect(messages[0]).toEqual({ role: "user", content: "Read it all" });
    expect(messages.filter(isSummary).length).toBeLessThan(2);
  }
  const last = requests.at(-1)!;
  expect(last.at(-1)).toMatchObject({ role: "tool", result: { toolCallId: "call_30" } });
  // What the note says has been left out, and what is there, is everything.
  const note = last.find(isSummary) as Extract<Message, { role: "user" }>;
  expect(last.length - 1 + (note.summaryOf ?? 0)).toBe(61);
  expect(note.content).toBe(`[${note.summaryOf} earlier messages were left out.]`);
  expect(result.messages).toHaveLength(61);
  assertPairs(result.messages);
});

test("up to the limit nothing changes: each request extends the one before", async () => {
  const { model, requests } = caller(10);
  const agent = new Agent({ name: "A", model, tools: [fetchPage] });
  const { compactions } = await followed(agent, "go", { maxTokens: 50_000 });
  expect(compactions).toEqual([]);
  const last = requests.at(-1)!;
  for (const messages of requests) expect(messages).toEqual(last.slice(0, messages.length));
});

test("a model sums up what goes; a later summary is made of the earlier one too; its tokens count", async () => {
  const { model } = caller(24);
  let summaries = 0;
  const prompts: string[] = [];
  const summarize = new FunctionModel(({ messages }) => {
    prompts.push(JSON.stringify(messages[0]));
    return { text: `Notes ${(summaries += 1)}`, usage: { inputTokens: 100, outputTokens: 10 } };
  });
  const agent = new Agent({ name: "A", model, tools: [fetchPage] });
  const { result, compactions } = await followed(agent, "Read", { maxTokens: 3_000, summarize });
  expect(summaries).toBe(compactions.length);
  expect(summaries).toBeGreaterThan(1);
  expect(prompts[0]).toContain("Call of fetchPage: {}");
  expect(prompts[1]).toMatch(/\[Summary of \d+ earlier messages\]\\nNotes 1\\n/);
  const summary = result.state.messages.find(isSummary);
  expect(summary?.role === "user" && summary.content).toMatch(
    new RegExp(`^\\[Summary of \\d+ earlier messages\\]\\nNotes ${summaries}$`),
  );
  expect(result.usage).toMatchObject({ inputTokens: 100 * summaries, outputTokens: 10 * summaries });
  expect(result.turns).toBe(25);
});

test("an image and a file are a word each in what is summed up, and their data is not sent", async () => {
  const { model } = caller(0);
  const data = "iVBORw0KGgo".repeat(20);
  const history: readonly Message[] = [
    {
      role: "user",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image", url: `data:image/png;base64,${data}` },
        { type: "file", url: `data:application/pdf;base64,${data}` },
      ],
    },
    { role: "assistant", content: [{ type: "text", text: "A bill. ".repeat(600) }], toolCalls: [] },
    { role: "user", content: "And now?" },
  ];
  const summarize = new ScriptedModel(["They sent a bill."]);
  const running = run(new Agent({ name: "A", model }), history, {
    compaction: { maxTokens: 1_000, summarize },
  });
  expect((await running).state.messages[0]).toMatchObject({ summaryOf: 2 });
  const material = JSON.stringify(summarize.requests[0]?.messages);
  expect(material).toContain("User: What is this?\\n[image]\\n[file]");
  expect(material).not.toContain("iVBORw0KGgo");
});

test("a function sums up; if it fails, the run warns and goes on with everything", async () => {
  const { model, requests } = caller(12);
  const agent = new Agent({ name: "A", model, tools: [fetchPage] });
  const seen: (readonly Message[])[] = [];
  const summarize = (messages: readonly Message[]) => {
    seen.push(messages);
    if (seen.length === 1) throw new Error("not today");
    return " in short ";
  };
  const { result } = await followed(agent, "Read", { maxTokens: 2_000, summarize });
  expect(result.status).toBe("completed");
  expect(result.warnings).toEqual([expect.stringContaining("not today")]);
  expect(seen[1]!.length).toBeGreaterThan(seen[0]!.length);
  assertPairs(seen[1]!);
  expect(
    requests.at(-1)!.some((message) => isSummary(message) && JSON.stringify(message).includes("\\nin short")),
  ).toBe(true);
});

test("cancelling while a summary is being made ends the run at once", async () => {
  const { model } = caller(12);
  const agent = new Agent({ name: "A", model, tools: [fetchPage] });
  const running = stream(agent, "Read", {
    compaction: {
      maxTokens: 2_000,
      summarize: () => {
        running.cancel();
        return new Promise(() => {});
      },
    },
  });
  const result = await running.result;
  expect(result).toMatchObject({ status: "cancelled", warnings: [] });
  assertPairs(result.state.messages);
});

test("old large results are replaced by a note first, and if that is enough nothing else is", async () => {
  const { model, requests } = caller(8);
  const agent = new Agent({ name: "A", model, tools: [fetchPage] });
  const compaction = { maxTokens: 2_000, pruneResults: { keepLast: 2, maxChars: 500 } };
  const { result, compactions } = await followed(agent, "Read", compaction);
  expect(compactions.every(({ dropped, pruned }) => dropped === 0 && pruned > 0)).toBe(true);
  const shown = requests.at(-1)!;
  expect(shown).toHaveLength(17);
  const texts = shown.flatMap(({ ...message }) =>
    message.role === "tool" ? [JSON.stringify(message.result.content)] : [],
  );
  expect(texts[0]).toContain("An old result of 1000 characters was left out here.");
  expect(texts.at(-2)).toContain("page page");
  // What the run gives back is what the tools gave.
  const given = result.messages.filter(({ role }) => role === "tool");
  expect(given.every((message) => JSON.stringify(message).includes("page page"))).toBe(true);
});

describe("what is counted", () => {
  test("is corrected by what the provider reports", async () => {
    const real = ({ messages }: ModelRequest): number => JSON.stringify(messages).length;
    const { model, requests } = caller(12, real);
    const agent = new Agent({ name: "A", model, tools: [fetchPage] });
    const { compactions } = await followed(agent, "Read", { maxTokens: 8_000 });
    expect(compactions.length).toBeGreaterThan(0);
    // Four times as much as is estimated: without the correction, none would have been needed.
    for (const messages of requests) expect(JSON.stringify(messages).length).toBeLessThan(10_000);
  });

  test("includes instructions and tools", async () => {
    const model = new ScriptedModel(["one"]);
    const agent = new Agent({ name: "A", model, instructions: "x".repeat(8_000) });
    const history: Message[] = Array.from({ length: 40 }, (_, index) => ({
      role: "user",
      content: `${index} ${"y".repeat(50)}`,
    }));
    await run(agent, history, { compaction: { maxTokens: 2_500 } });
    expect(model.requests[0]!.messages.length).toBeLessThan(40);
    const without = new ScriptedModel(["one"]);
    await run(agent.with({ model: without, instructions: "" }), history, {
      compaction: { maxTokens: 2_500 },
    });
    expect(without.requests[0]!.messages).toHaveLength(40);
  });

  test("counts languages without spaces by their characters, and images as images", async () => {
    const model = new FunctionModel(({ messages }) => `${messages.length}`);
    const agent = new Agent({ name: "A", model });
    const compaction = { maxTokens: 1_000 };
    const talk = (content: Extract<Message, { role: "user" }>["content"]): Message[] =>
      Array.from({ length: 10 }, () => ({ role: "user", content }));
    expect((await run(agent, talk("a".repeat(350)), { compaction })).text).toBe("10");
    expect((await run(agent, talk("鵞".repeat(350)), { compaction })).text).not.toBe("10");
    const image = { type: "image", url: "https://example.com/a.png" } as const;
    expect((await run(agent, talk([image]), { compaction })).text).not.toBe("10");
  });
});

test("system messages stay", async () => {
  const model = new ScriptedModel(["ok"]);
  const history: Message[] = [
    { role: "system", content: "House rules" },
    ...Array.from({ length: 20 }, (): Message => ({ role: "user", content: "z".repeat(400) })),
    { role: "user", content: "The question" },
  ];
  await run(new Agent({ name: "A", model }), history, { compaction: { maxTokens: 1_000, keep: 150 } });
  expect(model.requests[0]!.messages).toMatchObject([
    { role: "system", content: "House rules" },
    { role: "user", summaryOf: 19 },
    { content: "z".repeat(400) },
    { content: "The question" },
  ]);
});

test("a history that cannot be made shorter goes out as it is, with one warning", async () => {
  const { model, requests } = caller(3);
  const agent = new Agent({ name: "A", model, tools: [fetchPage], instructions: "x".repeat(20_000) });
  const { result, compactions } = await followed(agent, "Read", { maxTokens: 4_000, keep: 3_000 });
  expect(compactions).toEqual([]);
  expect(requests.at(-1)).toHaveLength(7);
  expect(result.warnings).toEqual([expect.stringContaining("4000")]);
});

test("compacts the history of an agent used as a tool, too", async () => {
  const { model, requests } = caller(12);
  const reader = new Agent({ name: "Reader", model, tools: [fetchPage] });
  const asking = new ScriptedModel([
    { toolCalls: [{ toolName: "ask", arguments: { input: "Read" } }] },
    "done",
  ]);
  const outer = new Agent({
    name: "A",
    model: asking,
    tools: [reader.asTool({ name: "ask", description: "Ask the reader." })],
  });
  const { text } = await run(outer, "go", { compaction: { maxTokens: 2_000 } });
  expect(text).toBe("done");
  expect(requests).toHaveLength(13);
  expect(requests.at(-1)!.some(isSummary)).toBe(true);
});

test("a state made shorter goes through JSON and is resumed", async () => {
  const { model } = caller(20);
  const agent = new Agent({ name: "A", model, tools: [fetchPage] });
  const compaction = { maxTokens: 2_000 };
  const first = await run(agent, "Read", { compaction, maxTurns: 15 });
  expect(first.status).toBe("max-turns");
  expect(first.state.messages.some(isSummary)).toBe(true);
  const second = await run(agent, JSON.parse(JSON.stringify(first.state)), { compaction });
  expect(second).toMatchObject({ status: "completed", text: "done", turns: 6 });
  assertPairs(second.state.messages);
  expect(first.messages.length + second.messages.length).toBe(41);
});

test("a session keeps everything and goes on with what was made of it", async () => {
  const session = memorySession();
  const { model, requests } = caller(20);
  const agent = new Agent({ name: "A", model, tools: [fetchPage] });
  const compaction = {
    maxTokens: 800,
    pruneResults: { keepLast: 1, maxChars: 300 },
    summarize: () => "short",
  };
  const { state } = await run(agent, "Read", { session, compaction, maxTurns: 30 });
  const kept = await readSession(session);
  expect(kept.messages).toHaveLength(42);
  expect(kept.messages.some(isSummary)).toBe(false);
  assertPairs(kept.messages);
  expect(kept.state?.messages).toEqual(state.messages);
  expect(state.messages.length).toBeLessThan(42);
  const { entries } = await session.load();
  const compactions = entries.filter(({ type }) => type === "compaction");
  expect(compactions.length).toBeGreaterThan(1);
  // Later runs see the same, and add to both.
  requests.length = 0;
  await run(
    agent.with({ model: new FunctionModel((request) => (requests.push([...request.messages]), "yes")) }),
    "And?",
    { session },
  );
  expect(requests[0]).toEqual([...state.messages, { role: "user", content: "And?" }]);
  expect((await readSession(session)).messages).toHaveLength(44);
});

test("a summary is kept though the model call it was made for fails", async () => {
  const session = memorySession();
  const { model } = caller(12);
  let summaries = 0;
  const summarize = () => `Notes ${(summaries += 1)}`;
  const failing = new FunctionModel((request) => {
    if (request.messages.some(isSummary)) throw new Error("out of order");
    return { toolCalls: [{ toolName: "fetchPage" }] };
  });
  const compaction = { maxTokens: 2_000, summarize };
  const agent = new Agent({ name: "A", model: failing, tools: [fetchPage] });
  await expect(run(agent, "Read", { session, compaction })).rejects.toThrow("out of order");
  const { messages } = await run(agent.with({ model }), [], { session });
  expect(summaries).toBe(1);
  expect(messages.length).toBeGreaterThan(0);
  expect((await readSession(session)).state?.messages.some(isSummary)).toBe(true);
});

test("a history of 200,000 messages is made shorter, and kept", async () => {
  const session = memorySession();
  const model = new FunctionModel(({ messages }) => `${messages.length}`);
  const agent = new Agent({ name: "A", model });
  const history = Array.from({ length: 200_000 }, (): Message => ({ role: "user", content: "hm" }));
  await run(agent, history, { session });
  const { text } = await run(agent, "And?", { session, compaction: { maxTokens: 1_000 } });
  expect(Number(text)).toBeLessThan(200);
  expect((await readSession(session)).messages).toHaveLength(200_003);
});

test("a crash right after a history was made shorter loses nothing", async () => {
  const session = memorySession();
  const { model } = caller(20);
  const agent = new Agent({ name: "A", model, tools: [fetchPage] });
  await run(agent, "Read", { session, compaction: { maxTokens: 2_000 }, maxTurns: 30 });
  const { entries } = await session.load();
  const place = entries.findIndex(({ type }) => type === "compaction");
  expect(place).toBeGreaterThan(0);
  for (const length of [place, place + 1, place + 2]) {
    const found = memorySession();
    await found.append(entries.slice(0, length));
    const { text } = await run(agent, [], { session: found });
    expect(text).toBe("done");
    assertPairs((await readSession(found)).messages);
  }
});

test.each<[string, Compaction]>([
  ["maxTokens", { maxTokens: 0 }],
  ["keep", { maxTokens: 10, keep: 10 }],
  ["summarize", { summarize: {} as never }],
  ["keepFirst", { keepFirst: 1 } as never],
  ["keepLasst", { pruneResults: { keepLasst: 1 } as never }],
  ["pruneResults.maxChars", { pruneResults: { maxChars: 1 } }],
  ["pruneResults.maxChars, not a number", { pruneResults: { maxChars: Number.NaN } }],
  ["pruneResults.keepLast", { pruneResults: { keepLast: -1 } }],
  ["maxTokens, with no room for a request", { maxTokens: 1 }],
])("an invalid value of %s is a typed error before any model call", async (_, compaction) => {
  const model = new ScriptedModel([]);
  const running = run(new Agent({ name: "A", model }), "go", { compaction });
  await expect(running).rejects.toMatchObject({ code: "invalid-option" });
  expect(model.requests).toEqual([]);
});

test.each(["length", "content-filter", "error"] as const)(
  "a summary that ended with %s leaves the history as it is, and the run warns",
  async (finishReason) => {
    const summarize = new ScriptedModel([{ text: "HALF A SENT", finishReason }]);
    const model = new ScriptedModel(["done"]);
    const words = "word ".repeat(2_000);
    const history = [
      { role: "user", content: words },
      { role: "assistant", content: [{ type: "text", text: words }], toolCalls: [] },
      { role: "user", content: "And now?" },
    ] as const;
    const { warnings } = await run(new Agent({ name: "A", model }), [...history], {
      compaction: { maxTokens: 1_000, summarize },
    });
    expect(JSON.stringify(model.requests[0]?.messages)).not.toContain("HALF A SENT");
    expect(warnings.join()).toContain(`the summary did not end (${finishReason})`);
  },
);
