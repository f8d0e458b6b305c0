import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Message } from "../../message/messages.ts";
import type { NestedStep, NestedWork, RunState } from "../../message/run-state.ts";
import { noUsage } from "../../message/usage.ts";
import { changesOfWork, type StoredWork, withEarlierWork } from "./stored-work.ts";

const userMessage = (text: string): Message => ({ role: "user", content: text });

function agentAt(messages: readonly Message[], nested?: readonly NestedWork[]): RunState {
  return {
    version: 1,
    runId: "r",
    agent: "A",
    turn: 1,
    status: "paused",
    messages,
    context: {},
    pending: [],
    usage: noUsage,
    ...(nested && { nested }),
  };
}

const asStored = (stored: readonly StoredWork[]): readonly StoredWork[] => JSON.parse(JSON.stringify(stored));

const texts = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 6 });

const steps: fc.Memo<NestedStep[]> = fc.memo((depth) =>
  fc.uniqueArray(
    fc.oneof(
      fc.record({ step: fc.constantFrom("x", "y"), value: fc.jsonValue() }),
      fc.record({
        step: fc.constantFrom("z", "y"),
        state: texts.map((all) => agentAt(all.map(userMessage))),
      }),
      ...(depth > 1
        ? [
            fc.record({
              step: fc.constant("w"),
              state: fc
                .tuple(texts, works(depth - 1))
                .map(([all, nested]) => agentAt(all.map(userMessage), nested)),
            }),
          ]
        : []),
    ),
    { maxLength: 4, selector: ({ step }) => step },
  ),
);

const works: fc.Memo<NestedWork[]> = fc.memo((depth) =>
  fc.uniqueArray(fc.record({ toolCallId: fc.constantFrom("1", "2"), steps: steps(depth) }), {
    maxLength: 2,
    selector: ({ toolCallId }) => toolCallId,
  }),
);

test("whatever was kept before, what is written of it comes to the work of now", () => {
  fc.assert(
    fc.property(fc.array(works(3), { maxLength: 5 }), (states) => {
      let before: readonly NestedWork[] = [];
      let read: readonly NestedWork[] = [];
      for (const now of states) {
        read = withEarlierWork(read, asStored(changesOfWork(before, now)));
        before = now;
        expect(asStored(read)).toEqual(asStored(now));
      }
    }),
    { numRuns: 300 },
  );
});

test("what is kept already is not written again, at any depth", () => {
  const long = userMessage("long ".repeat(100));
  const inner = { toolCallId: "2", steps: [{ step: "deep", state: agentAt([long]) }] };
  const before: NestedWork[] = [
    {
      toolCallId: "1",
      steps: [
        { step: "done", value: "long ".repeat(100) },
        { step: "agent", state: agentAt([long], [inner]) },
      ],
    },
  ];
  const grown = { toolCallId: "2", steps: [{ step: "deep", state: agentAt([long, userMessage("new")]) }] };
  const [work] = before;
  const now: NestedWork[] = [
    {
      toolCallId: "1",
      steps: [...(work?.steps.slice(0, 1) ?? []), { step: "agent", state: agentAt([long, long], [grown]) }],
    },
  ];
  const stored = changesOfWork(before, now);
  const messagesOf = (step: StoredWork["steps"][number] | undefined): unknown =>
    typeof step === "object" && "state" in step ? step.state.messages : step;
  expect(stored[0]?.steps[0]).toBe("done");
  expect(messagesOf(stored[0]?.steps[1])).toEqual([[0, 1], long]);
  expect(JSON.stringify(stored)).toContain(JSON.stringify([[0, 1], userMessage("new")]));
  expect(withEarlierWork(before, asStored(stored))).toEqual(now);
});

test.each<[string, StoredWork]>([
  ["a step", { toolCallId: "1", steps: ["gone"] }],
  [
    "a message",
    { toolCallId: "1", steps: [{ step: "agent", state: { ...agentAt([]), messages: [[0, 2]] } }] },
  ],
])("work that refers to %s that is not there is an error", (_, stored) => {
  const before = [{ toolCallId: "1", steps: [{ step: "agent", state: agentAt([userMessage("only")]) }] }];
  expect(() => withEarlierWork(before, [stored])).toThrow("not there");
});
