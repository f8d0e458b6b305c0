import { expect, test } from "vitest";
import { Agent, run, tool, type Message } from "skein";
import { streamed, type Answer } from "../providers/answers.ts";
import { serve } from "../providers/local-server.ts";
import { modelOver, protocols, type Protocol } from "../providers/protocols.ts";
import { problemsOf } from "../providers/rules.ts";
import { flawsOf, noting, number } from "./kit.ts";

const turns = 12;

/** Each answer has reasoning, and calls two tools at once. */
function answer(index: number): Answer {
  if (index === turns) return { id: "end", text: "Done." };
  const calls = ["read", "look"].map((name) => ({
    id: `${name}_${index}`,
    name,
    arguments: `{"n":${index}}`,
  }));
  return { id: `turn${index}`, reasoning: `Thought ${index}.`, calls };
}

const read = tool({ name: "read", input: number, execute: () => "a long page ".repeat(60) });

/** A whole run, its history made shorter where that is asked for. */
async function converse(protocol: Protocol, maxTokens?: number) {
  await using server = await serve((index) => ({
    // Without it, tokens are estimated.
    pieces: streamed(protocol, answer(index)).pieces.map((piece) =>
      piece.replace(/"(usage(?:Metadata)?)":\{[^}]*\}/, '"$1":null'),
    ),
  }));
  const agent = new Agent({
    name: "A",
    model: modelOver(protocol, server),
    tools: [read, noting([], "look")],
  });
  const options = maxTokens === undefined ? {} : { compaction: { maxTokens } };
  const { text, state } = await run(agent, "Go.", options);
  expect(text).toBe("Done.");
  return { bodies: server.received.map(({ body }) => body), messages: state.messages };
}

test.each(protocols)("a history made shorter has no half of a pair: %s", async (protocol) => {
  const { bodies, messages } = await converse(protocol, 1_500);
  expect(messages.length).toBeLessThan(3 * turns);
  expect(flawsOf(messages)).toEqual([]);
  expect(bodies).toHaveLength(turns + 1);
  expect(bodies.flatMap((body) => problemsOf(protocol, body))).toEqual([]);
});

test.each(protocols)(
  "whatever a program leaves out of a history, no half of a pair is sent: %s",
  async (to) => {
    const { messages } = await converse("responses");
    const own = thoughtsOf((await converse(to)).messages.slice(0, -1));
    const words: Message = { role: "user", content: "And now?" };
    for (let left = 1; left < 8; left++) {
      for (const rest of [
        messages.slice(left),
        messages.slice(0, left),
        messages.toSpliced(left, 1),
        thoughtsOf(messages),
        own,
        own.map(afterWords),
      ]) {
        await using server = await serve(() => streamed(to, { id: "next", text: "Fine." }));
        const agent = new Agent({ name: "A", model: modelOver(to, server), tools: [read] });
        expect((await run(agent, [...rest, words])).text).toBe("Fine.");
        const problems = server.received.flatMap(({ body }) => problemsOf(to, body));
        expect({ left, problems }).toEqual({ left, problems: [] });
      }
    }
  },
);

/** An answer that says something before it thinks, and then does nothing. */
function afterWords(message: Message): Message {
  if (message.role !== "assistant") return message;
  return { ...message, content: [{ type: "text", text: "One moment." }, ...message.content] };
}

/** What is left of a history without calls and results: the reasoning that led to them, alone. */
function thoughtsOf(messages: readonly Message[]): Message[] {
  return messages.flatMap((message): Message[] => {
    if (message.role === "tool") return [];
    if (message.role !== "assistant") return [message];
    return [
      { ...message, toolCalls: [], content: message.content.filter(({ type }) => type !== "tool-call") },
    ];
  });
}
