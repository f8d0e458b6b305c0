/** A run holds its session while it works: what two runs at once would do twice happens once. */
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { Agent, run, stream, tool, type ApprovalDecision, type Session, type SessionEntry } from "skein";
import { fileSession, memorySession, readSession, sqliteSession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { storesIn, temporaryFolder } from "../../src/sessions/test-stores.ts";

const empty = { type: "object", properties: {} } as const;
const call = (...names: string[]) => ({ toolCalls: names.map((toolName) => ({ toolName })) });

/** An agent that pays with approval; `paid` counts, `finish` lets the payments end. */
function payments(options: { approval?: boolean; calls?: number } = {}) {
  const { approval = true, calls = 1 } = options;
  const gate = Promise.withResolvers<void>();
  const execution = Promise.withResolvers<void>();
  const keys: string[] = [];
  const pay = tool({
    name: "pay",
    input: empty,
    approval,
    execute: async (_, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      execution.resolve();
      await gate.promise;
      return "paid";
    },
  });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool" ? "Done." : call(...Array.from({ length: calls }, () => "pay")),
  );
  const agent = new Agent({ name: "Clerk", model, tools: [pay] });
  return { agent, keys, begun: execution.promise, finish: () => gate.resolve() };
}

const approve = (...ids: (string | undefined)[]): readonly ApprovalDecision[] =>
  ids.map((approvalId = "") => ({ approvalId, decision: "approve" }));
const deny = (...ids: (string | undefined)[]): readonly ApprovalDecision[] =>
  ids.map((approvalId = "") => ({ approvalId, decision: "deny" }));

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe.each(storesIn(temporaryFolder()))("%s", (_, newSession) => {
  test("two approvals at once, as of a double click, execute the call once", async () => {
    const session = newSession();
    const { agent, keys, begun, finish } = payments();
    const { pending } = await run(agent, "Pay", { session });
    const approvals = approve(pending[0]?.approvalId);
    const first = run(agent, [], { session, approvals });
    const atOnce = errorOf(run(agent, [], { session, approvals }));
    await begun;
    const later = await errorOf(run(agent, [], { session, approvals }));
    finish();
    expect(await first).toMatchObject({ status: "completed", text: "Done." });
    expect([await atOnce, later]).toMatchObject([{ code: "session-busy" }, { code: "session-busy" }]);
    expect(keys).toHaveLength(1);
  });

  test("a denial that arrives while the approved call is executed does not change the outcome", async () => {
    const session = newSession();
    const { agent, keys, begun, finish } = payments();
    const { pending } = await run(agent, "Pay", { session });
    const first = run(agent, [], { session, approvals: approve(pending[0]?.approvalId) });
    await begun;
    const second = await errorOf(run(agent, [], { session, approvals: deny(pending[0]?.approvalId) }));
    finish();
    await first;
    expect(second).toMatchObject({ code: "session-busy" });
    expect(keys).toHaveLength(1);
    const { messages } = await readSession(session);
    expect(messages[2]).toMatchObject({ result: { outcome: "success" } });
  });

  test("a second message while the first is answered is refused, and the first keeps its answer", async () => {
    const session = newSession();
    const gate = Promise.withResolvers<string>();
    const slow = new Agent({ name: "A", model: new FunctionModel(() => gate.promise) });
    const first = stream(slow, "one", { session });
    for await (const event of first) if (event.type === "turn-start") break;
    const refused = await errorOf(run(slow, "two", { session }));
    gate.resolve("first");
    expect(await first.result).toMatchObject({ text: "first" });
    expect(refused).toMatchObject({ code: "session-busy", name: "SessionBusyError" });
    expect(String(refused)).toMatch(/busy: "wait"/);
    expect((await readSession(session)).messages).toHaveLength(2);
  });

  test.each(["completed", "failed", "cancelled", "paused"])(
    "a run that is %s gives the session back before its end is reported",
    async (end) => {
      const session = newSession();
      const controller = new AbortController();
      const { agent, finish } = payments();
      finish();
      const failing = new Agent({
        name: "Clerk",
        model: new FunctionModel(() => {
          if (end === "cancelled") controller.abort();
          if (end === "failed") throw new Error("no");
          return "Hi";
        }),
      });
      const next = Promise.withResolvers<unknown>();
      const first = run(end === "paused" ? agent : failing, "go", {
        session,
        signal: controller.signal,
        onEvent: ({ type }) => {
          if (type === "run-end")
            next.resolve(
              run(new Agent({ name: "Clerk", model: new FunctionModel(() => "Hi") }), "Hi", { session }),
            );
        },
      });
      await errorOf(first);
      expect(await next.promise).toMatchObject({ status: "completed" });
    },
  );
});

const waitingStores = (folder: string): readonly (readonly [string, () => () => Session])[] => {
  let count = 0;
  return [
    [
      "memorySession",
      () => {
        const session = memorySession({ busy: "wait" });
        return () => session;
      },
    ],
    [
      "fileSession",
      () => {
        const path = join(folder, `${(count += 1)}.jsonl`);
        return () => fileSession(path, { busy: "wait" });
      },
    ],
    [
      "sqliteSession",
      () => {
        const id = `${(count += 1)}`;
        return () => sqliteSession(join(folder, "all.db"), id, { busy: "wait" });
      },
    ],
  ];
};

describe.each(waitingStores(temporaryFolder()))("%s that waits", (_, newStore) => {
  test("answers messages one after another, in the order in which they came", async () => {
    const open = newStore();
    const agent = new Agent({
      name: "Echo",
      model: new FunctionModel(async ({ messages }) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        const last = messages.at(-1);
        return `Heard ${last?.role === "user" ? JSON.stringify(last.content) : ""}`;
      }),
    });
    const words = ["one", "two", "three", "four"];
    const results = await Promise.all(words.map((word) => run(agent, word, { session: open() })));
    expect(results.map(({ text }) => text)).toEqual(words.map((word) => `Heard "${word}"`));
    const { messages } = await readSession(open());
    expect(messages.map(({ role }) => role).join()).toBe("user,assistant,".repeat(4).slice(0, -1));
    expect(results.map(({ state }) => state.messages.length)).toEqual([2, 4, 6, 8]);
  });

  test("the second of two approvals waits, and then there is nothing to decide any more", async () => {
    const open = newStore();
    const { agent, keys, finish } = payments();
    finish();
    const { pending } = await run(agent, "Pay", { session: open() });
    const approvals = approve(pending[0]?.approvalId);
    const first = run(agent, [], { session: open(), approvals });
    const second = await errorOf(run(agent, [], { session: open(), approvals }));
    expect(await first).toMatchObject({ status: "completed" });
    expect(second).toMatchObject({ code: "invalid-input", message: expect.stringContaining("not pending") });
    expect(keys).toHaveLength(1);
  });

  test("a run that is cancelled while it waits ends at once, and the others go on", async () => {
    const open = newStore();
    const gate = Promise.withResolvers<string>();
    const slow = new Agent({ name: "A", model: new FunctionModel(() => gate.promise) });
    const quick = new Agent({ name: "A", model: new FunctionModel(() => "quick") });
    const first = stream(slow, "one", { session: open() });
    for await (const event of first) if (event.type === "turn-start") break;
    const controller = new AbortController();
    const second = run(quick, "two", { session: open(), signal: controller.signal });
    const third = run(quick, "three", { session: open() });
    await new Promise((resolve) => setTimeout(resolve, 20));
    controller.abort();
    expect(await second).toMatchObject({ status: "cancelled" });
    gate.resolve("first");
    expect(await first.result).toMatchObject({ text: "first" });
    expect(await third).toMatchObject({ text: "quick" });
    expect((await readSession(open())).messages).toHaveLength(4);
  });
});

test("a run that is cancelled at any moment around the lock gives the session back", async () => {
  const session = memorySession({ busy: "wait" });
  const agent = new Agent({ name: "A", model: new FunctionModel(() => "Hi") });
  for (let ticks = 0; ticks < 60; ticks++) {
    const controller = new AbortController();
    const first = run(agent, "one", { session });
    const second = run(agent, "two", { session, signal: controller.signal });
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
    controller.abort();
    await Promise.all([first, second]);
  }
  expect(await run(agent, "last", { session })).toMatchObject({ status: "completed" });
});

test("runs that wait for the same session in two processes take turns", async () => {
  // A copy without its key is what another process has: only the entries tell the two apart.
  const shared = memorySession({ busy: "wait" });
  const elsewhere = (): Session => ({
    busy: "wait",
    load: shared.load,
    append: shared.append,
    clear: shared.clear,
  });
  const gate = Promise.withResolvers<string>();
  const slow = new Agent({ name: "A", model: new FunctionModel(() => gate.promise) });
  const first = stream(slow, "one", { session: elsewhere() });
  for await (const event of first) if (event.type === "turn-start") break;
  const second = run(new Agent({ name: "A", model: new FunctionModel(() => "second") }), "two", {
    session: elsewhere(),
  });
  await new Promise((resolve) => setTimeout(resolve, 30));
  gate.resolve("first");
  expect((await first.result).text).toBe("first");
  expect((await second).state.messages).toHaveLength(4);
});

type Claim = Extract<SessionEntry, { type: "claim" }>;

/** A session in which a run of another process works, or did. */
async function sessionWithClaim(claim: Partial<Claim>): Promise<Session> {
  const session = memorySession();
  await session.append([
    { sequence: 1, writer: "other", type: "message", message: { role: "user", content: "Hello" } },
    { sequence: 2, writer: "other", type: "claim", until: Date.now() + 30_000, ...claim },
  ]);
  return session;
}

describe("a session that another process holds", () => {
  const agent = new Agent({ name: "A", model: new FunctionModel(() => "Hi") });

  test("is busy until its lease ends", async () => {
    const busy = await errorOf(run(agent, "Hi", { session: await sessionWithClaim({}) }));
    expect(busy).toMatchObject({ code: "session-busy" });
    const session = await sessionWithClaim({ until: Date.now() - 1 });
    expect(await run(agent, "Hi", { session })).toMatchObject({ status: "completed" });
  });

  test("is free at once when that process is gone", async () => {
    const own = await processOfClaim(agent);
    const process = { ...own, realm: "other", pid: 2 ** 22 + 1 };
    expect(await run(agent, "Hi", { session: await sessionWithClaim({ process }) })).toMatchObject({
      status: "completed",
    });
    const elsewhere = { ...process, place: "another machine" };
    const busy = await errorOf(run(agent, "Hi", { session: await sessionWithClaim({ process: elsewhere }) }));
    expect(busy).toMatchObject({ code: "session-busy" });
  });

  test("stays busy beyond its lease while that process is there", async () => {
    const own = await processOfClaim(agent);
    const { started: _, ...rest } = own;
    // The parent of this process lives, and has another realm.
    const parent = { ...rest, realm: "other", pid: globalThis.process.ppid };
    const late = await sessionWithClaim({ until: Date.now() - 1_000, process: parent });
    expect(await errorOf(run(agent, "Hi", { session: late }))).toMatchObject({ code: "session-busy" });
  });

  test("belongs to a run that wrote after it was given up, which then cannot write", async () => {
    const session = memorySession();
    const gate = Promise.withResolvers<string>();
    const slow = new Agent({ name: "A", model: new FunctionModel(() => gate.promise) });
    const first = stream(slow, "one", { session });
    for await (const event of first) if (event.type === "turn-start") break;
    await session.clear();
    gate.resolve("late");
    expect(await errorOf(first.result)).toMatchObject({ code: "session-conflict" });
    expect(await run(agent, "Hi", { session })).toMatchObject({ status: "completed" });
  });
});

/** The process that a run's claim on its session names. */
async function processOfClaim(agent: Agent): Promise<NonNullable<Claim["process"]>> {
  const [own] = await claimsOf(agent);
  if (own?.type !== "claim" || !own.process) throw new Error("the run left no claim of its process");
  return own.process;
}

/** The claims that a run leaves in its session. */
async function claimsOf(agent: Agent): Promise<readonly SessionEntry[]> {
  const session = memorySession();
  await run(agent, "Hi", { session });
  return (await session.load()).entries.filter(({ type }) => type === "claim");
}

describe("decisions", () => {
  test("are recorded before they are carried out", async () => {
    const session = memorySession();
    const { agent, keys, finish } = payments();
    finish();
    const { pending } = await run(agent, "Pay", { session });
    const approvals = approve(pending[0]?.approvalId);
    const crashing: Session = { ...session, append: crashAfter(session, 2) };
    expect(await errorOf(run(agent, [], { session: crashing, approvals }))).toMatchObject({
      code: "session-failed",
    });
    expect(keys).toHaveLength(0);
  });

  test("hold after a crash: the call is executed with the same key, without a second decision", async () => {
    const session = memorySession();
    const { agent, keys, finish } = payments();
    finish();
    const { pending } = await run(agent, "Pay", { session });
    const approvals = approve(pending[0]?.approvalId);
    const crashing: Session = { ...session, append: crashAfter(session, 4) };
    await errorOf(run(agent, [], { session: crashing, approvals }));
    expect(await run(agent, [], { session })).toMatchObject({ status: "completed" });
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  test("cannot be changed once they are recorded", async () => {
    const session = memorySession();
    const { agent, keys, finish } = payments({ calls: 2 });
    finish();
    const { pending } = await run(agent, "Pay", { session });
    const [one, two] = pending.map(({ approvalId }) => approvalId);
    const crashing: Session = { ...session, append: crashAfter(session, 3) };
    await errorOf(run(agent, [], { session: crashing, approvals: approve(one) }));
    const changed = await errorOf(run(agent, [], { session, approvals: deny(one) }));
    expect(changed).toMatchObject({ code: "invalid-input", message: expect.stringContaining("approved") });
    const approvals = [...approve(one), ...deny(two)];
    expect(await run(agent, [], { session, approvals })).toMatchObject({ status: "completed" });
    expect(new Set(keys).size).toBe(1);
  });
});

/** Appends that fail from a number on, as of a process that dies. */
function crashAfter(session: Session, most: number): Session["append"] {
  let count = 0;
  return async (entries) => {
    if ((count += 1) >= most) throw new Error("crash");
    await session.append(entries);
  };
}

test("a claim that is renewed keeps no process alive that has nothing else to do", async () => {
  const intervals = vi.spyOn(globalThis, "setInterval");
  const { agent, begun, finish } = payments({ approval: false });
  const running = run(agent, "pay", { session: memorySession() });
  await begun;
  const timers = intervals.mock.results.map(({ value }) => value.hasRef());
  finish();
  await running;
  expect(timers).toContain(false);
  expect(timers).not.toContain(true);
});
