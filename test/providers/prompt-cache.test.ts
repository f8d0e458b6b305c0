/** How much of what could be read from a provider's cache is read, by the rules of each provider, over runs of 30 turns. */
import { describe, expect, test } from "vitest";
import { Agent, run, tool, type Model, type ModelSettings, type RunResult } from "skein";
import { eventsOf, framed, type Answer } from "./answers.ts";
import {
  AnthropicCache,
  BreakpointCache,
  type CacheUse,
  GoogleCache,
  OpenAICache,
  type PromptCache,
} from "./prompt-caches.ts";
import { modelOver, type Protocol } from "./protocols.ts";
import { type Body, problemsOf } from "./rules.ts";

const hosts = {
  messages: "https://api.anthropic.com",
  chat: "https://api.openai.com",
  responses: "https://api.openai.com",
  google: "https://generativelanguage.googleapis.com",
} as const satisfies Record<Protocol, string>;

/** A provider that counts what its cache reads. */
interface Provider {
  readonly model: Model;
  readonly bodies: Body[];
  readonly uses: CacheUse[];
}

/** The usage of an answer in the form of every protocol at once. */
function usageOf({ input, read, written }: CacheUse): Readonly<Record<"usage" | "usageMetadata", Body>> {
  const details = { cached_tokens: read, cache_write_tokens: written };
  const openai = { prompt_tokens: input, completion_tokens: 9, prompt_tokens_details: details };
  const responses = {
    input_tokens: input,
    output_tokens: 9,
    total_tokens: input + 9,
    input_tokens_details: details,
  };
  const anthropic = { cache_read_input_tokens: read, cache_creation_input_tokens: written };
  return {
    usage: { ...openai, ...responses, ...anthropic },
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: 9, cachedContentTokenCount: read },
  };
}

function provider(
  protocol: Protocol,
  cache: PromptCache,
  answerTo: (index: number) => Answer,
  modelId?: string,
): Provider {
  const bodies: Body[] = [];
  const uses: CacheUse[] = [];
  const fetch: typeof globalThis.fetch = (_, init) => {
    const body: Body = JSON.parse(typeof init?.body === "string" ? init.body : "{}");
    const use = cache.send(body);
    bodies.push(body);
    uses.push(use);
    const usages: Record<string, Body> = usageOf(use);
    if (protocol === "messages")
      usages["usage"] = { ...usages["usage"], input_tokens: use.input - use.read - use.written };
    const events = eventsOf(protocol, answerTo(bodies.length - 1)).map((event): Body =>
      JSON.parse(JSON.stringify(event, (name, value: unknown) => usages[name] ?? value)),
    );
    const text = framed(protocol, events).join("");
    return Promise.resolve(new Response(text, { headers: { "content-type": "text/event-stream" } }));
  };
  const model = modelOver(protocol, { url: hosts[protocol], fetch, ...(modelId && { modelId }) });
  return { model, bodies, uses };
}

const long = "The birds of the fens, by season and by song. ".repeat(100);

function look(name: string): ReturnType<typeof tool> {
  return tool<{ step: number }>({
    name,
    description: `Look for birds. ${long}`,
    input: { type: "object", properties: { step: { type: "integer" } }, required: ["step"] },
    execute: ({ step }) => `Seen in step ${step}: ${"a heron, ".repeat(40)}`,
  });
}

/** Between one and four calls a turn, 30 in the tenth; at `handoffs`, the lead goes to the other agent. */
function turn(index: number, turns: number, handoffs: Readonly<Record<number, string>> = {}): Answer {
  if (index >= turns - 1) return { id: `end${index}`, text: "Done." };
  const next = handoffs[index];
  const count = next !== undefined ? 1 : index === 10 ? 30 : 1 + (index % 4);
  const calls = Array.from({ length: count }, (_, call) => ({
    id: `call_${index}_${call}`,
    name: next === undefined ? "look" : `transfer_to_${next}`,
    arguments: next === undefined ? JSON.stringify({ step: index }) : "{}",
  }));
  return {
    id: `turn${index}`,
    reasoning: `Thought ${index}.`,
    ...(index % 2 && { text: `Turn ${index}.` }),
    calls,
  };
}

async function runOf(model: Model, settings?: ModelSettings, input = "Go."): Promise<RunResult> {
  const second: Agent = new Agent({
    name: "second",
    instructions: `You are the second. ${long}`,
    tools: [look("look")],
    handoffs: () => [first],
    ...(settings && { settings }),
  });
  const first: Agent = new Agent({
    name: "first",
    instructions: `You are the first. ${long}`,
    tools: [look("look"), look("other")],
    handoffs: [second],
    ...(settings && { settings }),
  });
  const outcome = await run(first, input, { model, maxTurns: 40 });
  expect(outcome).toMatchObject({ status: "completed" });
  return outcome;
}

function total(uses: readonly CacheUse[], name: keyof CacheUse): number {
  return uses.reduce((sum, use) => sum + use[name], 0);
}

function shareOf(uses: readonly CacheUse[]): number {
  return total(uses, "read") / total(uses, "possible");
}

const caches: readonly [string, Protocol, () => PromptCache, string?][] = [
  ["Anthropic", "messages", () => new AnthropicCache()],
  ["Anthropic, from 4,096 tokens on", "messages", () => new AnthropicCache(4096), "claude-haiku-4-5"],
  ["Chat Completions", "chat", () => new OpenAICache("chat")],
  ["Responses", "responses", () => new OpenAICache("responses")],
  ["Responses, GPT-5.6 and later", "responses", () => new BreakpointCache(), "gpt-6.1-sol"],
  ["Gemini", "google", () => new GoogleCache()],
];

describe.each(caches)("%s", (_, protocol, cacheOf, modelId) => {
  test("at least 95% of what could be read is read, over 30 turns with a handoff", async () => {
    const { model, uses, bodies } = provider(
      protocol,
      cacheOf(),
      (index) => turn(index, 30, { 14: "second" }),
      modelId,
    );
    const { stats, usage } = await runOf(model);
    expect(uses).toHaveLength(30);
    expect(shareOf(uses)).toBeGreaterThan(0.95);
    expect(usage.cachedInputTokens).toBe(total(uses, "read"));
    expect(stats.cachedInputShare).toBeCloseTo(total(uses, "read") / total(uses, "input"));
    expect(bodies.flatMap((body) => problemsOf(protocol, body))).toEqual([]);
  });

  test("a conversation of ten runs reads from the cache, too", async () => {
    const { model, uses } = provider(
      protocol,
      cacheOf(),
      (index) => (index % 3 === 2 ? { id: `end${index}`, text: "Done." } : turn(index % 10, 30)),
      modelId,
    );
    const agent = new Agent({ name: "A", model, instructions: long, tools: [look("look")] });
    let messages: RunResult["messages"] = [];
    for (let index = 0; index < 10; index++) {
      const { state } = await run(agent, [...messages, { role: "user", content: `Question ${index}` }]);
      messages = JSON.parse(JSON.stringify(state.messages));
    }
    expect(uses).toHaveLength(30);
    expect(shareOf(uses)).toBeGreaterThan(0.95);
  });
});

test("Anthropic: without breakpoints nothing is read", async () => {
  const { model, uses, bodies } = provider("messages", new AnthropicCache(), (index) => turn(index, 5));
  const { stats } = await runOf(model, { cache: false });
  expect(total(uses, "read")).toBe(0);
  expect(stats.cachedInputShare).toBe(0);
  expect(JSON.stringify(bodies)).not.toContain("cache_control");
});

test("Anthropic: an agent that has the lead again reads its instructions and tools", async () => {
  const { model, uses } = provider("messages", new AnthropicCache(), (index) =>
    turn(index, 30, { 9: "second", 19: "first" }),
  );
  await runOf(model);
  expect(uses[20]?.read).toBeGreaterThan(1024);
  expect(shareOf(uses)).toBeGreaterThan(0.95);
});

test.each(["chat", "responses"] as const)(
  "%s: each conversation has one key, and others have others",
  async (protocol) => {
    const { model, bodies } = provider(
      protocol,
      new OpenAICache(protocol),
      (index) => turn(index % 4, 4, { 1: "second" }),
      "gpt-6.1-sol",
    );
    await runOf(model, undefined, "Go.");
    await runOf(model, undefined, "Go on.");
    const keys = bodies.map(({ prompt_cache_key: key }) => String(key));
    expect(keys).toHaveLength(8);
    expect(new Set(keys.slice(0, 4)).size).toBe(1);
    expect(new Set(keys.slice(4)).size).toBe(1);
    expect(new Set(keys).size).toBe(2);
  },
);

test("OpenAI from GPT-5.6 on: nothing is written to the cache if it is off", async () => {
  const { model, uses } = provider(
    "responses",
    new BreakpointCache(),
    (index) => turn(index, 5),
    "gpt-6.1-sol",
  );
  await runOf(model, { cache: false });
  expect(total(uses, "written")).toBe(0);
});
