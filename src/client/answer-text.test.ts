import { expect, test } from "vitest";
import { answerText } from "./answer-text.ts";
import type { RemoteEvent } from "./types.ts";

/** `start` and `end` of a turn, a restart from an index on, or text. */
type Step = string | { readonly restart: number };

/** Events, numbered from 0: a turn begins or ends, text comes, or the turn from an index on is void. */
async function* eventsOf(steps: readonly Step[]): AsyncGenerator<RemoteEvent, void> {
  for (const [index, step] of steps.entries()) {
    const agent = "A";
    if (typeof step !== "string") yield { type: "turn-restart", index, agent, turn: 1, from: step.restart };
    else if (step === "start") yield { type: "turn-start", index, agent, turn: 1 };
    else if (step === "end")
      yield {
        type: "turn-end",
        index,
        agent,
        turn: 1,
        message: { role: "assistant", content: [], toolCalls: [] },
        results: [],
        finishReason: "stop",
        usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
      };
    else yield { type: "text-delta", index, agent, text: step };
  }
}

function read(...steps: readonly Step[]): Promise<string[]> {
  return Array.fromAsync(answerText(eventsOf(steps)));
}

test.each<readonly [string, readonly Step[], readonly string[]]>([
  ["nothing is repeated", ["start", "One", "end", "start", "One", "end"], ["One", "One"]],
  [
    "a turn is done once more, cut in other pieces",
    ["start", "One ", "two", { restart: 0 }, "start", "O", "ne t", "wo th", "ree", "end"],
    ["One ", "two", " th", "ree"],
  ],
  [
    "it restarts twice, the second time earlier",
    ["start", "One ", "two", { restart: 0 }, "start", "One", { restart: 4 }, "start", "One two!", "end"],
    ["One ", "two", "!"],
  ],
  [
    "the turn had ended",
    ["start", "One", "end", { restart: 0 }, "start", "One", "end", "start", "Two", "end"],
    ["One", "Two"],
  ],
  [
    "a reader came after the restart",
    ["start", "One", "end", { restart: 3 }, "start", "One", "end"],
    ["One", "One"],
  ],
  ["nothing had come of the turn", ["start", { restart: 0 }, "start", "One", "end"], ["One"]],
])("the text has each word once where %s", async (_, steps, pieces) => {
  expect(await read(...steps)).toEqual(pieces);
});

test.each<readonly [string, readonly Step[]]>([
  ["other words", ["start", "One", { restart: 0 }, "start", "Two"]],
  ["more words that begin otherwise", ["start", "One", { restart: 0 }, "start", "Two and three"]],
  ["fewer words", ["start", "One two", { restart: 0 }, "start", "One", "end"]],
])("an answer that begins again with %s is an error", async (_, steps) => {
  await expect(read(...steps)).rejects.toMatchObject({ code: "turn-restart" });
});

test("a reader that has missed events does not go on behind the gap", async () => {
  async function* events(): AsyncGenerator<RemoteEvent, void> {
    yield { type: "events-dropped", index: 7, agent: "A", count: 8 };
  }
  await expect(Array.fromAsync(answerText(events()))).rejects.toMatchObject({ code: "events-dropped" });
});
