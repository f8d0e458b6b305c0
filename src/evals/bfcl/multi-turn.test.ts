import { describe, expect, test } from "vitest";
import { FunctionModel, type ScriptedToolCall } from "../../testing/index.ts";
import { isPlainObject } from "../../base/util/json.ts";
import type { RunRecord } from "../results.ts";
import { runEval } from "../run-eval.ts";
import { perfectModel } from "../stand-ins/perfect-model.ts";
import { bfcl, type BfclOptions } from "./bfcl.ts";
import { multiTurn } from "./fixtures/files.ts";
import type { BfclWorld } from "./multi-turn.ts";

/** What the functions of the files do. */
const cupboard: BfclWorld = ({ initialConfig }) => {
  const config = isPlainObject(initialConfig) ? initialConfig["Cupboard"] : undefined;
  let cups = isPlainObject(config) ? Number(config["cups"]) : 0;
  return {
    call(name, { count }) {
      if (name === "put") cups += Number(count);
      if (name === "take") cups -= Number(count);
      return name === "look" ? { cups } : "ok";
    },
    state: () => cups,
  };
};

/** Says and calls in each turn what is given for it. */
async function played(
  files: BfclOptions,
  ...turns: readonly (readonly ScriptedToolCall[])[]
): Promise<RunRecord | undefined> {
  const left = turns.map((calls) => [...calls]);
  const model = new FunctionModel(({ messages }) => {
    const turn = messages.filter(({ role }) => role === "user").length - 1;
    const next = left[turn]?.shift();
    return next ? { toolCalls: [next] } : "Done.";
  });
  const result = await runEval(bfcl({ ...files, questions: files.questions.split("\n")[0] ?? "" }), {
    model,
  });
  return result.cases[0]?.runs[0];
}

const put = (count: number): ScriptedToolCall => ({ toolName: "put", arguments: { count } });
const take: ScriptedToolCall = { toolName: "take", arguments: { count: 1 } };
const look: ScriptedToolCall = { toolName: "look" };
const inTheWorld: BfclOptions = { ...multiTurn, world: cupboard };

describe("a conversation of several turns", () => {
  test("has functions from the turn on that they are added at, and none that are left out", async () => {
    const offered: string[][] = [];
    const model = new FunctionModel(({ tools = [] }) => {
      offered.push(tools.map(({ name }) => name).sort());
      return "…";
    });
    await runEval(bfcl({ ...multiTurn, questions: multiTurn.questions.split("\n")[0] ?? "" }), { model });
    expect(offered).toEqual([
      ["look", "put"],
      ["look", "put"],
      ["look", "put", "take"],
      ["look", "put", "take"],
    ]);
  });

  test("is right where each turn's calls are made, in any order, with or without defaults", async () => {
    const run = await played(multiTurn, [look, put(2)], [], [take], [look]);
    expect(run?.scores).toEqual([{ scorer: "bfcl", score: 1, pass: true }]);
  });

  test.each([
    [
      "another argument",
      [[put(3), look], [], [take], [look]],
      'turn 1: put({"count":2,"kind":"cup"}) is not called',
    ],
    ["no call where there is one to make", [[put(2), look], [], [], [look]], "turn 3: no call is made"],
    ["a call where nothing can be done", [[put(2), look], [look], [take], [look]], "turn 2: look called"],
  ])("is wrong with %s", async (_, turns, reason) => {
    const run = await played(multiTurn, ...turns);
    expect(run?.scores[0]?.reason).toContain(reason);
  });
});

describe("with what the functions do", () => {
  test("the right calls lead to the right states", async () => {
    const { summary } = await runEval(bfcl(inTheWorld), { model: perfectModel });
    expect(summary.passRate).toBe(1);
  });

  test("a turn of many calls is passed, in their order", async () => {
    const count = 30;
    const [first = ""] = multiTurn.questions.split("\n").slice(1);
    const puts = Array.from({ length: count }, (_, index) => [`put(count=${index + 1})`, "look()"]).flat();
    const files = {
      ...inTheWorld,
      questions: first,
      answers: JSON.stringify({ id: "multi_turn_base_1", ground_truth: [puts] }),
    };
    const { cases } = await runEval(bfcl(files), { model: perfectModel });
    expect(cases[0]?.runs[0]).toMatchObject({ pass: true, status: "completed", turns: 2 });
  });

  test("another way to the same state is right, too", async () => {
    const run = await played(inTheWorld, [put(1), put(1), look], [], [take], [look]);
    expect(run?.scores).toEqual([{ scorer: "bfcl", score: 1, pass: true }]);
  });

  test.each([
    ["another state after a turn", [[put(3), look], [], [take], [look]], "turn 1: the state is not what"],
    [
      "a result that was to be seen",
      [[put(2)], [], [take], [look]],
      'turn 1: no call had the result {"cups":3}',
    ],
  ])("%s is wrong", async (_, turns, reason) => {
    const run = await played(inTheWorld, ...turns);
    expect(run?.scores[0]?.reason).toContain(reason);
  });
});
