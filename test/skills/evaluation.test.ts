import { rm } from "node:fs/promises";
import MiniSearch from "minisearch";
import type { Message, ModelRequest } from "skein";
import { runEval } from "skein/evals";
import { FunctionModel, type ScriptedTurn } from "skein/testing";
import { afterAll, expect, test } from "vitest";
import { evaluation, folder } from "./evaluation.ts";

afterAll(() => rm(folder, { recursive: true, force: true }));

/** A stand-in for a model that knows nothing but words: it loads the skill whose line has most of the request's. */
const keywords = new FunctionModel((request): ScriptedTurn => {
  const last = request.messages.at(-1);
  if (last?.role === "tool") return { text: "Done." };
  const [best] = rank(request, last);
  return best === undefined ? { text: "I have no skill for that." } : load(best);
});

const load = (name: string): ScriptedTurn => ({
  toolCalls: [{ toolName: "load_skill", arguments: { name } }],
});

function rank({ instructions = "" }: ModelRequest, message: Message | undefined): readonly string[] {
  const index = new MiniSearch<{ readonly id: string; readonly line: string }>({
    fields: ["id", "line"],
    processTerm: (term) => (term.length < 3 ? null : term.toLowerCase().replace(/(?:es|s|ed|ing)$/, "")),
  });
  for (const [, id = "", line = ""] of instructions.matchAll(/^- ([\w-]+): (.*)$/gm)) index.add({ id, line });
  const words = message?.role === "user" && typeof message.content === "string" ? message.content : "";
  return index.search(words).map(({ id }) => String(id));
}

test("the line of each of twenty skills is enough for its words alone to load the right one, but for one request", async () => {
  const { summary, cases } = await runEval(evaluation, { model: keywords });
  const failed = cases.flatMap(({ name, runs }) => (runs.every(({ pass }) => pass) ? [] : [name]));
  // "Turn" is in the line of meeting-minutes: it takes more than words to know better.
  expect(failed).toEqual(["release-notes: Turn these commits into a changelog"]);
  expect(summary).toMatchObject({ runs: 40, passed: 39, errors: 0 });
});
