/** Calls within a step of a tool: what they change of the context, and what they return that is not for a state. */
import {
  Agent,
  type Journal,
  result,
  run,
  type RunState,
  type SessionEntry,
  tool,
  type ToolContext,
} from "skein";
import { memoryStore, runs } from "skein/durable";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { describe, expect, test } from "vitest";

const any = { type: "object", properties: {}, additionalProperties: true } as const;

type Work = (context: ToolContext, effects: string[]) => unknown;

interface World {
  readonly agent: Agent;
  readonly effects: string[];
}

/** An agent whose tool does this, and then makes a call that may have to wait. The next tool shows the context to the model. */
function worldWith(work: Work, waits: boolean): World {
  const effects: string[] = [];
  const set = tool({
    name: "set",
    input: any,
    execute: ({ of = "x", delay = 0 }: { readonly of?: string; readonly delay?: number }) =>
      new Promise((resolve) => {
        const value = result({ value: of, context: { [of]: 1, last: of } });
        effects.push(of);
        setTimeout(() => resolve(value), delay);
      }),
  });
  const clear = tool({ name: "clear", input: any, execute: () => result({ context: { x: undefined } }) });
  const fail = tool({
    name: "fail",
    input: any,
    execute: async (_: unknown, { call }) => {
      await call("set", { of: "before the failure" });
      throw new Error("no");
    },
  });
  const both = tool({
    name: "both",
    input: any,
    execute: async (_: unknown, { call, step }) => {
      await step("inner", () => call("set", { of: "inner" }));
      return result({ value: 1, context: { own: 1 } });
    },
  });
  const secret = tool({
    name: "secret",
    input: any,
    mask: ["password"],
    execute: () => {
      effects.push("secret");
      return { id: 7, password: "S3CRET" };
    },
  });
  const wait = tool({ name: "wait", input: any, approval: waits, execute: () => "ok" });
  const order = tool({
    name: "order",
    input: any,
    execute: async (_: unknown, context) => {
      const value = await work(context, effects);
      await context.call("wait", {});
      return value;
    },
  });
  const show = tool({ name: "show", input: any, execute: (_, { context }) => JSON.stringify(context) });
  const model = new FunctionModel(({ messages }) => {
    const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
    if (results.length < 2) return { toolCalls: [{ toolName: ["order", "show"][results.length] ?? "" }] };
    return JSON.stringify(results.map(({ content: [part] }) => (part?.type === "text" ? part.text : "")));
  });
  const tools = [set, clear, fail, both, secret, wait, order, show];
  return { agent: new Agent({ name: "Shop", model, tools }), effects };
}

const approvalsOf = (pending: readonly { readonly approvalId?: string }[]) =>
  pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" }) as const);

/** A journal in memory: what it keeps is JSON. */
function journalOf(results: Map<string, string>): Journal {
  return {
    step: async <T>(key: string, perform: () => Promise<T>): Promise<T> => {
      const text = results.get(key);
      if (text !== undefined) return JSON.parse(text);
      const value = await perform();
      results.set(key, JSON.stringify(value));
      return value;
    },
  };
}

type Keep = (work: Work) => Promise<readonly [text: string, stored: string, effects: readonly string[]]>;

const inState: Keep = async (work) => {
  const { agent, effects } = worldWith(work, true);
  const paused = await run(agent, "Order.", { context: {} });
  const stored = JSON.stringify(paused.state);
  const state: RunState<object> = JSON.parse(JSON.stringify(paused.state));
  const { text } = await run(agent, state, { approvals: approvalsOf(paused.pending) });
  return [text, stored, effects];
};

const inSession: Keep = async (work) => {
  const { agent, effects } = worldWith(work, true);
  const session = memorySession();
  const { pending } = await run(agent, "Order.", { session });
  const { text } = await run(agent, [], { session, approvals: approvalsOf(pending) });
  return [text, JSON.stringify((await session.load()).entries), effects];
};

const durable: Keep = async (work) => {
  const { agent, effects } = worldWith(work, true);
  const store = memoryStore();
  const app = runs({ agents: [agent], store });
  void app.work();
  const handle = await app.start(agent, "Order.", { context: {}, session: "s" });
  const { pending } = await handle.result();
  await handle.decide(approvalsOf(pending));
  const { text } = await handle.result();
  await app.close();
  return [text, JSON.stringify(await store.load("s")), effects];
};

/** The process dies once the tool's last call is under way. */
const dead: Keep = async (work) => {
  const { agent, effects } = worldWith(work, false);
  const session = memorySession();
  const died = Promise.withResolvers<void>();
  const dying = {
    ...session,
    load: () => session.load(),
    clear: () => session.clear(),
    append: async (entries: readonly SessionEntry[]) => {
      if (!JSON.stringify(entries).includes("/wait/")) return session.append(entries);
      died.resolve();
      return new Promise<void>(() => {});
    },
  };
  // Nobody sees what becomes of it.
  run(agent, "Order.", { session: dying }).catch(() => undefined);
  await died.promise;
  const { entries } = await session.load();
  const copy = memorySession();
  await copy.append(entries.map((entry) => (entry.type === "claim" ? { ...entry, until: 0 } : entry)));
  const { text } = await run(agent, [], { session: copy });
  return [text, JSON.stringify((await copy.load()).entries), effects];
};

const inJournal: Keep = async (work) => {
  const { agent, effects } = worldWith(work, false);
  const results = new Map<string, string>();
  const journal = journalOf(results);
  const dying: Journal = {
    step: (key, perform) =>
      key.includes("wait") ? Promise.reject(new Error("died")) : journal.step(key, perform),
  };
  await run(agent, "Order.", { journal: dying, runId: "r" }).catch(() => undefined);
  const { text } = await run(agent, "Order.", { journal, runId: "r" });
  return [text, JSON.stringify([...results]), effects];
};

const keepers: readonly (readonly [string, Keep])[] = [
  ["a state", inState],
  ["a session", inSession],
  ["a durable run", durable],
  ["a session after a crash", dead],
  ["a journal", inJournal],
];

const works: Readonly<Record<string, Work>> = {
  "a call in a step": ({ step, call }) => step("s", () => call("set", {})),
  "a call in a step in a step": ({ step, call }) => step("s", () => step("t", () => call("set", {}))),
  "a call of a tool that calls another": ({ step, call }) => step("s", () => call("both", {})),
  "a call side by side with a step": ({ step, call }) =>
    Promise.all([call("set", { of: "a" }), step("s", () => call("set", { of: "b" }))]),
  "a call while a step with another goes on": ({ step, call }) =>
    Promise.all([
      step("s", async () => {
        await call("set", { of: "a" });
        return call("set", { of: "c", delay: 5 });
      }),
      call("set", { of: "b" }),
    ]),
  "a value that JSON leaves out": async ({ step, call }) => {
    await call("set", {});
    return step("s", () => call("clear", {}));
  },
  "a call that failed after another": ({ step, call }) =>
    step("s", () => call("fail", {}).catch(({ message }: Error) => message)),
};

describe.each(keepers)("with %s", (_, keep) => {
  test.each(Object.entries(works))(
    "the context is that of a run without a pause: %s",
    async (_form, work) => {
      const { agent, effects } = worldWith(work, false);
      const { text } = await run(agent, "Order.");
      const [resumed, , performed] = await keep(work);
      expect(text).toMatch(/last|own/);
      expect(resumed).toBe(text);
      expect(performed).toEqual(effects);
    },
  );

  test("a step with a masked call is performed again, and its value not kept", async () => {
    const [text, stored, effects] = await keep(async ({ step, call }, done) => {
      const { password } = await step("s", async () => {
        done.push("step");
        await call("set", {});
        return Object(await call("secret", {}));
      });
      return `of ${password.length} characters`;
    });
    expect(stored).toContain("step/s");
    expect(stored).not.toContain("S3CRET");
    expect(text).toContain("of 6 characters");
    expect(effects).toEqual(["step", "x", "secret", "step", "secret"]);
  });

  test("nor is the error of one", async () => {
    const [, stored] = await keep(({ step, call }) =>
      step("s", async () => {
        throw new Error(`wrong: ${Object(await call("secret", {})).password}`);
      }).catch(() => "failed"),
    );
    expect(stored).not.toContain("S3CRET");
  });

  test("a step beside a masked call is performed once", async () => {
    const [, stored, effects] = await keep(async ({ step, call }, done) => {
      await Promise.all([
        step("charge", async () => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          done.push("charged");
        }),
        call("secret", {}),
      ]);
    });
    expect(stored).not.toContain("S3CRET");
    expect(effects.filter((effect) => effect === "charged")).toHaveLength(1);
  });
});

test("a state of before, whose steps have nothing of their calls, is read", async () => {
  const { agent } = worldWith(({ step, call }) => step("s", () => call("set", {})), true);
  const paused = await run(agent, "Order.", { context: {} });
  const text = JSON.stringify(paused.state);
  const earlier = text.replace(/,\\"calls\\":\[.*?\]\}"/, '}"');
  expect(earlier).not.toBe(text);
  const state: RunState<object> = JSON.parse(earlier);
  const { status } = await run(agent, state, { approvals: approvalsOf(paused.pending) });
  expect(status).toBe("completed");
});

test("the changes of an attempt that failed stay, and those of the next one count more", async () => {
  let attempts = 0;
  const set = tool({
    name: "set",
    input: any,
    execute: ({ of = "x" }: { readonly of?: string }) => result({ context: { last: of, [of]: 1 } }),
  });
  const order = tool({
    name: "order",
    input: any,
    retries: { times: 1, delay: 0, when: () => true },
    execute: async (_: unknown, { step, call }) => {
      attempts += 1;
      if (attempts === 1) await call("set", { of: "first" });
      await step("s", () => call("set", { of: "in the step" }));
      if (attempts === 1) throw new Error("once more");
      return "done";
    },
  });
  const model = new FunctionModel(({ messages }) =>
    messages.length === 1 ? { toolCalls: [{ toolName: "order" }] } : "Done.",
  );
  const { context } = await run(new Agent({ name: "Shop", model, tools: [set, order] }), "Order.");
  expect(context).toEqual({ first: 1, "in the step": 1, last: "in the step" });
});
