/** What was approved, or waited for what was, has not begun before: nobody is told that it may have taken effect. */
import {
  Agent,
  type AnyAgent,
  type Message,
  type PendingCall,
  type RunState,
  type Session,
  run as runOnce,
  type Tool,
  tool,
} from "skein";
import { memorySession, sqliteSession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { newFile, testRuns } from "./test-runs.ts";

const any = { type: "object", properties: {}, additionalProperties: true } as const;

/** All requests, approved. */
function approved(pending: readonly PendingCall[]): { approvalId: string; decision: "approve" }[] {
  return pending.flatMap(({ approvalId }) =>
    approvalId === undefined ? [] : [{ approvalId, decision: "approve" as const }],
  );
}

/** Runs an agent, and approves what it asks for, until it ends. Returns its last text. */
type Approve = (agent: AnyAgent) => Promise<string>;

async function inSession(agent: AnyAgent, session: Session): Promise<string> {
  let result = await runOnce(agent, "Go on.", { session });
  while (result.status === "paused")
    result = await runOnce(agent, [], { session, approvals: approved(result.pending) });
  return result.text;
}

const places: readonly (readonly [string, Approve])[] = [
  [
    "a state",
    async (agent) => {
      let result = await runOnce(agent, "Go on.");
      while (result.status === "paused") {
        const state: RunState = JSON.parse(JSON.stringify(result.state));
        result = await runOnce(agent, state, { approvals: approved(result.pending) });
      }
      return result.text;
    },
  ],
  ["a session", (agent) => inSession(agent, memorySession())],
  ["a session in a database", (agent) => inSession(agent, sqliteSession(newFile(), "s"))],
  [
    "a durable run",
    async (agent) => {
      const app = testRuns(newFile(), { agents: [agent] });
      void app.work();
      const run = await app.start(agent, "Go on.");
      let result = await run.result();
      while (result.status === "paused") {
        await run.decide(approved(result.pending));
        result = await run.result();
      }
      return result.text;
    },
  ],
];

/** The text of a result. */
function resultText(message: Message | undefined): string {
  const [part] = message?.role === "tool" ? message.result.content : [];
  return part?.type === "text" ? part.text : "";
}

/** A model that makes a call first, and then repeats what came of it. */
function calling(toolName: string, args: Readonly<Record<string, string>> = {}): FunctionModel {
  return new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user"
      ? { toolCalls: [{ toolName, arguments: args }] }
      : { text: resultText(messages.at(-1)) },
  );
}

interface Made {
  readonly agent: AnyAgent;
  /** The agent that pays. */
  readonly cashier: AnyAgent;
  readonly effects: readonly string[];
}

/** Makes agents. @param wait - What `pay` waits for before it takes effect. */
type Make = (wait?: () => unknown) => Made;

/** Agents whose call of `pay` needs a decision, each in another place. */
function agentsThat(interrupted: "tell" | "ask"): Readonly<Record<string, Make>> {
  const payTool = (effects: string[], wait: (() => unknown) | undefined): Tool =>
    tool({
      name: "pay",
      input: any,
      approval: true,
      interrupted,
      execute: async () => {
        await wait?.();
        effects.push("paid");
        return "It is paid.";
      },
    });
  return {
    "an agent as a tool": (wait) => {
      const effects: string[] = [];
      const cashier = new Agent({ name: "Cashier", tools: [payTool(effects, wait)], model: calling("pay") });
      const desk = new Agent({
        name: "Desk",
        tools: [cashier.asTool()],
        model: calling("cashier", { input: "Pay." }),
      });
      return { agent: desk, cashier, effects };
    },
    "an agent within one": (wait) => {
      const effects: string[] = [];
      const clerk = new Agent({ name: "Clerk", tools: [payTool(effects, wait)], model: calling("pay") });
      const cashier = new Agent({
        name: "Cashier",
        tools: [clerk.asTool()],
        model: calling("clerk", { input: "Pay." }),
      });
      const desk = new Agent({
        name: "Desk",
        tools: [cashier.asTool()],
        model: calling("cashier", { input: "Pay." }),
      });
      return { agent: desk, cashier: clerk, effects };
    },
    "context.runAgent": (wait) => {
      const effects: string[] = [];
      const cashier = new Agent({ name: "Cashier", tools: [payTool(effects, wait)], model: calling("pay") });
      const order = tool({
        name: "order",
        input: any,
        execute: (_: unknown, { runAgent }) => runAgent(cashier, "Pay."),
      });
      const desk = new Agent({ name: "Desk", tools: [order], model: calling("order") });
      return { agent: desk, cashier, effects };
    },
    "context.call": (wait) => {
      const effects: string[] = [];
      const order = tool({ name: "order", input: any, execute: (_: unknown, { call }) => call("pay", {}) });
      const tools = [order, payTool(effects, wait)];
      const desk = new Agent({ name: "Desk", tools, model: calling("order") });
      return { agent: desk, cashier: desk, effects };
    },
  };
}

for (const interrupted of ["tell", "ask"] as const)
  for (const [what, make] of Object.entries(agentsThat(interrupted)))
    test.each(places)(
      `interrupted: "${interrupted}", ${what}: what was approved is done once, with %s`,
      async (_, approve) => {
        const { agent, effects } = make();
        expect(await approve(agent)).toBe("It is paid.");
        expect(effects).toEqual(["paid"]);
      },
    );

test.each(places)(
  "a call that refers to one that waits is made once that is done, with %s",
  async (_, approve) => {
    const effects: unknown[] = [];
    const keys: string[] = [];
    const reserve = tool({ name: "reserve", input: any, approval: true, execute: () => ({ id: 7 }) });
    const book = tool({
      name: "book",
      input: any,
      execute: (_input: unknown, { call }) => call("reserve", {}),
    });
    const pay = tool({
      name: "pay",
      input: any,
      interrupted: "tell",
      execute: (input: unknown) => {
        effects.push(input);
        return "It is paid.";
      },
    });
    const asked = tool({
      name: "send",
      input: any,
      interrupted: "ask",
      execute: (_input: unknown, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        return "It is sent.";
      },
    });
    const failing = tool({
      name: "note",
      input: { type: "object", properties: { id: { type: "string" } } },
      execute: () => "",
    });
    const seen: string[] = [];
    const model = new FunctionModel(({ messages }) => {
      if (messages.length > 1) {
        for (const message of messages) if (message.role === "tool") seen.push(resultText(message));
        return "It is done.";
      }
      return {
        toolCalls: [
          { toolName: "book", arguments: {} },
          { toolName: "pay", arguments: { id: { $result: "book/id" } } },
          { toolName: "send", arguments: { id: { $result: "book/id" } } },
          { toolName: "note", arguments: { id: { $result: "book/id" } } },
        ],
      };
    });
    const agent = new Agent({ name: "Desk", tools: [reserve, book, pay, asked, failing], model });
    expect(await approve(agent)).toBe("It is done.");
    expect(effects).toEqual([{ id: 7 }]);
    expect(keys).toHaveLength(1);
    expect(seen.join("\n")).not.toContain("may or may not");
  },
);

test.each(Object.entries(agentsThat("tell")))(
  "what was approved and under way when its process died is left to the model: %s",
  async (_, make) => {
    const file = newFile();
    const started = Promise.withResolvers<void>();
    const first = make(() => {
      started.resolve();
      return new Promise(() => {});
    });
    const one = testRuns(file, { agents: [first.agent] });
    void one.work();
    const run = await one.start(first.agent, "Go on.");
    const { pending } = await run.result();
    await run.decide(approved(pending));
    await started.promise;
    await one.close({ drain: 0 });
    const second = make();
    const two = testRuns(file, { agents: [second.agent] });
    void two.work();
    const { text } = await two.get(run.id).result();
    expect(text).toContain("may or may not have taken effect");
    expect(second.effects).toEqual([]);
  },
);

test.each(Object.entries(agentsThat("tell")))(
  "what was approved with other arguments and under way when its process died is left to the model: %s",
  async (_, make) => {
    const session = sqliteSession(newFile(), "s");
    const started = Promise.withResolvers<void>();
    const first = make(() => {
      started.resolve();
      return new Promise(() => {});
    });
    const { pending } = await runOnce(first.agent, "Go on.", { session });
    const approvals = approved(pending).map((each) => ({ ...each, arguments: { euros: 3 } }));
    const agents = [first.cashier];
    const stores: Session = {
      ...session,
      append: (entries) => (isGone ? new Promise(() => {}) : session.append(entries)),
    };
    let isGone = false;
    const gone = new AbortController();
    const dying = runOnce(first.agent, [], { session: stores, approvals, agents, signal: gone.signal });
    await started.promise;
    isGone = true;
    gone.abort();
    await dying.catch(() => {});
    const second = make();
    const result = await runOnce(second.agent, [], { session, agents: [second.cashier] });
    expect(result.text).toContain("may or may not have taken effect");
    expect(second.effects).toEqual([]);
  },
);
