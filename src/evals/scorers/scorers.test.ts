import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ToolOutcome } from "../../message/messages.ts";
import { dollars } from "../../providers/wrappers/index.ts";
import { type ExpectedValue, exactly, fits, like, oneOf, optional } from "../expectations.ts";
import { made, scored } from "../test-transcript.ts";
import type { Scorer, Transcript } from "../types.ts";
import { endsWith, handsOffTo } from "./agents.ts";
import {
  calls,
  callsInAnyOrder,
  callsInclude,
  callsInOrder,
  neverCalls,
  noCalls,
  noCorrections,
  sameCalls,
} from "./calls.ts";
import { goalMet } from "./goal.ts";
import { costAtMost, latencyAtMost, tokensAtMost, turnsAtMost } from "./limits.ts";
import { outputIs } from "./output.ts";
import { policy } from "./policy.ts";
import { stateIs, stateUnchanged } from "./state.ts";
import { textContains, textEquals, textMatches } from "./text.ts";

type Given = Partial<Transcript>;

const usage = (totalTokens: number | undefined): Given => ({
  usage: { inputTokens: undefined, outputTokens: undefined, totalTokens },
});
const cost = (modelId: string): Given => ({
  modelCalls: [
    { provider: "openai", modelId, usage: { inputTokens: 1_000, outputTokens: 0, totalTokens: 1_000 } },
  ],
});
const handoff = ["transfer_to_sales", {}, { isHandoff: true }] as const;
const ended = (outcome: ToolOutcome): { readonly outcome: ToolOutcome } => ({ outcome });

/** A scorer, a transcript that passes, one that fails, and what is said of it. */
const table: readonly (readonly [
  title: string,
  scorer: Scorer,
  passes: Given,
  fails: Given,
  reason: string,
])[] = [
  [
    "calls in order",
    callsInOrder(["a", "b"]),
    made(["a"], ["b"]),
    made(["b"], ["a"]),
    "expected a(), b(), got b({}), a({})",
  ],
  ["calls, and no more", calls(["a"]), made(["a"]), made(["a"], ["a"]), "expected a(), got a({}), a({})"],
  ["calls without handoffs", calls(["a"]), made(handoff, ["a"]), made(handoff), "expected a(), got no call"],
  [
    "calls with a handoff that is named",
    calls(["transfer_to_sales"]),
    made(handoff),
    made(["a"]),
    "got a({})",
  ],
  [
    "calls that were not refused",
    calls(["a"]),
    made(["a", {}, ended("invalid-arguments")], ["a"]),
    made(["a", {}, ended("invalid-arguments")]),
    "got no call",
  ],
  ["calls in any order", callsInAnyOrder(["a", "b"]), made(["b"], ["a"]), made(["b"], ["b"]), "in any order"],
  [
    "calls in any order that must be given out cleverly",
    calls({ anyOrder: ["a", { tool: "a", arguments: { n: 1 } }] }),
    made(["a", { n: 1 }], ["a", { n: 2 }]),
    made(["a", { n: 2 }], ["a", { n: 3 }]),
    "a({ n: 1 })",
  ],
  ["calls among others", callsInclude(["a"]), made(["b"], ["a"]), made(["b"]), "missing a() among b({})"],
  ["no calls", noCalls(), made(handoff), made(["a"]), "expected no call, got a({})"],
  [
    "calls that must not be made",
    neverCalls("a"),
    made(["b"]),
    made(["a", {}, ended("invalid-arguments")]),
    "called a({})",
  ],
  ["no corrections", noCorrections(), made(["a"]), made(["a", {}, ended("unknown-tool")]), "1 corrected"],
  [
    "calls that read the same",
    sameCalls([{ tool: "a", arguments: { day: "April 1, 2024", n: 1 } }]),
    made(["a", { n: 1, day: "april 1 2024" }]),
    made(["a", { n: 1, day: "april 1 2024", more: 1 }]),
    "in any order",
  ],
  [
    "the last agent",
    endsWith("Sales"),
    { agent: "Sales" },
    { agent: "Triage" },
    "expected Sales, got Triage",
  ],
  [
    "a handoff",
    handsOffTo("Sales"),
    { agents: ["Triage", "Sales"] },
    { agents: ["Sales"] },
    "Sales is not among Sales",
  ],
  ["an equal text", textEquals("Yes."), { text: " Yes.\n" }, { text: "Yes. No." }, '"Yes."'],
  [
    "a text within",
    textContains("Refund"),
    { text: "I refunded it" },
    { text: "No" },
    'expected "Refund" in "No"',
  ],
  ["a matching text", textMatches(/^\d+ euros/m), { text: "So:\n5 euros" }, { text: "five euros" }, "euros"],
  [
    "a part of the output",
    outputIs({ a: 1 }),
    { output: { a: 1, b: 2 } },
    { output: { b: 2 } },
    "expected { a: 1 }",
  ],
  ["an output that fits", outputIs(z.array(z.int())), { output: [1] }, { output: ["1"] }, "zod"],
  ["model calls", turnsAtMost(2), { turns: 2 }, { turns: 3 }, "3 model calls; 2 at most"],
  ["tokens", tokensAtMost(10), usage(10), usage(11), "11 tokens; 10 at most"],
  ["tokens that are not told", tokensAtMost(10), usage(0), usage(undefined), "unknown tokens"],
  ["cost", costAtMost(dollars(0.003)), cost("gpt-6-sol"), cost("gpt-6-astra"), "cost 0.01; 0.003 at most"],
  ["cost that is not known", costAtMost(dollars(1)), cost("gpt-6-sol"), cost("nobody"), "cost unknown"],
  ["latency", latencyAtMost(100), { durationMs: 100 }, { durationMs: 101 }, "101 ms; 100 at most"],
  [
    "a policy",
    policy("short", ({ text }) => text.length < 5),
    { text: "Yes" },
    { text: "Certainly" },
    "the policy is not kept",
  ],
  [
    "a policy that says what is wrong",
    policy("short", async ({ text }) => (text.length < 5 ? undefined : "too long")),
    { text: "Yes" },
    { text: "Certainly" },
    "too long",
  ],
  [
    "the state",
    stateIs([{ id: 1, paid: true }]),
    { state: { before: [], after: [{ paid: true, id: 1 }] } },
    { state: { before: [], after: [{ paid: false, id: 1 }] } },
    "$[0].paid: expected true, got false",
  ],
  [
    "the state, by a function",
    stateIs((after, before) => Number(after) === Number(before) + 1),
    { state: { before: 1, after: 2 } },
    { state: { before: 1, after: 3 } },
    "the state is not right",
  ],
  ["a state where there is none", stateIs(1), { state: { before: 0, after: 1 } }, {}, "there is no state"],
  [
    "a state that stays",
    stateUnchanged(),
    { state: { before: { a: 1 }, after: { a: 1 } } },
    { state: { before: { a: 1 }, after: { a: 2 } } },
    "not right",
  ],
  ["a goal", goalMet(), { goal: "met" }, { goal: "given-up" }, "the user's goal is given-up"],
];

test.each(table)(
  "%s: one passes, another fails with its reason",
  async (_, scorer, passes, fails, reason) => {
    expect(await scored(scorer, passes)).toEqual({ score: 1, pass: true });
    const failed = await scored(scorer, fails);
    expect(failed).toMatchObject({ score: 0, pass: false });
    expect(failed.reason).toContain(reason);
  },
);

describe("arguments are expected", () => {
  const call = { city: "Paris", days: 3, tags: ["a", "b"], at: { lat: 1, long: 2 } };

  test.each([
    ["as a part of them", { city: "Paris", at: { lat: 1 } }, { at: { lat: 2 } }],
    ["as lists, whole", { tags: ["a", "b"] }, { tags: ["a"] }],
    ["by an expression", { city: /^par/i }, { city: /rome/ }],
    ["by a function", (args: { days: number }) => args.days > 2, (args: { days: number }) => args.days > 3],
    ["by a function for one of them", { days: (days: number) => days > 2 }, { days: () => false }],
    ["by a schema of zod", z.object({ days: z.int() }), z.object({ days: z.string() })],
    [
      "by a JSON Schema",
      fits({ type: "object", required: ["city"] }),
      fits({ type: "object", required: ["town"] }),
    ],
    ["as one of several", { city: oneOf("Rome", "Paris") }, { city: oneOf("Rome", "Oslo") }],
    ["as they read", { city: like("PARIS ") }, { city: like("Pari") }],
    ["exactly", { at: exactly({ lat: 1, long: 2 }) }, { at: exactly({ lat: 1 }) }],
    ["or left out", { unit: optional("metric"), days: optional(3) }, { days: optional(4) }],
    ["as a test runner has it", { city: expect.any(String) }, { city: expect.any(Number) }],
  ])("%s", async (_, right, wrong) => {
    const given = made(["a", call]);
    expect((await scored(callsInOrder([{ tool: "a", arguments: right }]), given)).pass).toBe(true);
    expect((await scored(callsInOrder([{ tool: "a", arguments: wrong }]), given)).pass).toBe(false);
  });

  test.each<[ExpectedValue, unknown, number]>([
    [new Date(0), new Date(0), 1],
    [new Date(0), "1970-01-01T00:00:00.000Z", 1],
    [new Date(0), new Date(1), 0],
    ["1970-01-01T00:00:00.000Z", new Date(0), 1],
    [5n, 5n, 1],
    [5n, "5", 1],
    [5n, 6n, 0],
    [new Map([["tea", 2]]), new Map([["tea", 2]]), 1],
    [{ tea: 2 }, new Map([["tea", 2]]), 1],
    [new Map([["tea", 2]]), { tea: 3 }, 0],
    [new Set(["a"]), new Set(["a"]), 1],
    [["a"], new Set(["a", "b"]), 0],
    [new URL("https://a.example/"), new URL("https://a.example/"), 1],
    [exactly({ tea: 2 }), new Map([["tea", 2]]), 1],
    [exactly({ tea: 2 }), { tea: 2, milk: 1 }, 0],
    [like(new Map([["tea", "Hot!"]])), { tea: "hot!" }, 1],
    [{ tea: 0 }, { tea: -0 }, 1],
    [like({ tea: -0 }), { tea: 0 }, 1],
    [{ tea: Number.NaN }, { tea: Number.NaN }, 1],
  ])("%o, of values that JSON has no form for: %o", async (expected, value, score) => {
    const result = await scored(outputIs({ value: expected }), { output: { value } });
    expect(result.score).toBe(score);
    expect(result.reason === undefined).toBe(score === 1);
  });

  test("as own properties: what every object has does not count", async () => {
    const expected = calls([{ tool: "a", arguments: { toString: (value: unknown) => value !== undefined } }]);
    expect((await scored(expected, made(["a", {}]))).pass).toBe(false);
    expect((await scored(expected, made(["a", { toString: 1 }]))).pass).toBe(true);
  });

  test("by no schema that answers later", async () => {
    const later = z.object({}).refine(async () => true);
    await expect(scored(outputIs(later), { output: {} })).rejects.toThrow("answers later");
  });
});
