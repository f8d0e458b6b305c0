import {
  array,
  boolean,
  constant,
  constantFrom,
  integer,
  oneof,
  record,
  string,
  type Arbitrary,
} from "fast-check";
import { Agent, tool, type Tool } from "skein";
import { ScriptedModel, type ScriptedTurn } from "skein/testing";
import { expect } from "vitest";
import { App, clientOf, conversationOf, expectedConversation, runClient, say } from "./test-app.ts";

const input = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;

const add = tool({ name: "add", input, execute: ({ n }: { readonly n: number }) => ({ sum: n + 1 }) });
const fail = tool({
  name: "fail",
  input,
  execute: () => {
    throw new Error("planted-secret-of-a-tool");
  },
});
const ask = tool({
  name: "ask",
  input,
  approval: true,
  execute: ({ n }: { readonly n: number }) => `asked ${n}`,
});
const elsewhere = tool({ name: "elsewhere", description: "Done by the client.", input });
const slow = tool({
  name: "slow",
  input,
  execute: async ({ n }: { readonly n: number }, context) => {
    context.progress({ n });
    await new Promise((resolve) => setTimeout(resolve, 1));
    return "slow";
  },
});
const batch = tool({
  name: "batch",
  input,
  execute: async ({ n }: { readonly n: number }, context) =>
    Promise.all([context.call("add", { n }), context.call("ask", { n })]),
});
const last = tool({ name: "last", input, final: true, execute: () => "The last word." });

const ownTools: readonly Tool[] = [add, fail, ask, elsewhere, slow, batch, last];

const words = oneof(constant(""), string({ maxLength: 12 }), constant("{"), constant('{"n":1}'));

const anyCall = (names: readonly string[]) =>
  record(
    {
      toolName: constantFrom(...names),
      arguments: oneof(
        { weight: 6, arbitrary: integer({ min: 0, max: 99 }).map((n) => ({ n })) },
        { weight: 1, arbitrary: constant({ n: "wrong" }) },
        { weight: 1, arbitrary: constant("{ not json") },
      ),
      toolCallId: constantFrom("call_0", "call_1", "a", "b#2", ""),
    },
    { requiredKeys: ["toolName", "arguments"] },
  );

const anyTurn = (names: readonly string[]): Arbitrary<ScriptedTurn> =>
  record(
    {
      text: words,
      reasoning: words,
      toolCalls: array(anyCall(names), { maxLength: 4 }),
      chunkSize: integer({ min: 1, max: 9 }),
      finishReason: constantFrom("length", "content-filter"),
      errorAfter: integer({ min: 0, max: 12 }),
    },
    { requiredKeys: [] },
  ).chain(({ finishReason, errorAfter, ...turn }) =>
    // Most answers are whole.
    integer({ min: 0, max: 19 }).map((kind) => ({
      ...turn,
      ...(kind === 0 && finishReason && { finishReason }),
      ...(kind === 1 && errorAfter !== undefined && { errorAfter }),
    })),
  );

const anyScript = (names: readonly string[]): Arbitrary<readonly ScriptedTurn[]> =>
  array(anyTurn(names), { maxLength: 4 });

/** A run of an agent with an agent as its tool, and what a client does about it. */
export interface RandomRun {
  readonly script: readonly ScriptedTurn[];
  readonly within: readonly ScriptedTurn[];
  readonly show: { readonly reasoning: boolean; readonly toolCalls: boolean; readonly toolResults: boolean };
  readonly restates: boolean;
  readonly isTyped: boolean;
  readonly cancelAfter: number | undefined;
  readonly steerAfter: number | undefined;
  readonly approves: readonly boolean[];
}

const often = integer({ min: 0, max: 4 }).map((value) => value > 0);

const rarely = oneof(
  { weight: 5, arbitrary: constant(undefined) },
  { weight: 1, arbitrary: integer({ min: 0, max: 30 }) },
);

/** All of them. */
export const anyRun: Arbitrary<RandomRun> = record({
  script: anyScript([
    "add",
    "fail",
    "ask",
    "elsewhere",
    "slow",
    "batch",
    "last",
    "expert",
    "expert",
    "nowhere",
    "final_answer",
  ]),
  within: anyScript(["add", "fail", "ask", "elsewhere", "batch", "nowhere"]),
  show: record({ reasoning: often, toolCalls: often, toolResults: often }),
  restates: boolean(),
  isTyped: integer({ min: 0, max: 9 }).map((value) => value === 0),
  cancelAfter: rarely,
  steerAfter: rarely,
  approves: array(boolean(), { minLength: 3, maxLength: 3 }),
});

/** Has the official client read the run over its pauses: it finds no mistake, and has what the run has. */
export async function expectNoViolation(random: RandomRun): Promise<void> {
  const { show, restates, approves } = random;
  const app = new App(agentOf(random), { show, restates, onRun: (running) => meddle(running, random) });
  const client = clientOf(app);
  let ran = await say(client, "Go");
  for (const approved of approves) {
    expect(ran.warnings).toEqual([]);
    if (app.results.at(-1) instanceof Error) break;
    if (!answerCalls(client, ran.events.at(-1)) && client.pendingInterrupts.length === 0) break;
    const resume = client.pendingInterrupts.map(
      ({ id }) => ({ interruptId: id, status: "resolved", payload: { approved } }) as const,
    );
    ran = await runClient(client, { resume });
  }
  expect(ran.warnings).toEqual([]);
  expect(app.sent).not.toContain("planted-secret");
  expectConversation(app, random, client);
}

function expectConversation(
  app: App,
  { show, restates, script, steerAfter, isTyped }: RandomRun,
  client: ReturnType<typeof clientOf>,
): void {
  const result = app.results.at(-1);
  // What was cut in mid-answer is in no history, and a client whose messages are not known keeps it.
  const isCut = result instanceof Error || (result?.status === "cancelled" && (!restates || isTyped));
  // The words of a tool that has the last are sent at the end, which comes before that of the pause where the user goes on.
  const isPassedOver =
    steerAfter !== undefined && JSON.stringify(script).includes('"last"') && app.results.length > 1;
  // Of hidden calls, a client has those that it was asked about.
  if (isCut || isPassedOver || !show.toolCalls) return;
  // Of an answer that was cut, a run keeps the text alone.
  const isWhole = (message: unknown): boolean =>
    result?.status !== "cancelled" || Object(message).role !== "reasoning";
  const actual = conversationOf(client).filter(isWhole);
  const expected = expectedConversation(result, show).filter(isWhole);
  // What the client has done itself it has the result of.
  const withoutResults = (messages: readonly unknown[]) =>
    messages.map((message) => ({
      ...Object(message),
      ...("toolCallId" in Object(message) && { content: "" }),
    }));
  if (show.toolResults) expect(actual).toEqual(expected);
  else expect(withoutResults(actual)).toEqual(withoutResults(expected));
}

function withoutIds(turns: readonly ScriptedTurn[]): readonly ScriptedTurn[] {
  return turns.map(({ toolCalls = [], ...turn }) => ({
    ...turn,
    toolCalls: toolCalls.map(({ toolCallId: _id, ...call }) => call),
  }));
}

function agentOf({ script, within, isTyped, restates }: RandomRun): Agent {
  // Without an output, a history does not say what a tool of that name was for.
  const named = isTyped ? script : JSON.parse(JSON.stringify(script).replaceAll("final_answer", "nowhere"));
  // Without the client's messages, calls of one id cannot be told apart over several runs; nor can a call that has the id of an output.
  const turnsOf = restates && !isTyped ? (turns: readonly ScriptedTurn[]) => turns : withoutIds;
  const expert = new Agent({
    name: "Expert",
    model: new ScriptedModel([...turnsOf(within), "Expert."], { toolCallIdPrefix: "call_" }),
    tools: [add, fail, ask, elsewhere, batch],
  });
  return new Agent({
    name: "Host",
    model: new ScriptedModel([...turnsOf(named), isTyped ? '{"n":1}' : "Done."], {
      supportsOutput: isTyped,
    }),
    tools: [...ownTools, expert.asTool()],
    ...(isTyped && { output: input }),
  });
}

function meddle(
  running: Parameters<NonNullable<ConstructorParameters<typeof App>[1]>["onRun"] & {}>[0],
  random: RandomRun,
): void {
  const { cancelAfter, steerAfter } = random;
  if (cancelAfter === undefined && steerAfter === undefined) return;
  void (async () => {
    for await (const { index } of running) {
      if (index === cancelAfter) running.cancel();
      if (index === steerAfter) running.steer("And this?");
    }
  })().catch(() => {});
}

/** Does what the client is asked to do itself. */
function answerCalls(client: ReturnType<typeof clientOf>, end: object | undefined): boolean {
  const { outcome }: { readonly outcome?: { readonly pendingToolCallIds?: readonly string[] } } = Object(end);
  const ids = outcome?.pendingToolCallIds ?? [];
  const answered = new Set(
    client.messages.flatMap((each) => (each.role === "tool" ? [each.toolCallId] : [])),
  );
  const open = client.messages.flatMap((message) =>
    message.role === "assistant" && message.subagentRunId === undefined
      ? (message.toolCalls ?? []).filter(
          ({ id, function: { name } }) => name === "elsewhere" && !answered.has(id),
        )
      : [],
  );
  // The list of the outcome is what the stream says.
  for (const id of ids) expect(open.map((call) => call.id)).toContain(id);
  if (ids.length > 0 || client.pendingInterrupts.length > 0)
    for (const { id } of open) {
      const owner = client.messages.findIndex(
        (each) => each.role === "assistant" && each.toolCalls?.some((call) => call.id === id),
      );
      client.messages.splice(owner + 1, 0, {
        id: `answer-${id}`,
        role: "tool",
        toolCallId: id,
        content: "done elsewhere",
      });
    }
  return ids.length > 0;
}
