import { describe, expect, test } from "vitest";
import { generate, SkeinError, type AssistantMessage, type Message } from "skein";
import { streamed } from "./answers.ts";
import { serve } from "./local-server.ts";
import { modelOver, protocols, type Protocol } from "./protocols.ts";
import { areRecordingsHere, noRecordings, recordings } from "./recordings.ts";
import { problemsOf } from "./rules.ts";

if (!areRecordingsHere) console.info(noRecordings);

/** A conversation around an answer: each of its calls has a result, every other one an error. */
function historyAround(message: AssistantMessage): Message[] {
  const results = message.toolCalls.map(({ toolCallId, toolName }, index): Message => {
    const isError = index % 2 === 1;
    const content = [{ type: "text", text: "A result." }] as const;
    return {
      role: "tool",
      result: { toolCallId, toolName, content, isError, outcome: isError ? "error" : "success" },
    };
  });
  return [{ role: "user", content: "Hello" }, message, ...results, { role: "user", content: "And now?" }];
}

/** The long strings in which a provider seals its reasoning: signatures, encrypted content. */
function sealsIn(message: AssistantMessage): string[] {
  const seals: string[] = [];
  for (const part of message.content) {
    if (!("providerData" in part) || !part.providerData) continue;
    if (part.type !== "reasoning" && part.providerData.provider !== "google") continue;
    JSON.stringify(part.providerData.data, (key, value: unknown) => {
      const isSeal = ["signature", "data", "encrypted_content", "thoughtSignature"].includes(key);
      if (isSeal && typeof value === "string" && value.length > 20) seals.push(value);
      return value;
    });
  }
  return seals;
}

type NamedAnswer = readonly [name: string, message: AssistantMessage];

const read = new Map<Protocol, Promise<readonly NamedAnswer[]>>();

/** All answers of a protocol that are whole, read by the adapter once. */
function answersOf(protocol: Protocol): Promise<readonly NamedAnswer[]> {
  const answers = read.get(protocol) ?? readAnswers(protocol);
  read.set(protocol, answers);
  return answers;
}

async function readAnswers(protocol: Protocol): Promise<readonly NamedAnswer[]> {
  const all = recordings(protocol);
  await using server = await serve((index) => all[index]?.reply ?? { pieces: [] });
  const model = modelOver(protocol, server);
  const answers: NamedAnswer[] = [];
  for (const { name } of all) {
    // Some recordings are of failures: they have no message to replay.
    const request = { messages: "Hello", settings: { maxRetries: 0 } };
    const answer = await generate(model, request).catch((error: unknown) => error);
    if (answer instanceof SkeinError) continue;
    if (answer instanceof Error) throw new Error(`${name} was not read`, { cause: answer });
    const { message } = Object(answer);
    answers.push([name, JSON.parse(JSON.stringify(message))]);
  }
  return answers;
}

describe.skipIf(!areRecordingsHere).each(protocols)("what was recorded of %s", (from) => {
  test.each(protocols)(
    "replays on %s by its rules, reasoning sealed for its own provider alone",
    async (to) => {
      const answers = await answersOf(from);
      expect(answers.length).toBeGreaterThan(20);
      await using server = await serve(() => streamed(to, { id: "next", text: "Fine." }));
      const model = modelOver(to, server);
      let sealCount = 0;
      for (const [name, message] of answers) {
        const { text } = await generate(model, { messages: historyAround(message) });
        const sent = server.received.at(-1);
        expect(text).toBe("Fine.");
        expect([name, ...problemsOf(to, sent?.body ?? {})]).toEqual([name]);
        const seals = sealsIn(message);
        sealCount += seals.length;
        const kept = seals.filter((seal) => sent?.text.includes(JSON.stringify(seal)));
        expect([name, ...kept]).toEqual(from === to ? [name, ...seals] : [name]);
      }
      expect(sealCount).toBeGreaterThanOrEqual(from === "chat" ? 0 : 5);
    },
  );
});
