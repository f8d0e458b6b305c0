/** Approved calls of tools whose own calls need approval as well: each is decided once, at any depth. */
import {
  Agent,
  run,
  tool,
  type JsonObject,
  type Middleware,
  type RunOptions,
  type RunResult,
  type Session,
  type Tool,
  type ToolContext,
} from "skein";
import { memorySession } from "skein/sessions";
import { describe, expect, test } from "vitest";
import { calls, decide, does, effects, empty, keepers, keys, plain } from "./test-nested.ts";

interface Level {
  readonly name: string;
  readonly work: (context: ToolContext) => Promise<unknown>;
  readonly approval?: boolean;
  readonly mask?: boolean;
}

/** A tool that calls others, and returns what they return. */
function level({ name, work, approval = true, mask = false }: Level): Tool {
  return tool({
    name,
    input: { type: "object", properties: { note: { type: "string" } } },
    approval,
    mask,
    execute: async ({ note = "" }: { note?: string }, context) =>
      `${name}${note}(${String(await work(context))})`,
  });
}

/** A chain of calls, each within the one before, of which the first is the model's and the last has an effect. */
function chain(depth: number): readonly Tool[] {
  const names = Array.from({ length: depth }, (_, index) => `level_${index}`);
  return [
    ...names.map((name, index) =>
      level({
        name,
        approval: index > 0,
        work: async ({ call }) => {
          await call("look", { amount: index });
          return call(names[index + 1] ?? "pay", {});
        },
      }),
    ),
    does("pay", { approval: true }),
    does("look"),
  ];
}

function agentOf(tools: readonly Tool[], first = tools[0]?.name ?? ""): Agent {
  return new Agent({ name: "Boss", model: calls({ toolName: first, arguments: {} }), tools: [...tools] });
}

/** Decides on what is pending until the run ends, in another process each time. Returns the names in the order of the decisions. */
async function decideAll(
  agent: () => Agent,
  options: RunOptions,
  decisionOn: (toolName: string) => "approve" | "deny" = () => "approve",
): Promise<{ readonly outcome: RunResult; readonly names: readonly string[] }> {
  const names: string[] = [];
  let outcome: RunResult = await run(agent(), "go", options);
  while (outcome.status === "paused") {
    const [next] = outcome.pending;
    if (names.length > 20) throw new Error(`the run never ends: ${names.join()}`);
    names.push(next.toolName);
    const input = options.session ? [] : plain(outcome.state);
    const approvals = decide({ pending: [next] }, decisionOn(next.toolName));
    outcome = await run(agent(), input, { ...options, approvals });
    expect(outcome.warnings).toEqual([]);
  }
  expect(outcome.status).toBe("completed");
  return { outcome, names };
}

const depths = [2, 3, 4] as const;
const cases = keepers.flatMap(([title, optionsOf]) =>
  depths.map((depth) => [depth, title, optionsOf] as const),
);

describe("an approved call within a call", () => {
  test.each(cases)(
    "is not decided again for what it calls, %i deep, with %s",
    async (depth, _title, optionsOf) => {
      const { outcome, names } = await decideAll(() => agentOf(chain(depth)), optionsOf());
      const inner = Array.from({ length: depth - 1 }, (_, index) => `level_${index + 1}`);
      expect(names).toEqual([...inner, "pay"]);
      expect(effects).toEqual([...Array.from({ length: depth }, (_, index) => `look ${index}`), "pay"]);
      expect(new Set(keys).size).toBe(keys.length);
      expect(outcome.text).toContain("pay is done");
    },
  );

  test.each([
    ["level_1", ["level_1"]],
    ["level_2", ["level_1", "level_2"]],
    ["pay", ["level_1", "level_2", "pay"]],
  ])("has no effect where %s is denied", async (denied, expected) => {
    const { outcome, names } = await decideAll(
      () => agentOf(chain(3)),
      {},
      (name) => (name === denied ? "deny" : "approve"),
    );
    expect(names).toEqual(expected);
    expect(effects).not.toContain("pay");
    expect(outcome.text).toContain(`${denied} was not called: it was not approved.`);
  });

  test.each(keepers)("waits beside another one, in any order, with %s", async (_title, optionsOf) => {
    const branch = (name: string): readonly Tool[] => [
      level({ name, work: ({ call }) => call(`pay_${name}`, {}) }),
      does(`pay_${name}`, { approval: true }),
    ];
    const both = level({
      name: "both",
      approval: false,
      work: ({ call }) => Promise.all([call("left", {}), call("right", {})]),
    });
    const agent = (): Agent => agentOf([both, ...branch("left"), ...branch("right")]);
    const options = optionsOf();
    const { names } = await decideAll(agent, options);
    expect(names.toSorted()).toEqual(["left", "pay_left", "pay_right", "right"]);
    expect(effects.toSorted()).toEqual(["pay_left", "pay_right"]);
  });

  test.each(keepers)("waits within agents that tools run, with %s", async (_title, optionsOf) => {
    const clerk = (): Agent =>
      new Agent({
        name: "Clerk",
        model: calls({ toolName: "order", arguments: {} }),
        tools: [
          level({ name: "order", work: ({ call }) => call("check", {}) }),
          level({ name: "check", work: ({ call }) => call("pay", {}) }),
          does("pay", { approval: true }),
        ],
      });
    const agent = (): Agent =>
      agentOf([
        level({ name: "start", approval: false, work: ({ call }) => call("ask", {}) }),
        level({ name: "ask", work: ({ runAgent }) => runAgent(clerk(), "Go.") }),
      ]);
    const { names } = await decideAll(agent, optionsOf());
    expect(names).toEqual(["ask", "order", "check", "pay"]);
    expect(effects).toEqual(["pay"]);
  });

  test.each(keepers)("keeps the arguments that a person wrote, with %s", async (_title, optionsOf) => {
    const tools = (): readonly Tool[] => [
      level({ name: "start", approval: false, work: ({ call }) => call("order", {}) }),
      level({ name: "order", work: ({ call }) => call("pay", {}) }),
      does("pay", { approval: true }),
    ];
    const options = optionsOf();
    const answer = (outcome: RunResult, edited?: JsonObject): Promise<RunResult> =>
      run(agentOf(tools()), options.session ? [] : plain(outcome.state), {
        ...options,
        approvals: decide(outcome, "approve", edited && { arguments: edited }),
      });
    const first = await run(agentOf(tools()), "go", options);
    const second = await answer(first, { note: " by hand" });
    expect(second.pending).toMatchObject([{ toolName: "pay" }]);
    const done = await answer(second, { amount: 7 });
    expect(done).toMatchObject({ status: "completed", warnings: [] });
    expect(done.text).toContain("start(order by hand(pay is done");
    expect(effects).toEqual(["pay 7"]);
  });

  test("is made as a middleware changed it before", async () => {
    const noting: Middleware = {
      tool: (call, _info, next) =>
        next(call.toolName === "order" ? { ...call, arguments: '{"note":"!"}' } : call),
    };
    const agent = (): Agent =>
      agentOf([
        level({ name: "start", approval: false, work: ({ call }) => call("order", {}) }),
        level({ name: "order", work: ({ call }) => call("pay", {}) }),
        does("pay", { approval: true }),
      ]);
    const { names, outcome } = await decideAll(agent, { middleware: [noting] });
    expect(names).toEqual(["order", "pay"]);
    expect(outcome.text).toContain("order!(pay is done)");
  });

  test("is finished with the arguments that it was approved with, whatever a middleware writes by then", async () => {
    let note = "one";
    const agent = (): Agent =>
      agentOf([
        level({ name: "start", approval: false, work: ({ call }) => call("order", {}) }),
        level({ name: "order", work: ({ call }) => call("pay", {}) }),
        does("pay", { approval: true }),
      ]);
    const noting: Middleware = {
      tool: (call, _info, next) =>
        next(call.toolName === "order" ? { ...call, arguments: JSON.stringify({ note }) } : call),
    };
    const options = { middleware: [noting] };
    const first = await run(agent(), "go", options);
    const second = await run(agent(), plain(first.state), { ...options, approvals: decide(first) });
    note = "two";
    const done = await run(agent(), plain(second.state), { ...options, approvals: decide(second) });
    expect(done.text).toContain("start(orderone(pay is done))");
    expect(effects).toEqual(["pay"]);
  });

  test.each(keepers)(
    "and whose result is masked is not decided again, with %s",
    async (_title, optionsOf) => {
      const agent = (): Agent =>
        agentOf([
          level({
            name: "start",
            approval: false,
            work: async ({ call }) => [await call("order", {}), await call("note", {})],
          }),
          level({ name: "order", mask: true, work: ({ call }) => call("pay", {}) }),
          does("pay", { approval: true }),
          does("note", { approval: true }),
        ]);
      const { names } = await decideAll(agent, optionsOf());
      expect(names).toEqual(["order", "pay", "note"]);
      expect(effects).toEqual(["pay", "note"]);
    },
  );

  test("is not made twice by a tool that is tried again, though its result is masked", async () => {
    let attempts = 0;
    const flaky = tool({
      name: "start",
      input: empty,
      retries: { times: 5, delay: 1 },
      execute: async (_input: unknown, { call }: ToolContext) => {
        const paid = await call("pay", {});
        attempts++;
        if (attempts < 3) throw Object.assign(new Error("busy"), { isTransient: true });
        return paid;
      },
    });
    const agent = (): Agent => agentOf([flaky, does("pay", { approval: true, mask: true })]);
    const { names, outcome } = await decideAll(agent, {});
    expect({ names, attempts, effects }).toEqual({ names: ["pay"], attempts: 3, effects: ["pay"] });
    expect(outcome.text).toContain("pay is done");
  });

  test("goes on from its session wherever the process died", async () => {
    const session = memorySession();
    const counts: number[] = [];
    const recorded: Session = {
      load: () => session.load(),
      clear: () => session.clear(),
      async append(entries) {
        await session.append(entries);
        counts.push(entries.at(-1)?.sequence ?? 0);
      },
    };
    const { outcome, names } = await decideAll(() => agentOf(chain(3)), { session: recorded });
    expect(names).toEqual(["level_1", "level_2", "pay"]);
    const whole = [...effects];
    const { entries } = await session.load();
    for (const count of counts) {
      const before = entries.slice(0, count);
      const again = memorySession();
      await again.append(before);
      effects.length = 0;
      const remaining: string[] = [];
      let rest: RunResult = await run(agentOf(chain(3)), [], { session: again });
      while (rest.status === "paused") {
        remaining.push(rest.pending[0].toolName);
        rest = await run(agentOf(chain(3)), [], { session: again, approvals: decide(rest) });
        expect(rest.warnings).toEqual([]);
      }
      expect(rest.text).toBe(outcome.text);
      expect(names.slice(names.length - remaining.length), `after ${count} entries`).toEqual(remaining);
      expect(whole.slice(whole.length - effects.length), `after ${count} entries`).toEqual(effects);
    }
  });
});
