/** What a person is shown of a call that waits is what is executed, however its arguments are read by then. */
import { Agent, run, stream, tool, type RunOptions, type RunResult, type RunState, type Tool } from "skein";
import { memorySession, readSession } from "skein/sessions";
import { FunctionModel, type ScriptedToolCall } from "skein/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { decide, failure, idsOf, stored } from "./test-clerk.ts";
import { memoryJournal } from "./test-journal.ts";

let executed: unknown[] = [];
let limit = 0;
beforeEach(() => {
  executed = [];
  limit = 0;
});

/** A default that is another one each time. */
const limited = { share: z.string(), limit: z.number().default(() => (limit += 10)) };

/** A tool that buys once it is approved, for at most the limit. */
function buying(input: z.ZodType = z.object(limited)): Tool {
  const execute = (args: unknown): string => `bought ${executed.push(args)}`;
  return tool({ name: "buy", description: "Buys a share.", approval: true, input, execute });
}

/** An agent whose model makes the calls in one answer, and then ends. */
function trader(tools: readonly Tool[], ...toolCalls: ScriptedToolCall[]): Agent {
  const model = new FunctionModel(({ messages }) => (messages.length > 1 ? "Done." : { toolCalls }));
  return new Agent({ name: "Trader", model, tools });
}

const buy = { toolCallId: "call_1", toolName: "buy", arguments: { share: "ACME" } };

/** What a person is shown of the calls that wait. */
const shownOf = ({ pending }: Pick<RunResult, "pending">): unknown[] => pending.map(({ input }) => input);

const keepers: [string, () => RunOptions][] = [
  ["a state", () => ({})],
  ["a signed state", () => ({ stateSecret: "0123456789abcdef" })],
  ["a session", () => ({ session: memorySession() })],
  ["a journal", () => ({ journal: memoryJournal() })],
];

describe.each(keepers)("with %s", (_title, optionsOf) => {
  test("a default that is computed is the one that was shown", async () => {
    const options = optionsOf();
    const agent = trader([buying()], buy);
    const running = stream(agent, "Buy", options);
    const shown: unknown[] = [];
    for await (const event of running) if (event.type === "approval-request") shown.push(event.input);
    const paused = await running.result;
    expect(shown).toEqual([{ share: "ACME", limit }]);
    expect(shownOf(paused)).toEqual(shown);
    const input = options.session ? [] : stored(paused.state);
    const done = await run(agent, input, { ...options, ...decide(paused) });
    expect(done.status).toBe("completed");
    expect(executed).toEqual(shown);
    expect(shown).not.toEqual([{ share: "ACME", limit }]);
  });
});

test("a default of a new version of the tool does not reach a call that was approved", async () => {
  const version = (input: z.ZodType): Agent => trader([buying(input)], buy);
  const paused = await run(version(z.object({ share: z.string(), limit: z.number().default(10) })), "Buy");
  const next = version(z.object({ share: z.string(), limit: z.number().default(100_000) }));
  await run(next, stored(paused.state), decide(paused));
  expect(executed).toEqual([{ share: "ACME", limit: 10 }]);
});

test("a call that can never be made as it was shown is refused, and waits for no other decision", async () => {
  const input = z.object(limited).transform((args) => ({ share: args.share, most: args.limit }));
  const agent = trader([buying(input)], buy);
  const paused = await run(agent, "Buy");
  expect(shownOf(paused)).toEqual([{ share: "ACME", most: limit }]);
  const again = await run(agent, stored(paused.state), decide(paused));
  expect(again.messages[0]).toMatchObject({ role: "tool", result: { outcome: "invalid-arguments" } });
  expect(again.warnings).toEqual([]);
  expect(executed).toEqual([]);
});

test.each(keepers)(
  "a new version of the tool that does not take the arguments is not called: the model corrects them, and asks again, with %s",
  async (_title, optionsOf) => {
    const options = optionsOf();
    const next = z.object({ share: z.string(), market: z.string() });
    const agentOf = (input: z.ZodType): Agent => {
      const model = new FunctionModel(({ messages }) => {
        const isCorrected = messages.some(({ role }) => role === "tool");
        const args = isCorrected ? { share: "ACME", market: "XETRA" } : buy.arguments;
        return { toolCalls: [{ ...buy, toolCallId: isCorrected ? "call_2" : "call_1", arguments: args }] };
      });
      return new Agent({ name: "Trader", model, tools: [buying(input)] });
    };
    const paused = await run(agentOf(z.object({ share: z.string() })), "Buy", options);
    const input = options.session ? [] : stored(paused.state);
    const again = await run(agentOf(next), input, { ...options, ...decide(paused) });
    const outcomes = again.messages.flatMap((each) => (each.role === "tool" ? [each.result.outcome] : []));
    expect([again.status, outcomes, executed]).toEqual([
      "paused",
      [expect.stringMatching(/invalid-arguments|cancelled/)],
      [],
    ]);
    expect(shownOf(again)).toEqual([{ share: "ACME", market: "XETRA" }]);
  },
);

test("a call without a decision waits on as it was shown, under the same id", async () => {
  const other = { ...buy, toolCallId: "call_2" };
  const agent = trader([buying()], buy, other);
  const paused = await run(agent, "Buy");
  const [first = "", second = ""] = idsOf(paused);
  const approve = (approvalId: string): RunOptions => ({ approvals: [{ approvalId, decision: "approve" }] });
  const later = await run(agent, stored(paused.state), approve(first));
  expect(later.pending).toEqual([paused.pending[1]]);
  await run(agent, stored(later.state), approve(second));
  expect(executed).toEqual(shownOf(paused));
});

test("arguments that a person wrote are those that are executed", async () => {
  const agent = trader([buying()], buy);
  const paused = await run(agent, "Buy");
  await run(agent, stored(paused.state), decide(paused, "approve", { arguments: { share: "B", limit: 1 } }));
  expect(executed).toEqual([{ share: "B", limit: 1 }]);
});

describe("a call that refers to the result of another", () => {
  const quote = tool({ name: "quote", description: "A price.", input: {}, execute: () => 98_765 });
  const priced = { ...buy, arguments: { share: "ACME", limit: { $result: "quote" } } };
  const agent = (): Agent => trader([quote, buying()], { toolName: "quote" }, priced);

  test("is listed with that result as its input, in states and sessions", async () => {
    const session = memorySession();
    const shown = [{ input: { share: "ACME", limit: 98_765 } }];
    const paused = await run(agent(), "Buy", { session });
    expect(paused.pending).toMatchObject(shown);
    expect(paused.state.pending).toMatchObject(shown);
    expect((await readSession(session)).state?.pending).toEqual(paused.pending);
    await run(agent(), [], { session, ...decide(paused) });
    expect(executed).toEqual([{ share: "ACME", limit: 98_765 }]);
  });

  test("keeps a computed default as well", async () => {
    const input = z.object({
      share: z.string(),
      limit: z.number(),
      id: z.uuid().default(() => crypto.randomUUID()),
    });
    const both = trader([quote, buying(input)], { toolName: "quote" }, priced);
    const paused = await run(both, "Buy");
    await run(both, stored(paused.state), decide(paused));
    expect(executed).toEqual(shownOf(paused));
  });
});

test.each([
  ["an input", { input: { share: "EVIL", limit: 1 } }],
  ["a call", { toolCall: { ...buy, arguments: '{"share":"EVIL"}' } }],
])("a state in which a call that waits has begun already, with %s, is refused", async (_title, work) => {
  const agent = trader([buying()], buy);
  const paused = await run(agent, "Buy a share");
  const nested = [{ toolCallId: buy.toolCallId, steps: [], ...work }];
  const { message } = await failure(run(agent, { ...paused.state, nested }, decide(paused)));
  expect(message).toMatch(/has changed since approval was requested/);
  expect(executed).toEqual([]);
});

describe("a state whose inputs were changed is refused:", () => {
  test.each([
    ["the pending call", ["pending"]],
    ["the approval", ["approvals"]],
    ["both", ["pending", "approvals"]],
  ] as const)("%s", async (_title, lists) => {
    const agent = trader([buying()], buy);
    const paused = await run(agent, "Buy");
    const state: RunState = stored(paused.state);
    const changed = lists.map((name) => [
      name,
      state[name]?.map((entry) => ({ ...entry, input: { share: "ACME", limit: 1 } })),
    ]);
    const { code, message } = await failure(
      run(agent, { ...state, ...Object.fromEntries(changed) }, decide(paused)),
    );
    expect(code).toBe("invalid-input");
    expect(message).toMatch(/has changed since approval was requested/);
    expect(executed).toEqual([]);
  });

  test("but not one whose keys a store has put in another order", async () => {
    const agent = trader([buying()], buy);
    const paused = await run(agent, "Buy");
    const text = JSON.stringify(paused.state);
    const turned = text.replaceAll(/\{"share":"ACME",("limit":\d+)\}/g, '{$1,"share":"ACME"}');
    expect(turned).not.toEqual(text);
    await run(agent, JSON.parse(turned), decide(paused));
    expect(executed).toEqual(shownOf(paused));
  });
});

describe("a call within another", () => {
  const outer = { toolCallId: "call_0", toolName: "outer", arguments: {} };

  test("of a tool is executed as it was shown", async () => {
    const calling = tool({
      name: "outer",
      description: "Buys by another tool.",
      input: {},
      execute: (_input, context) => context.call("buy", { share: "ACME" }),
    });
    const agent = trader([calling, buying()], outer);
    const paused = await run(agent, "Buy");
    expect(paused.pending).toMatchObject([{ parentToolCallId: "call_0", input: { share: "ACME" } }]);
    await run(agent, stored(paused.state), decide(paused));
    expect(executed).toEqual(shownOf(paused));
  });

  test("of an agent is executed as it was shown, at any depth", async () => {
    const desk = trader([buying()], buy).with({ name: "Desk", description: "Buys." });
    const floor = trader([desk.asTool()], { toolName: "desk", arguments: { input: "Buy" } });
    const broker = floor.with({ name: "Floor", description: "Has others buy." });
    const agent = trader([broker.asTool()], { toolName: "floor", arguments: { input: "Buy" } });
    const paused = await run(agent, "Buy");
    expect(paused.pending).toMatchObject([{ agent: "Desk", input: { share: "ACME" } }]);
    await run(agent, stored(paused.state), decide(paused));
    expect(executed).toEqual(shownOf(paused));
  });

  /** A tool that needs approval and calls another one that does. */
  const calling = (most: z.ZodType): Agent =>
    trader(
      [
        tool({
          name: "outer",
          description: "Buys by another tool.",
          approval: true,
          input: most,
          execute: (args: unknown, context) => {
            executed.push(args);
            return context.call("buy", { share: "ACME", limit: 1 });
          },
        }),
        buying(),
      ],
      outer,
    );

  test("has the tool that made it called again with the input that was approved for that", async () => {
    const agent = calling(z.object({ most: z.number().default(() => (limit += 10)) }));
    const first = await run(agent, "Buy");
    const second = await run(agent, stored(first.state), decide(first));
    expect(second.pending).toMatchObject([{ toolName: "buy" }]);
    await run(agent, stored(second.state), decide(second));
    expect(executed).toEqual([...shownOf(first), ...shownOf(first), { share: "ACME", limit: 1 }]);
  });

  test("fails with the tool that made it if that can no longer be called so", async () => {
    const turning = z.object({ most: z.number().default(() => (limit += 10)) });
    const first = await run(calling(turning), "Buy");
    const second = await run(calling(turning), stored(first.state), decide(first));
    const next = calling(
      z.object({ most: z.number().default(0) }).transform(() => ({ most: (limit += 10) })),
    );
    const ended = await run(next, stored(second.state), decide(second));
    expect(ended.status).toBe("completed");
    expect(ended.messages[0]).toMatchObject({ role: "tool", result: { outcome: "cancelled" } });
    expect(executed).toEqual(shownOf(first));
  });
});
