/** Runs in one session, in random order and with random crashes: no call is executed twice, and nothing that was executed is denied. */
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Agent, run, tool, type ApprovalDecision, type Message, type Session } from "skein";
import { fileSession, memorySession, readSession, sqliteSession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { shareOf } from "../effort.ts";
import { mapLimit } from "../../src/base/util/map-limit.ts";
import { temporaryFolder } from "../../src/sessions/test-stores.ts";
import { randomOf, type Random } from "../../src/testing/conformance/random.ts";

const folder = temporaryFolder();
const empty = { type: "object", properties: {} } as const;

interface Case {
  readonly seed: number;
  readonly random: Random;
  /** Executions by their idempotency keys. */
  readonly executions: Map<string, number>;
  /** The call ids of executions. */
  readonly executedCalls: Set<string>;
  crashes: number;
  messages: number;
}

const below = ({ random }: Case, count: number): number => random.integer(0, count - 1);

/** Waits for a random number of ticks: where others may come in between. */
async function pause(each: Case): Promise<void> {
  for (let ticks = below(each, 4); ticks > 0; ticks--) await new Promise(setImmediate);
}

function newAgent(each: Case): Agent {
  const tools = ["pay", "note"].map((name) =>
    tool({
      name,
      input: empty,
      approval: name === "pay",
      execute: async (_, { idempotencyKey, toolCallId }) => {
        each.executions.set(idempotencyKey, (each.executions.get(idempotencyKey) ?? 0) + 1);
        each.executedCalls.add(toolCallId);
        await pause(each);
        return "done";
      },
    }),
  );
  let calls = 0;
  const model = new FunctionModel(async ({ messages }) => {
    await pause(each);
    if (messages.at(-1)?.role === "tool" || below(each, 3) === 0) return "Done.";
    const toolCalls = Array.from({ length: 1 + below(each, 3) }, () => ({
      toolCallId: `call-${(calls += 1)}`,
      toolName: below(each, 3) > 0 ? "pay" : "note",
    }));
    return { toolCalls };
  });
  return new Agent({ name: "Clerk", model, tools });
}

/** A session as one process has it: it may die at any of its entries. */
function processOf(each: Case, shared: Session): Session {
  const crash = below(each, 4) === 0 ? 1 + below(each, 5) : Number.POSITIVE_INFINITY;
  let appends = 0;
  const append: Session["append"] = async (entries) => {
    await pause(each);
    if ((appends += 1) === crash) each.crashes++;
    if (appends >= crash) throw new Error("crash");
    await shared.append(entries);
    await pause(each);
  };
  const load: Session["load"] = async () => {
    await pause(each);
    return shared.load();
  };
  const busy = below(each, 2) === 0 ? "wait" : "reject";
  // Half of them know of each other by the key alone, as the runs of one process do; the others by the entries.
  const key = below(each, 2) === 0 ? { key: `process ${each.seed}` } : {};
  return { busy, ...key, append, load, clear: () => shared.clear() };
}

/** One user: says something, or decides on what waits, at some time. */
async function act(each: Case, agent: Agent, shared: Session): Promise<string> {
  await pause(each);
  const session = processOf(each, shared);
  const { state } = await readSession(shared);
  const waiting = state?.pending.flatMap(({ approvalId }) => approvalId ?? []) ?? [];
  try {
    if (!state || below(each, 3) === 0) {
      await run(agent, `message ${(each.messages += 1)}`, { session });
      return "answered";
    }
    const approvals = waiting.flatMap((approvalId): ApprovalDecision[] => {
      const choice = below(each, 3);
      return choice === 0 ? [] : [{ approvalId, decision: choice === 1 ? "approve" : "deny" }];
    });
    await run(agent, [], { session, approvals });
    return "resumed";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

const harmless = new Set(["answered", "resumed", "session-busy", "session-failed", "invalid-input"]);

async function check(each: Case, shared: Session): Promise<void> {
  const agent = newAgent(each);
  const outcomes: string[] = [];
  for (let round = 0; round < 3; round++) {
    const users = Array.from({ length: 2 + below(each, 3) }, () => act(each, agent, shared));
    outcomes.push(...(await Promise.all(users)));
  }
  expect(outcomes.filter((outcome) => !harmless.has(outcome))).toEqual([]);
  const repeated = [...each.executions.values()].reduce((sum, count) => sum + count - 1, 0);
  // A process that dies may have executed up to three calls whose ends nobody knows.
  expect(repeated).toBeLessThanOrEqual(3 * each.crashes);
  const { messages } = await readSession(shared);
  expect(deniedOf(messages).filter((toolCallId) => each.executedCalls.has(toolCallId))).toEqual([]);
  expect(resultsOf(messages)).toEqual([...new Set(resultsOf(messages))]);
}

const resultsOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) => (message.role === "tool" ? message.result.toolCallId : []));

/** The calls of which the history says that they were not executed. */
const deniedOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) =>
    message.role === "tool" && ["denied", "not-executed"].includes(message.result.outcome)
      ? message.result.toolCallId
      : [],
  );

test.each([
  ["memory", shareOf(8_000), () => memorySession()],
  [
    "file",
    shareOf(1_000),
    (name: string) => fileSession(join(folder, `${name}.jsonl`), { synchronous: "normal" }),
  ],
  [
    "sqlite",
    shareOf(1_000),
    (name: string) => sqliteSession(join(folder, "all.db"), name, { synchronous: "normal" }),
  ],
] as const)("%s: %d random interleavings", { timeout: 600_000 }, async (_, count, open) => {
  const first = Number(process.env["SEED"] ?? randomInt(2 ** 31));
  const seeds = Array.from({ length: count }, (_, index) => first + index);
  const failures: { readonly seed: number; readonly error: unknown }[] = [];
  // Many at a time: most of them wait for each other's ends.
  await mapLimit(seeds, 50, async (seed) => {
    const each: Case = {
      seed,
      random: randomOf(seed),
      executions: new Map(),
      executedCalls: new Set(),
      crashes: 0,
      messages: 0,
    };
    await check(each, open(`${seed}`)).catch((error: unknown) => failures.push({ seed, error }));
  });
  expect(failures).toEqual([]);
});
