/** Limits of calls where something remembers steps: a run that is started again, or resumed, makes no more calls than one without a failure. */
import { Agent, type Journal, run, type RunOptions, type RunResult, type Session, tool } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { describe, expect, test } from "vitest";
import { memoryJournal, type MemoryJournal } from "./test-journal.ts";
import { empty } from "./test-nested.ts";

interface Limits {
  /** `maxToolCalls` of the run. */
  readonly ofRun?: number;
  /** `maxCalls` of the tool. */
  readonly ofTool?: number;
  /** `maxToolCalls` of the agent within. */
  readonly ofAgent?: number;
}

/** What an agent within is called by. */
type Way = "asTool" | "runAgent" | "an agent between" | "a step";

const ways: readonly Way[] = ["asTool", "runAgent", "an agent between", "a step"];
const allLimits: readonly (readonly [string, Limits])[] = [
  ["maxToolCalls of the run", { ofRun: 4 }],
  ["maxCalls of the tool", { ofTool: 3 }],
  ["maxToolCalls of the agent", { ofAgent: 2 }],
  ["all of them", { ofRun: 5, ofTool: 3, ofAgent: 2 }],
];
const isWithin = ([, { ofRun }]: readonly [string, Limits]): boolean => ofRun === undefined;

/** Sends one letter in each of its answers, and is done then. */
function sends(...ids: readonly string[]): FunctionModel {
  const turns = ids.map((id) => (id === "within" ? within : letter(id)));
  return new FunctionModel(({ messages }) => {
    const call = turns[messages.filter(({ role }) => role === "assistant").length];
    return call ? { toolCalls: [call] } : "done";
  });
}

const letter = (id: string) => ({ toolName: "send", toolCallId: `call-${id}`, arguments: { id } });
const within = { toolName: "within", toolCallId: "within", arguments: { input: "go" } };

/** An agent that sends letters by one within it, and then itself. */
function office(way: Way, { ofTool, ofAgent }: Limits, mask = false): { agent: Agent; sent: string[] } {
  const sent: string[] = [];
  const send = tool({
    name: "send",
    input: { type: "object", properties: { id: { type: "string" } } },
    mask,
    ...(ofTool !== undefined && { maxCalls: ofTool }),
    execute: ({ id }: { id: string }) => {
      sent.push(id);
      return `sent ${id}`;
    },
  });
  const own = ofAgent === undefined ? {} : { maxToolCalls: ofAgent };
  const clerk = new Agent({ name: "Clerk", model: sends("i1", "i2", "i3"), tools: [send] });
  const desk = new Agent({
    name: "Desk",
    model: sends("within", "d1"),
    tools: [send, clerk.asTool({ name: "within" })],
  });
  const tools = {
    asTool: clerk.asTool({ name: "within", ...own }),
    "an agent between": desk.asTool({ name: "within", ...own }),
    runAgent: tool({
      name: "within",
      input: empty,
      execute: async (_, { runAgent }) => runAgent(clerk, "go", own),
    }),
    "a step": tool({
      name: "within",
      input: empty,
      execute: async (_, { step, runAgent }) => step("letters", async () => runAgent(clerk, "go", own)),
    }),
  };
  const agent = new Agent({ name: "Root", model: sends("within", "o1", "o2"), tools: [send, tools[way]] });
  return { agent, sent };
}

/** How a run ended, and what was sent. */
function endOf({ status, state }: RunResult, sent: readonly string[]): object {
  const { calls, toolCalls, pending } = state;
  const result = state.messages.find(
    (message) => message.role === "tool" && message.result.toolCallId === "within",
  );
  return { status, calls, toolCalls, pending, result, sent };
}

/** Runs an office until it ends otherwise than by what keeps it. */
async function runThrough(
  [way, limits]: readonly [Way, Limits],
  options: RunOptions,
  isMasked = false,
): Promise<object> {
  const { agent, sent } = office(way, limits, isMasked);
  const { ofRun } = limits;
  const { session } = options;
  for (let attempt = 0; attempt < 5; attempt++) {
    const hasBegun = session && (await session.load()).entries.some(({ type }) => type === "message");
    const all = { ...options, ...(ofRun !== undefined && { maxToolCalls: ofRun }) };
    try {
      return endOf(await run(agent, hasBegun ? [] : "go", all), [...new Set(sent)]);
    } catch {
      // Started again.
    }
  }
  throw new Error("The run failed each time.");
}

/** Fails at its writes of those numbers, each counted from the failure before. */
class Writes {
  readonly #fails: number[];
  #count = 0;

  constructor(...fails: readonly number[]) {
    this.#fails = [...fails];
  }

  next(): void {
    if (++this.#count !== this.#fails[0]) return;
    this.#fails.shift();
    this.#count = 0;
    throw new Error("The connection was lost.");
  }
}

/** A journal whose store keeps a value, and fails then. */
function failingJournal(writes: Writes): Journal {
  const journal = memoryJournal();
  return {
    step: async (key, perform) => {
      const isNew = !journal.steps.has(key);
      const value = await journal.step(key, perform);
      if (isNew) writes.next();
      return value;
    },
  };
}

function failingSession(writes: Writes): Session {
  const session = memorySession();
  return {
    isLeased: true,
    load: async () => session.load(),
    append: async (entries) => {
      writes.next();
      return session.append(entries);
    },
    clear: async () => session.clear(),
  };
}

const numbers = Array.from({ length: 16 }, (_, index) => index + 1);

describe.each(allLimits)("%s", (_name, limits) => {
  test.each(ways)("holds under a journal that fails at any one of its writes, with %s", async (way) => {
    const expected = await runThrough([way, limits], {});
    for (const number of numbers) {
      const journal = failingJournal(new Writes(number));
      expect(await runThrough([way, limits], { journal }), `write ${number}`).toEqual(expected);
    }
  });

  test.each(ways)("holds under a journal that fails twice, with %s", async (way) => {
    const expected = await runThrough([way, limits], {});
    for (const first of numbers)
      for (const second of [2, 5]) {
        const journal = failingJournal(new Writes(first, second));
        expect(await runThrough([way, limits], { journal }), `writes ${first}, ${second}`).toEqual(expected);
      }
  });
});

describe.each(allLimits.filter(isWithin))("%s", (_name, limits) => {
  test.each(ways)("holds in a session whose store fails at any one of its writes, with %s", async (way) => {
    const expected = await runThrough([way, limits], {});
    for (const number of numbers) {
      const session = failingSession(new Writes(1, number));
      expect(await runThrough([way, limits], { session }), `write ${number}`).toEqual(expected);
    }
  });
});

test.each(ways)(
  "calls whose values are masked, and that are made again, count once, with %s",
  async (way) => {
    const limits = { ofRun: 6, ofAgent: 3 };
    const expected = await runThrough([way, limits], {}, true);
    for (const number of numbers) {
      const journal = failingJournal(new Writes(number));
      expect(await runThrough([way, limits], { journal }, true), `write ${number}`).toEqual(expected);
    }
  },
);

test("calls side by side, one of which is made again, count once each", async () => {
  const step = (name: string, mask: boolean) =>
    tool({ name, input: empty, mask, maxCalls: 2, execute: () => name });
  const both = tool({
    name: "both",
    input: empty,
    execute: async (_, { call }) => {
      for (let round = 0; round < 2; round++) await Promise.all([call("hidden", {}), call("plain", {})]);
      return "both";
    },
  });
  const model = new FunctionModel(({ messages }) =>
    messages.length === 1
      ? { toolCalls: [{ toolName: "both", arguments: {} }] }
      : JSON.stringify(messages.at(-1)),
  );
  const agent = new Agent({ name: "A", model, tools: [both, step("hidden", true), step("plain", false)] });
  for (const number of numbers.slice(0, 8)) {
    const options = { journal: failingJournal(new Writes(number)), maxToolCalls: 5 };
    await run(agent, "go", options).catch(() => {});
    expect(await run(agent, "go", options), `write ${number}`).toMatchObject({
      status: "completed",
      text: expect.stringContaining('"both"}'),
      state: { toolCalls: 5, calls: { hidden: 2, plain: 2 } },
    });
  }
});

test("an agent's answer is kept as a text where no calls are limited, and with what was counted where some are", async () => {
  for (const limits of [{}, { ofAgent: 3 }]) {
    const { journal, key } = await keptAnswer(limits);
    expect(JSON.parse(journal.steps.get(key) ?? "")).toBe("done");
  }
  const { journal, key } = await keptAnswer({ ofRun: 9 });
  const counts = { toolCalls: 3 };
  expect(JSON.parse(journal.steps.get(key) ?? "")).toEqual({ text: "done", counts });
});

test("an answer that an earlier version has kept as a text is read under limits", async () => {
  const { journal, key } = await keptAnswer({ ofRun: 9 });
  journal.steps.set(key, JSON.stringify("read"));
  const { agent } = office("asTool", {});
  const ended = await run(agent, "go", { journal, maxToolCalls: 9 });
  expect(endOf(ended, [])).toMatchObject({
    status: "completed",
    result: { result: { content: [{ text: "read" }] } },
  });
});

test.each([
  { text: 3, counts: {} },
  { text: "done" },
  { text: "done", counts: { toolCalls: "3" } },
  { text: "done", counts: { toolCalls: -1 } },
  { text: "done", counts: { isCallLimitReached: 1 } },
  { text: "done", counts: { calls: [3] } },
  { text: "done", counts: { calls: { send: null } } },
  { text: "done", counts: { within: {} } },
  { text: "done", counts: { within: [{ toolCalls: 0.5 }] } },
])("a run fails with an answer that no version has kept: %j", async (value) => {
  const { journal, key } = await keptAnswer({ ofRun: 9 });
  journal.steps.set(key, JSON.stringify(value));
  const { agent } = office("asTool", {});
  await expect(run(agent, "go", { journal, maxToolCalls: 9 })).rejects.toThrow("returned an invalid value");
});

test("a run fails with a call whose counts have another form", async () => {
  const { journal } = await keptAnswer({ ofRun: 9 });
  const key = [...journal.steps.keys()].find((each) => each.endsWith("call-o1")) ?? "";
  const call: object = JSON.parse(journal.steps.get(key) ?? "");
  journal.steps.set(key, JSON.stringify({ ...call, counts: { toolCalls: "4" } }));
  const { agent } = office("asTool", {});
  await expect(run(agent, "go", { journal, maxToolCalls: 9 })).rejects.toThrow("returned an invalid value");
});

/** A journal that has an agent's answer, and not what came of the call for it; and the key of the answer. */
async function keptAnswer(limits: Limits): Promise<{ journal: MemoryJournal; key: string }> {
  const journal = memoryJournal();
  await runThrough(["asTool", limits], { journal });
  const endings = (pattern: RegExp): string =>
    [...journal.steps.keys()].find((key) => pattern.test(key)) ?? "";
  journal.steps.delete(endings(/tool\/within$/));
  return { journal, key: endings(/within\/run\/[^/]+$/) };
}
