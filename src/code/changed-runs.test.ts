/** Between a pause in a program and its resumption, anything may change: no call gets what was approved, or returned, for another. */
import { expect, test } from "vitest";
import { InvalidInputError, run, tool, type RunResult, type RunState, type Tool } from "skein";
import { programmer } from "./test-run.ts";

const code = "const n = await tools.look(); return [n, await tools.refund({ order: n })];";
const order = { type: "object", properties: { order: { type: "number" } }, required: ["order"] };
const stateSecret = "a secret of at least 32 characters";

const log: string[] = [];
const look = tool({
  name: "look",
  input: { type: "object", properties: {} },
  execute: () => {
    log.push("look");
    return 5;
  },
});
const refund = (changes: { readonly version?: string; readonly input?: object } = {}): Tool =>
  tool({
    name: "refund",
    approval: true,
    ...changes,
    input: { ...order, ...changes.input },
    execute: (input: unknown) => {
      log.push(`refund ${JSON.stringify(input)}`);
      return "refunded";
    },
  });

/** What is changed before the run goes on: tools, or texts in the state. */
interface Change {
  readonly tools?: readonly Tool[];
  readonly texts?: Readonly<Record<string, string>>;
  readonly approvalId?: string;
  readonly secret?: string;
}

/** Pauses at the refund, which is approved, and goes on after the change. */
async function goOn({
  tools = [look, refund()],
  texts = {},
  approvalId,
  secret,
}: Change): Promise<RunResult> {
  log.length = 0;
  const options = secret === undefined ? {} : { stateSecret: secret };
  const { state, pending } = await run(programmer([code], [look, refund()]), "Go.", options);
  let text = JSON.stringify(state);
  for (const [from, to] of Object.entries(texts)) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  const changed: RunState = JSON.parse(text);
  const id = approvalId ?? pending[0]?.approvalId ?? "";
  const approvals = [{ approvalId: id, decision: "approve" as const }];
  return run(programmer([code], tools), changed, { ...options, approvals });
}

function textOfProgram({ messages }: RunResult): string {
  const message = messages.find(({ role }) => role === "tool");
  return message?.role === "tool" ? JSON.stringify(message.result.content) : "";
}

test("nothing has changed: the call that was approved is made", async () => {
  expect(textOfProgram(await goOn({}))).toContain("refunded");
  expect(log).toEqual(["look", 'refund {"order":5}']);
});

test.each<[string, Change, unknown]>([
  ["another version of the tool", { tools: [look, refund({ version: "2" })] }, { order: 5 }],
  [
    "other parameters of the tool",
    { tools: [look, refund({ input: { properties: { order: { type: "string" } } } })] },
    { order: "5" },
  ],
  ["another source", { texts: { "order: n }": "order: n + 1 }" } }, { order: 6 }],
  [
    "another result of an earlier call",
    { texts: { '"structuredContent":5': '"structuredContent":7' } },
    { order: 7 },
  ],
  [
    "other arguments of the call that waits",
    {
      texts: {
        [String.raw`{\"order\":5}`]: String.raw`{\"order\":6}`,
        '"input":{"order":5}': '"input":{"order":6}',
      },
    },
    { order: 5 },
  ],
])(
  "%s: what was approved is not made, and a person is asked about the call that there is now",
  async (_, change, input) => {
    const { status, pending } = await goOn(change);
    expect([status, pending.map((call) => call.input)]).toEqual(["paused", [input]]);
    expect(log).toEqual(["look"]);
  },
);

test.each<[string, Change, string]>([
  ["no tool any more", { tools: [look] }, "Unknown tool"],
  ["no tool of an earlier call any more", { tools: [refund()] }, "Unknown tool"],
  ["a source that makes no such call", { texts: { [code]: "return await tools.look();" } }, '"5"'],
])("%s: what was approved is not made, and the program comes to its own end", async (_, change, text) => {
  const result = await goOn(change);
  expect(result.status).toBe("completed");
  expect(textOfProgram(result)).toContain(text);
  expect(log).toEqual(["look"]);
});

test.each<[string, Change, string]>([
  ["a decision that nobody was asked for", { approvalId: "f".repeat(64) }, "which is not pending"],
  [
    "another source of a signed state",
    { texts: { "order: n }": "order: n + 1 }" }, secret: stateSecret },
    "The state was changed",
  ],
  [
    "another result in a signed state",
    { texts: { '"structuredContent":5': '"structuredContent":7' }, secret: stateSecret },
    "The state was changed",
  ],
])("%s is a typed error, and no call is made", async (_, change, text) => {
  const failed = goOn(change);
  await expect(failed).rejects.toBeInstanceOf(InvalidInputError);
  await expect(failed).rejects.toThrow(text);
  expect(log).toEqual(["look"]);
});
