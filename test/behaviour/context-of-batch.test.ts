/** The calls of one answer see the context as it was before them, and so do their policies, however often the run pauses between them. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, result, run, tool, type RunOptions, type RunResult, type RunState, type Tool } from "skein";
import { fileSession, memorySession, readSession } from "skein/sessions";
import { FunctionModel, type ScriptedToolCall } from "skein/testing";
import { describe, expect, test } from "vitest";
import { empty, plain } from "./test-nested.ts";
import { memoryJournal } from "./test-journal.ts";

const anything = { type: "object", properties: { x: {} } } as const;
const before = { account: "main", x: 0 };

/** What keeps a run between its parts: each part gets options of its own, as another process would make them. */
const keepers: readonly (readonly [string, () => () => RunOptions])[] = [
  ["a state", () => () => ({})],
  ["a signed state", () => () => ({ stateSecret: "0123456789abcdef" })],
  ["a journal", () => ((journal) => () => ({ journal }))(memoryJournal())],
  ["a session in memory", () => ((session) => () => ({ session }))(memorySession())],
  [
    "a session in a file",
    () =>
      ((path) => () => ({ session: fileSession(path) }))(
        join(mkdtempSync(join(tmpdir(), "skein-batch-")), "session.jsonl"),
      ),
  ],
];

function answers(...turns: readonly (readonly ScriptedToolCall[])[]): FunctionModel {
  return new FunctionModel(({ messages }) => {
    const toolCalls = turns[messages.filter(({ role }) => role === "assistant").length];
    return toolCalls ? { toolCalls } : "Done.";
  });
}

/** What calls and their policies see of the context. */
class World {
  readonly #seen = new Set<string>();
  readonly #pauses: boolean;

  constructor(pauses: boolean) {
    this.#pauses = pauses;
  }

  /** Each thing once: policies are asked again after a pause. */
  get seen(): readonly string[] {
    return [...this.#seen].toSorted();
  }

  see(what: string, context: unknown): void {
    this.#seen.add(`${what} ${JSON.stringify(context)}`);
  }

  /** Tools that note what they see, and change the context: those that need an approval pause the run. */
  tool(name: string, context: object, needsApproval = false): Tool {
    return tool({
      name,
      description: name,
      input: anything,
      allow: (scope) => {
        this.see(`allow of ${name}`, scope.context);
        return true;
      },
      approval: (_, scope) => {
        this.see(`approval of ${name}`, scope.context);
        return needsApproval && this.#pauses;
      },
      cache: { key: (_, scope) => `${String(this.see(`key of ${name}`, scope.context))} ${Math.random()}` },
      execute: (_: object, scope) => {
        this.see(name, scope.context);
        return result({ value: name, context });
      },
    });
  }

  outside(): Tool {
    return tool({
      name: "outside",
      description: "outside",
      input: anything,
      allow: (scope) => {
        this.see("allow of outside", scope.context);
        return true;
      },
      ...(!this.#pauses && { execute: () => "outside" }),
    });
  }

  team(): Agent {
    const pay = this.tool("pay", { paid: true, x: 1 }, true);
    const change = this.tool("change", { account: "evil", x: 2, changed: true });
    const later = this.tool("later", { x: 4 });
    const look = this.tool("look", { looked: true });
    const clerk = new Agent({
      name: "Clerk",
      description: "Pays.",
      model: answers(
        [{ toolName: "own" }],
        [{ toolName: "pay" }, { toolName: "own2" }, { toolName: "pay" }],
        [{ toolName: "look" }],
      ),
      tools: [this.tool("own", { own: 1 }), this.tool("own2", { own: 2, x: 9 }), pay, look],
    });
    const wrap = tool({
      name: "wrap",
      input: anything,
      execute: async (_: object, { call, context }) => {
        this.see("wrap", context);
        await call("change", {});
        await call("pay", {});
        return call("look", {});
      },
    });
    const chief = new Agent({
      name: "Chief",
      description: "Has clerks.",
      model: answers(
        [{ toolName: "ask_clerk", arguments: { input: "Go." } }, { toolName: "own" }],
        [{ toolName: "look" }],
      ),
      tools: [clerk.asTool({ name: "ask_clerk" }), this.tool("own", { own: 3 }), look],
    });
    const clerkTool = clerk.asTool({ name: "clerk" });
    const tools = [
      pay,
      change,
      later,
      look,
      wrap,
      this.outside(),
      clerkTool,
      chief.asTool({ name: "chief" }),
    ];
    return new Agent({ name: "A", model: this.model ?? answers(), tools });
  }

  model: FunctionModel | undefined;
}

/** Decides on one call at a time, and each part goes on from what the keeper has. */
async function play(
  pauses: boolean,
  turns: readonly (readonly ScriptedToolCall[])[],
  optionsOf: () => RunOptions = () => ({}),
): Promise<{ seen: readonly string[]; context: unknown; status: string; pauses: number }> {
  const world = new World(pauses);
  world.model = answers(...turns);
  let at: RunResult = await run(world.team(), "go", { ...optionsOf(), context: before });
  let count = 0;
  for (; at.status === "paused" && count < 10; count++) {
    const call = at.pending.find(({ approvalId, toolName }) => approvalId ?? toolName === "outside");
    const { approvalId, toolCallId = "" } = call ?? {};
    const options: RunOptions = { ...optionsOf() };
    at = await run(world.team(), options.session ? [] : plain(at.state), {
      ...options,
      ...(approvalId === undefined
        ? { results: [{ toolCallId, content: "outside" }] }
        : { approvals: [{ approvalId, decision: "approve" }] }),
    });
  }
  return { seen: world.seen, context: at.context, status: at.status, pauses: count };
}

const open: readonly (readonly [string, ScriptedToolCall])[] = [
  ["a call that a person approves", { toolName: "pay" }],
  ["a call whose result comes from elsewhere", { toolName: "outside" }],
  ["a tool that calls an approved tool", { toolName: "wrap" }],
  ["an agent with an approved call", { toolName: "clerk", arguments: { input: "Go." } }],
  ["an agent with an agent with an approved call", { toolName: "chief", arguments: { input: "Go." } }],
];

describe.each(keepers)("with %s", (_title, keeper) => {
  test.each(open)("the context of a batch is that of before it, with %s", async (_kind, call) => {
    const turns = [
      [
        { ...call, toolCallId: "c1" },
        { toolName: "change", toolCallId: "c2" },
        { toolName: "look", toolCallId: "c3", arguments: { x: { $result: "c1" } } },
        { toolName: "pay", toolCallId: "c4" },
        { toolName: "later", toolCallId: "c5" },
      ],
      [{ toolName: "look" }],
    ];
    const calm = await play(false, turns);
    const { pauses, ...disturbed } = await play(true, turns, keeper());
    expect(pauses).toBeGreaterThan(1);
    expect({ ...disturbed, pauses: 0 }).toEqual(calm);
    expect(disturbed.context).toMatchObject({ account: "evil", x: 4 });
  });
});

const pair = [
  [
    { toolName: "pay", toolCallId: "c1" },
    { toolName: "change", toolCallId: "c2" },
  ],
];

async function paused(options: RunOptions = {}): Promise<{ world: World; first: RunResult }> {
  const world = new World(true);
  world.model = answers(...pair);
  return { world, first: await run(world.team(), "go", { context: before, ...options }) };
}

function approve({ pending }: Pick<RunResult, "pending">): NonNullable<RunOptions["approvals"]> {
  return pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" }));
}

const changed = { account: "evil", x: 2, changed: true };

test("a paused run's result has the context with the changes so far, its state that of before the batch", async () => {
  const { first } = await paused();
  expect(first.context).toEqual(changed);
  expect(plain(first.state)).toMatchObject({
    context: before,
    changes: [{ toolCallId: "c2", context: changed }],
  });
});

test("a context that is passed again is merged over both", async () => {
  const { world, first } = await paused();
  const again = { account: "third" };
  const done = await run(world.team(), plain(first.state), { approvals: approve(first), context: again });
  expect(world.seen).toContain(`pay ${JSON.stringify({ ...before, ...again })}`);
  expect(done.context).toEqual({ ...changed, ...again, paid: true });
});

test("a state of an earlier version has no changes, and is resumed", async () => {
  const { world, first } = await paused();
  const { changes: _, ...state } = plain(first.state);
  const done = await run(world.team(), state, { approvals: approve(first) });
  expect(done.context).toEqual({ account: "main", x: 1, paid: true });
});

test("changes are signed with the state", async () => {
  const stateSecret = "0123456789abcdef";
  const { world, first } = await paused({ stateSecret });
  const forged = { ...plain(first.state), changes: [] };
  await expect(run(world.team(), forged, { stateSecret, approvals: approve(first) })).rejects.toThrow(
    "The state was changed",
  );
});

test.each([[{}], [[1]], [[{ context: {} }]], [[{ toolCallId: "c2", context: "evil" }]], [[null]]])(
  "changes that are damaged are refused: %j",
  async (changes) => {
    const { world, first } = await paused();
    const damaged: RunState = JSON.parse(JSON.stringify({ ...first.state, changes }));
    await expect(run(world.team(), damaged, { approvals: approve(first) })).rejects.toThrow(
      /^The state's changes.* must be /,
    );
  },
);

test("a change named __proto__ is a property like any other", async () => {
  const { world, first } = await paused();
  const text = JSON.stringify(first.state).replace('"changed":true', '"__proto__":{"isAdmin":true}');
  const { context } = await run(world.team(), JSON.parse(text), { approvals: approve(first) });
  expect(Object.getPrototypeOf(context)).toBe(Object.prototype);
  expect(JSON.stringify(context)).toContain('"__proto__":{"isAdmin":true}');
});

class Handle {
  readonly secret = "s3cret";
}

test("a handle in a change is kept within the process, and left out of JSON with a warning", async () => {
  const db = new Handle();
  const open = tool({ name: "open", input: empty, execute: () => result({ value: "ok", context: { db } }) });
  const pay = tool({ name: "pay", input: empty, approval: true, execute: () => "paid" });
  const model = answers([{ toolName: "pay" }, { toolName: "open" }]);
  const agent = new Agent({ name: "A", model, tools: [open, pay] });
  const first = await run(agent, "go");
  expect(first.warnings.join()).toContain("context.db is a Handle and is not stored");
  expect(JSON.stringify(first.state)).not.toContain("s3cret");
  expect(await run(agent, first.state, { approvals: approve(first) })).toMatchObject({ context: { db } });
});

describe("in a session", () => {
  test("a new message takes over what finished calls have changed", async () => {
    const session = memorySession();
    const { world } = await paused({ session });
    expect((await run(world.team(), "again", { session })).context).toEqual(changed);
  });

  test("a batch in which the process dies keeps its context", async () => {
    const session = memorySession();
    const seen: unknown[] = [];
    let isDead = true;
    const change = tool({
      name: "change",
      input: empty,
      execute: () => result({ value: "ok", context: { account: "evil" } }),
    });
    const slow = tool({
      name: "slow",
      input: empty,
      execute: async (_: object, { context }) => {
        seen.push(context);
        // The dead process never returns.
        if (isDead) await new Promise(() => {});
        return "ok";
      },
    });
    const model = answers([{ toolName: "change" }, { toolName: "slow" }]);
    const agent = new Agent({ name: "A", model, tools: [change, slow] });
    // Nobody sees what becomes of it.
    run(agent, "go", { session, context: { account: "main" } }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    isDead = false;
    const { entries } = await session.load();
    // What another process finds, without the claim of this one.
    const copy = memorySession();
    await copy.append(
      plain(entries.filter(({ type }) => type !== "claim")).map((entry, index) => ({
        ...entry,
        sequence: index + 1,
      })),
    );
    expect((await readSession(copy)).state).toMatchObject({
      context: { account: "main" },
      changes: [{ context: { account: "evil" } }],
    });
    const done = await run(agent, [], { session: copy });
    expect(seen).toEqual([{ account: "main" }, { account: "main" }]);
    expect(done).toMatchObject({ status: "completed", context: { account: "evil" } });
  });
});

describe.each(keepers)("over a pause, with %s", (_title, keeper) => {
  test("the last handoff in call order wins", async () => {
    const play = async (approval: boolean): Promise<string> => {
      const optionsOf = keeper();
      const target = (name: string): Agent => new Agent({ name, model: answers() });
      const to = (name: string, agent: Agent, needed: boolean): Tool =>
        tool({ name, input: empty, approval: needed, execute: () => agent });
      const [one, two] = [target("One"), target("Two")];
      const agent = new Agent({
        name: "A",
        model: answers([{ toolName: "to_one" }, { toolName: "to_two" }]),
        tools: [to("to_one", one, approval), to("to_two", two, false)],
      });
      const agents = [one, two];
      let at = await run(agent, "go", { ...optionsOf(), agents });
      if (at.status === "paused")
        at = await run(agent, optionsOf().session ? [] : plain(at.state), {
          ...optionsOf(),
          agents,
          approvals: approve(at),
        });
      return `${at.status} ${at.agent.name}`;
    };
    expect(await play(true)).toBe(await play(false));
  });

  test("the last final result in call order wins", async () => {
    const play = async (approval: boolean): Promise<string> => {
      const optionsOf = keeper();
      const ends = (name: string, needed: boolean): Tool =>
        tool({ name, input: empty, approval: needed, execute: () => result({ value: name, final: true }) });
      const model = answers([{ toolName: "one" }, { toolName: "two" }]);
      const agent = new Agent({ name: "A", model, tools: [ends("one", approval), ends("two", false)] });
      let at = await run(agent, "go", optionsOf());
      if (at.status === "paused")
        at = await run(agent, optionsOf().session ? [] : plain(at.state), {
          ...optionsOf(),
          approvals: approve(at),
        });
      return `${at.status} ${at.text}`;
    };
    expect(await play(true)).toBe(await play(false));
  });
});
