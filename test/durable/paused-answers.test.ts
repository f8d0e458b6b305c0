/** An answer that its provider pauses is one answer of a durable run, whichever process had which part of it. */
import { Agent } from "skein";
import { FunctionModel, type TurnLike } from "skein/testing";
import { expect, test } from "vitest";
import { all, newFile, testRuns, until } from "./test-runs.ts";

const pieces = ['{"color":', '"grey","le', 'gs":2}'];
const heron = {
  type: "object",
  properties: { color: { type: "string" }, legs: { type: "number" } },
  required: ["color", "legs"],
} as const;

/** An agent that answers in three parts, one of which may never come, and how many it was asked for. */
function clerk(missing?: number) {
  const requests: number[] = [];
  const answer = async (place: number): Promise<TurnLike> => {
    requests.push(place);
    if (place === missing) await new Promise(() => {});
    const text = pieces[place] ?? "";
    return place < 2 ? { text, shouldContinue: true } : text;
  };
  const model = new FunctionModel(({ messages }) => answer(messages.length - 1), { supportsOutput: true });
  return { requests, agent: new Agent({ name: "Clerk", model, output: heron }) };
}

test.each([1, 2])("its process may end before part %i, counted from 0", async (missing) => {
  const file = newFile();
  const first = clerk(missing);
  const before = testRuns(file, { agents: [first.agent] });
  void before.work();
  await before.start(first.agent, "Herons?", { id: "a" });
  await until(() => first.requests.length > missing);
  await before.close({ drain: 0 });
  const second = clerk();
  const after = testRuns(file, { agents: [second.agent] });
  void after.work();
  const result = await after.get("a").result();
  expect(result).toMatchObject({
    status: "completed",
    text: pieces.join(""),
    output: { color: "grey", legs: 2 },
  });
  expect(second.requests).toEqual([0, 1, 2].slice(missing));
  const events = await all(after.get("a").events());
  const deltas = events.flatMap((event) => (event.type === "text-delta" ? event.text : []));
  expect(deltas.join("")).toBe(pieces.join(""));
});
