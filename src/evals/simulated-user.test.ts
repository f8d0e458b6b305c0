import { describe, expect, test } from "vitest";
import { ScriptedModel, type TurnLike } from "../testing/index.ts";
import { defineEval } from "./define-eval.ts";
import type { RunRecord } from "./results.ts";
import { runEval } from "./run-eval.ts";
import { shopTeam } from "./test-shop.ts";
import { saidBy } from "./test-transcript.ts";
import type { EvalCase, SimulatedUser } from "./types.ts";

const refund = (order: number): TurnLike => ({ toolCalls: [{ toolName: "refund", arguments: { order } }] });
const toRefunds: TurnLike = { toolCalls: [{ toolName: "transfer_to_refunds" }] };

/** One conversation about refunds in a shop of its own. */
async function talk(
  given: Pick<EvalCase, "input" | "user" | "state">,
  turns: readonly TurnLike[],
  judge?: ScriptedModel,
): Promise<RunRecord | undefined> {
  const evaluation = defineEval({
    agent: shopTeam().triage,
    setup: () => {
      const { triage, shop } = shopTeam();
      return { agent: triage, state: () => shop.refunded };
    },
    cases: [{ state: [7], ...given }],
    ...(judge && { judge }),
  });
  const { cases } = await runEval(evaluation, { model: new ScriptedModel(turns) });
  return cases[0]?.runs[0];
}

/** What was said, in order. */
function lines(run: RunRecord | undefined): readonly string[] {
  return (run?.messages ?? []).flatMap((message) => {
    if (message.role === "user") return [`user: ${saidBy(message)}`];
    const text =
      message.role === "assistant" ? message.content.map((part) => ("text" in part ? part.text : "")) : [];
    return text.join("") === "" ? [] : [`agent: ${text.join("")}`];
  });
}

describe("a user", () => {
  test("with a script says its lines, one after each answer", async () => {
    const run = await talk({ input: "Money back!", user: ["Order 7", "Thanks"] }, [
      toRefunds,
      "Which order?",
      refund(7),
      "Done.",
      "Bye.",
    ]);
    expect(lines(run)).toEqual([
      "user: Money back!",
      "agent: Which order?",
      "user: Order 7",
      "agent: Done.",
      "user: Thanks",
      "agent: Bye.",
    ]);
    expect(run).toMatchObject({ pass: true, agent: "Refunds", turns: 5, state: { before: [], after: [7] } });
  });

  test("that is a function receives the agent's answers", async () => {
    const user: SimulatedUser = ({ text }) => (text.endsWith("?") ? `Number ${text.length}` : undefined);
    const run = await talk({ input: "Money back!", user }, [toRefunds, "Which?", refund(7), "Done."]);
    expect(lines(run)).toEqual(["user: Money back!", "agent: Which?", "user: Number 6", "agent: Done."]);
  });

  test("that never ends is an error after a hundred messages", async () => {
    const answers = Array.from({ length: 101 }, () => "Yes?");
    const run = await talk({ input: "Hello", user: () => "More." }, answers);
    expect(JSON.stringify(run)).toContain(
      "the user has said 100 messages. Return undefined to end the conversation",
    );
  });

  test("that is a list says all of its lines, also behind an empty one", async () => {
    const run = await talk({ user: ["Money back!", "", "Order 7"] }, [
      toRefunds,
      "Which?",
      "Hello?",
      "Done.",
    ]);
    expect(lines(run).filter((line) => line.startsWith("user"))).toEqual([
      "user: Money back!",
      "user: ",
      "user: Order 7",
    ]);
  });

  test("that is a function ends the conversation with an empty text, too", async () => {
    const run = await talk({ input: "Money back!", user: () => "" }, [toRefunds, "Which?"]);
    expect(lines(run)).toEqual(["user: Money back!", "agent: Which?"]);
  });

  test("with a goal begins, sees the other side of the conversation, and says that the goal is met", async () => {
    const player = new ScriptedModel([
      "I want my money back",
      "Order 7",
      { toolCalls: [{ toolName: "end_conversation", arguments: { outcome: "met" } }] },
    ]);
    const user = { goal: "Your money back for order 7.", persona: "You are Ada.", model: player };
    const run = await talk({ user }, [toRefunds, "Which order?", refund(7), "Done."]);
    expect(run).toMatchObject({ pass: true, goal: "met" });
    expect(run?.scores.map(({ scorer }) => scorer)).toEqual(["state", "goal"]);
    player.assertComplete();
    const last = player.requests.at(-1);
    expect(last?.instructions).toContain("Your money back for order 7.");
    expect(last?.instructions).toContain("You are Ada.");
    expect(last?.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
    ]);
  });

  test("with a goal may give it up, which fails the goal and the state", async () => {
    const judge = new ScriptedModel([
      "I want my money back",
      { toolCalls: [{ toolName: "end_conversation", arguments: { outcome: "given-up" } }] },
    ]);
    const run = await talk({ user: { goal: "Your money back." } }, ["No."], judge);
    expect(run).toMatchObject({ pass: false, goal: "given-up" });
    expect(run?.scores.map(({ pass }) => pass)).toEqual([false, false]);
  });

  test("with a goal talks no longer than allowed", async () => {
    const model = new ScriptedModel(["Please!", "Please!"]);
    const run = await talk({ user: { goal: "Your money back.", maxMessages: 2, model } }, ["No.", "No!"]);
    expect(lines(run)).toEqual(["user: Please!", "agent: No.", "user: Please!", "agent: No!"]);
    expect(run?.goal).toBe("given-up");
  });

  test("that throws or returns an empty message fails the case", async () => {
    const silent = await talk({ user: () => undefined }, []);
    expect(silent).toMatchObject({
      pass: false,
      error: { message: "the user has no message. Set the input of the case" },
    });
    const broken = await talk(
      {
        input: "Hello",
        user: () => {
          throw new Error("no line");
        },
      },
      ["Hi"],
    );
    expect(broken).toMatchObject({ pass: false, error: { message: "no line" } });
  });
});
