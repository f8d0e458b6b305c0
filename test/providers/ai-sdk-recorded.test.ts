/** Recorded answers mean the same through the AI SDK as they do to Skein's own adapters, and replay on both. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { generate, SkeinError, type Generation, type Message, type Model } from "skein";
import { piecesOf } from "./ai-sdk-answers.ts";
import { lineup, type Contender } from "./lineup.ts";
import { serve } from "./local-server.ts";

const folder = fileURLToPath(new URL("../../../shared/wire/", import.meta.url));
const isHere = existsSync(folder);
if (!isHere) console.info("Skipped: there are no recorded exchanges beside this checkout.");

/** Recordings that the two read otherwise, on purpose, and why. */
const others: readonly RegExp[] = [
  // Tools that the provider defines and the client executes are calls to the AI SDK, and the provider's own to Skein.
  /apply-patch|custom-tool|local-shell|shell-tool|client_tool_search/,
  // Two answers in one stream: Skein reads the second, the AI SDK the first, or none.
  /tool-search-bm25|spliced-message-start/,
];

interface Recording {
  readonly name: string;
  readonly stream: string;
}

/** The recorded streams of a protocol. Events that were recorded without their envelope get one. */
function recordings(protocol: string, host: RegExp): Recording[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return files.flatMap((name): Recording[] => {
    if (!name.replace("events/", "").startsWith(`${protocol}/`) || !host.test(name)) return [];
    if (!/\.(?:sse|txt)$/.test(name) || others.some((other) => other.test(name))) return [];
    const text = readFileSync(folder + name, "utf8");
    if (name.endsWith(".sse")) return [{ name, stream: text }];
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return [{ name, stream: lines.map((line) => `data: ${line}\n\n`).join("") }];
  });
}

function contender(name: string): Contender {
  const found = lineup.find((entry) => entry.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

/** What an answer came to, or the kind of error that it was. */
async function read(model: Model): Promise<Generation | string> {
  const answer = await generate(model, { messages: "Hello", settings: { maxRetries: 0 } }).catch(errorName);
  return answer;
}

function errorName(error: unknown): string {
  if (error instanceof SkeinError) return error.name;
  throw error;
}

/** What has to be the same. Figures that a provider did not report are 0 to the AI SDK. */
function gist(answer: Generation | string): unknown {
  if (typeof answer === "string") return answer;
  const { text, toolCalls, finishReason, usage } = answer;
  const { inputTokens, outputTokens, totalTokens, cachedInputTokens = 0, reasoningTokens = 0 } = usage;
  const calls = toolCalls.map((call) => [call.toolName, call.arguments]);
  const counts = { inputTokens, outputTokens, totalTokens, cachedInputTokens, reasoningTokens };
  return { text, calls, finishReason, counts };
}

/** A conversation around an answer. */
function historyAround({ message }: Generation): Message[] {
  const results = message.toolCalls.map(({ toolCallId, toolName }): Message => {
    const content = [{ type: "text", text: "A result." }] as const;
    return { role: "tool", result: { toolCallId, toolName, content, isError: false, outcome: "success" } };
  });
  return [{ role: "user", content: "Hello" }, message, ...results, { role: "user", content: "And now?" }];
}

/** The long strings in which a provider seals its reasoning: signatures, encrypted content. */
function sealsIn({ message }: Generation): string[] {
  const seals: string[] = [];
  const reasoning = message.content.filter(({ type }) => type === "reasoning");
  JSON.stringify(reasoning, (key, value: unknown) => {
    const isSeal = ["signature", "redactedData", "reasoningEncryptedContent"].includes(key);
    if (isSeal && typeof value === "string" && value.length > 20) seals.push(value);
    return value;
  });
  return seals;
}

describe.skipIf(!isHere).each([
  ["messages", "ai-sdk anthropic", /./, 5],
  ["responses", "ai-sdk openai", /./, 5],
  ["chat", "ai-sdk mistral", /mistral/, 2],
] as const)("what was recorded of %s", (protocol, name, host, least) => {
  const all = isHere ? recordings(protocol, host) : [];

  test(`is the same to ${name}, and replays with its reasoning on it and without on the others`, async () => {
    expect(all.length).toBeGreaterThanOrEqual(least);
    let sealCount = 0;
    for (const { name: file, stream } of all) {
      await using server = await serve(() => ({ pieces: [stream] }));
      const own = await read(contender(protocol).model(server.url));
      const answer = await read(contender(name).model(server.url));
      expect([file, gist(answer)]).toEqual([file, gist(own)]);
      if (typeof answer === "string") continue;
      const seals = sealsIn(answer);
      sealCount += seals.length;
      for (const target of lineup) {
        const sent = await replay(target, answer);
        const kept = seals.filter((seal) => sent.includes(seal));
        expect([file, target.name, kept.length]).toEqual([
          file,
          target.name,
          target.name === name ? seals.length : 0,
        ]);
      }
    }
    expect(sealCount).toBeGreaterThanOrEqual(protocol === "chat" ? 0 : 3);
  });
});

async function replay(target: Contender, answer: Generation): Promise<string> {
  const { wire, model, settings = {} } = target;
  await using server = await serve(() => ({ pieces: piecesOf(wire, { id: "next", text: "Fine." }) }));
  const messages = historyAround(JSON.parse(JSON.stringify(answer)));
  const { text } = await generate(model(server.url), { messages, settings: { ...settings, maxRetries: 0 } });
  expect(text).toBe("Fine.");
  return server.received[0]?.text ?? "";
}
