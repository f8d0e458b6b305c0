import { describe, expect, test } from "vitest";
import { FunctionModel, type ScriptedToolCall } from "../../testing/index.ts";
import type { EvalResult, RunRecord } from "../results.ts";
import { runEval } from "../run-eval.ts";
import { perfectModel } from "../stand-ins/perfect-model.ts";
import { wrongModel } from "../stand-ins/wrong-model.ts";
import { bfcl, type BfclOptions } from "./bfcl.ts";
import { multiple, multiTurn, parallel, simple } from "./fixtures/files.ts";

/** Runs a file with a model that answers every question with these calls. */
async function scored(
  files: BfclOptions,
  toolCalls: readonly ScriptedToolCall[],
): Promise<readonly RunRecord[]> {
  const result = await runEval(bfcl(files), {
    model: new FunctionModel(() => (toolCalls.length > 0 ? { toolCalls } : "No.")),
  });
  return result.cases.flatMap(({ runs }) => runs);
}

/** What is said of the first case. */
async function verdictOn(files: BfclOptions, toolCalls: readonly ScriptedToolCall[]): Promise<string> {
  const [first] = await scored(files, toolCalls);
  return first?.pass ? "right" : (first?.scores[0]?.reason ?? first?.error?.message ?? "");
}

function both(files: BfclOptions): Promise<readonly EvalResult[]> {
  const evaluation = bfcl(files);
  return Promise.all([perfectModel, wrongModel].map((model) => runEval(evaluation, { model })));
}

describe.each([
  ["simple", simple],
  ["multiple", multiple],
  ["parallel", parallel],
  ["multi-turn", multiTurn],
])("a file of the category %s", (_, files) => {
  test("is passed whole by right answers, and failed whole by wrong ones", async () => {
    const [perfect, wrong] = await both(files);
    const reasons = perfect?.cases.flatMap(({ runs }) =>
      runs.flatMap(({ scores, error }) => [...scores, error]),
    );
    expect(perfect?.summary.passRate, JSON.stringify(reasons)).toBe(1);
    expect(wrong?.summary.passRate).toBe(0);
    expect(wrong?.summary.errors).toBe(0);
  });
});

test("right answers have the required parameters, even those whose possible values include an empty one", async () => {
  const seat = {
    type: "dict",
    properties: { row: { type: "integer" }, side: { type: "string" } },
    required: ["row"],
  };
  const parameters = {
    type: "dict",
    properties: {
      show: { type: "string" },
      seat,
      friends: { type: "array", items: seat },
      note: { type: "string" },
      code: { type: "string" },
    },
    required: ["show", "seat", "friends", "code"],
  };
  const seats = { row: ["", 3], side: ["left", ""] };
  const theatre: BfclOptions = {
    questions: JSON.stringify({
      id: "live_simple_0-0-0",
      question: [[{ role: "user", content: "A seat for Hamlet" }]],
      function: [{ name: "reserve", parameters }],
    }),
    answers: JSON.stringify({
      id: "live_simple_0-0-0",
      ground_truth: [
        {
          reserve: {
            show: ["", "Hamlet"],
            seat: ["", seats],
            friends: ["", [seats]],
            note: ["", "x"],
            code: [""],
          },
        },
      ],
    }),
  };
  const [perfect, wrong] = await both(theatre);
  expect(perfect?.cases[0]?.runs[0]).toMatchObject({
    pass: true,
    calls: [{ arguments: { show: "Hamlet", seat: { row: 3 }, friends: [{ row: 3 }], code: "" } }],
  });
  expect(wrong?.summary.passRate).toBe(0);
});

describe("a call is compared by the leaderboard's rules:", () => {
  const booking = { toolName: "hotel_book" };
  const right = { city: "New York, NY", nights: 2, price: 80.5 };
  const argued = (changes: object): ScriptedToolCall[] => [
    { ...booking, arguments: JSON.parse(JSON.stringify({ ...right, ...changes })) },
  ];

  test.each([
    ["the first alternative", {}],
    ["another alternative", { city: "NYC" }],
    ["a text that differs in case, spaces and punctuation", { city: "new york ny" }],
    ["a whole number where a fraction is right too", { price: 80 }],
    ["an optional parameter with one of its values", { breakfast: true }],
    ["a list whose texts differ in case", { extras: ["SEA VIEW", "crib"] }],
    ["a dict, without what may be left out", { guest: { name: "ada lovelace" } }],
    ["a dict, whole", { guest: { name: "Ada Lovelace", age: 36 } }],
    ["a list of dicts", { rooms: [{ beds: 1 }, { beds: 2, floor: 3 }] }],
  ])("%s is right", async (_, changes) => {
    expect(await verdictOn(simple, argued(changes))).toBe("right");
  });

  test.each([
    ["another value", { city: "Boston" }, 'city is "Boston"; allowed: "New York, NY", "NYC"'],
    ["another type", { nights: "2" }, "nights is text instead of number"],
    ["a number that is not an alternative", { price: 81 }, "price is 81; allowed: 80.5, 80"],
    ["an unknown parameter", { colour: "red" }, "is given colour, which is not expected"],
    ["a required parameter left out", { nights: undefined }, "needs nights"],
    ["an optional parameter with a value that is not allowed", { breakfast: false }, "breakfast is false"],
    ["a list in another order", { extras: ["crib", "sea view"] }, "extras is"],
    ["a list with items of another type", { extras: [1, 2] }, "extras is [1,2]"],
    ["a dict with a key too many", { guest: { name: "Ada Lovelace", born: 1815 } }, "guest is"],
    ["a dict without a key that it needs", { guest: { age: 36 } }, "guest is"],
    ["a list of dicts in another order", { rooms: [{ beds: 2, floor: 3 }, { beds: 1 }] }, "rooms is"],
    ["a list of too few dicts", { rooms: [{ beds: 1 }] }, "rooms is"],
  ])("%s is wrong", async (_, changes, reason) => {
    expect(await verdictOn(simple, argued(changes))).toContain(reason);
  });

  test("invalid JSON, a missing call, an extra call and another function are wrong", async () => {
    expect(await verdictOn(simple, [{ ...booking, arguments: "{" }])).toContain("not a JSON object");
    expect(await verdictOn(simple, [])).toBe("1 calls expected, 0 made");
    expect(await verdictOn(simple, [...argued({}), ...argued({})])).toContain("1 calls expected, 2 made");
    expect(await verdictOn(multiple, [{ toolName: "hotel_cancel", arguments: { city: "Rome" } }])).toContain(
      "hotel.cancel is called instead of hotel.find",
    );
  });

  test("calls side by side may come in any order, each answer taking one of them", async () => {
    const find = (city: string): ScriptedToolCall => ({ toolName: "hotel_find", arguments: { city } });
    expect(await verdictOn(parallel, [find("Oslo"), find("Rome")])).toBe("right");
    expect(await verdictOn(parallel, [find("Rome"), find("Rome")])).toContain(
      'city is "Rome"; allowed: "Oslo"',
    );
  });

  test("where nothing fits, no call is right; where something does, any call is", async () => {
    const question = (id: string): string =>
      JSON.stringify({ ...JSON.parse(multiple.questions.split("\n")[0] ?? ""), id });
    const call = [{ toolName: "hotel_find", arguments: { city: "Rome" } }];
    expect(await verdictOn({ questions: question("irrelevance_0") }, [])).toBe("right");
    expect(await verdictOn({ questions: question("irrelevance_0") }, call)).toContain(
      "0 calls expected, 1 made",
    );
    expect(await verdictOn({ questions: question("live_relevance_0-0-0") }, call)).toBe("right");
    expect(await verdictOn({ questions: question("live_relevance_0-0-0") }, [])).toBe(
      "no function is called",
    );
  });
});

test("converts types to JSON Schema, and names to those that providers accept", async () => {
  const model = new FunctionModel(({ tools }) => JSON.stringify(tools?.[0]));
  const { cases } = await runEval(bfcl(simple), { model });
  expect(JSON.parse(cases[0]?.runs[0]?.text ?? "")).toEqual({
    name: "hotel_book",
    description: "Book a room.",
    inputSchema: {
      type: "object",
      required: ["city", "nights"],
      properties: {
        city: { type: "string", description: "City" },
        nights: { type: "integer" },
        price: { type: "number" },
        breakfast: { type: "boolean", default: false },
        extras: { type: "array", items: { type: "string" } },
        guest: { type: "object", properties: { name: { type: "string" }, age: { type: "integer" } } },
        rooms: { type: "array", items: { type: "object", properties: { beds: { type: "integer" } } } },
        note: { type: "string" },
      },
    },
  });
});

test.each<[string, BfclOptions, string]>([
  ["what is not JSON", { questions: "{" }, "line 1 of the questions is not JSON"],
  ["another form", { questions: '{"id":1}' }, "line 1 of the questions does not have the leaderboard's form"],
  ["no question", { questions: "\n" }, "there is no question"],
  ["an answer that is missing", { questions: simple.questions }, "simple_python_0 has no answer"],
  [
    "another language",
    { questions: simple.questions.replaceAll("simple_python", "simple_java") },
    "another language",
  ],
  [
    "functions that are missing",
    { questions: multiTurn.questions, answers: multiTurn.answers ?? "" },
    "needs the functions of Cupboard: functions: { Cupboard: text }",
  ],
])("%s is refused", (_, files, message) => {
  expect(() => bfcl(files)).toThrow(message);
});
