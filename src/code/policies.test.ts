/** Each policy of a tool holds for a call in a program as for a call of the model. */
import { expect, test } from "vitest";
import {
  Agent,
  run,
  tool,
  type Middleware,
  type RunEvent,
  type RunOptions,
  type ToolContext,
  type ToolPolicy,
} from "skein";
import { FunctionModel } from "skein/testing";
import { programmer } from "./test-run.ts";

interface Case {
  readonly policy: ToolPolicy;
  /** The inputs of the calls, one after the other; those with the name of a tool are for that one. */
  readonly inputs: readonly { readonly tool?: string; readonly [argument: string]: string | number | null }[];
  readonly options?: Partial<RunOptions>;
  /** What the tool does, by how often it was called. */
  readonly execute?: (count: number, context: ToolContext) => unknown;
  readonly decide?: {
    readonly decision: "approve" | "deny";
    readonly reason?: string;
    readonly arguments?: string;
  };
}

/** The tool of one case, which counts its calls, and notes their inputs and keys. */
function work({ policy, execute = (count) => ({ count }) }: Case, executed: Executed[] = []) {
  return tool({
    name: "work",
    input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    output: { anyOf: [{ type: "string" }, { type: "object", properties: { count: { type: "integer" } } }] },
    ...policy,
    execute: (input: unknown, context: ToolContext) => {
      executed.push({ input, key: context.idempotencyKey });
      return execute(executed.length, context);
    },
  });
}

/** One execution of the tool. */
interface Executed {
  readonly input: unknown;
  readonly key: string;
}

const first = tool({ name: "first", input: { type: "object", properties: {} }, execute: () => "first" });

/** What each call came to in the words for a model, and what was reported of it. */
interface Seen {
  readonly texts: readonly string[];
  readonly events: readonly string[];
  /** What the middleware had of each call. */
  readonly wrapped: readonly string[];
  readonly stats: unknown;
  /** The inputs of what was executed. */
  readonly executed: readonly unknown[];
  /** Which executions have the same idempotency key, by the number of the first. */
  readonly keys: readonly number[];
}

async function finish(agent: Agent, { options = {}, decide }: Case) {
  const events: RunEvent[] = [];
  const wrapped: string[] = [];
  const watch: Middleware = {
    async tool(call, _info, next) {
      const result = await next(call);
      if (call.toolName === "work") wrapped.push(`${call.arguments} ${result.outcome}`);
      return result;
    },
  };
  const all = { ...options, middleware: [watch], onEvent: (event: RunEvent) => void events.push(event) };
  let done = await run(agent, "Go.", all);
  const messages = [...done.messages];
  for (let round = 0; done.status === "paused" && round < 5; round++) {
    const approvals = done.pending.map(({ approvalId = "" }) => ({
      approvalId,
      decision: "approve" as const,
      ...decide,
    }));
    done = await run(agent, done.state, { ...all, approvals });
    messages.push(...done.messages);
  }
  const { latencyMs: _, ...stats } = Object(done.stats.tools?.["work"]);
  return { messages, events: events.flatMap(inWords), wrapped, stats };
}

/** What is reported of calls of the tool, by models and in programs alike. */
function inWords(event: RunEvent): readonly string[] {
  if (event.type === "tool-progress") return [`tool-progress ${JSON.stringify(event.value)}`];
  if (event.type === "tool-end")
    return event.result.toolName === "work" ? [`tool-end ${event.result.outcome}`] : [];
  if (event.type !== "tool-start" && event.type !== "approval-request") return [];
  const { toolName, arguments: text } = event.toolCall;
  return toolName === "work" ? [`${event.type} ${text}`] : [];
}

function numbered(executed: readonly Executed[]): Pick<Seen, "executed" | "keys"> {
  const keys = executed.map(({ key }) => executed.findIndex((each) => each.key === key));
  return { executed: executed.map(({ input }) => input), keys };
}

/** The calls as a model makes them. */
async function directly(each: Case): Promise<Seen> {
  const executed: Executed[] = [];
  const model = new FunctionModel(({ messages }) => {
    const count = messages.filter(({ role }) => role === "tool").length;
    const { tool: toolName = "work", ...input } = each.inputs[count] ?? { tool: "" };
    return toolName === "" ? "Done." : { toolCalls: [{ toolName, arguments: { ...input } }] };
  });
  const agent = new Agent({ name: "A", model, tools: [work(each, executed), first] });
  const { messages, ...seen } = await finish(agent, each);
  const texts = messages.flatMap((message) =>
    message.role === "tool"
      ? [message.result.content.map((part) => ("text" in part ? part.text : "")).join("\n")]
      : [],
  );
  // A note that is for the model alone is not a part of the value.
  const values = texts.map((text) => text.split("\nNote: a person approved")[0] ?? "");
  return { texts: values, ...seen, ...numbered(executed) };
}

/** The calls as a program makes them. */
async function within(each: Case): Promise<Seen> {
  const executed: Executed[] = [];
  const code = `const texts = [];
for (const { tool = 'work', ...input } of ${JSON.stringify(each.inputs)}) {
  try { const value = await tools[tool](input); texts.push(typeof value === 'string' ? value : JSON.stringify(value)); }
  catch (error) { texts.push(error.message); }
}
return texts;`;
  const { messages, ...seen } = await finish(programmer([code], [work(each, executed), first]), each);
  const last = messages.findLast(({ role }) => role === "tool");
  const texts = last?.role === "tool" ? last.result.structuredContent : [];
  return { texts: Array.isArray(texts) ? texts.map(String) : [], ...seen, ...numbered(executed) };
}

const twice = [{ n: 1 }, { n: 1 }];

const cases: Readonly<Record<string, Case>> = {
  none: { policy: {}, inputs: [{ n: 1 }, { n: 2 }] },
  "wrong arguments": { policy: {}, inputs: [{ m: 1 }] },
  "arguments of another type": { policy: {}, inputs: [{ n: "five" }, { n: "5" }, { n: null }] },
  "an error": {
    policy: {},
    inputs: twice,
    execute: () => {
      throw new Error("out of order");
    },
  },
  "progress, and a result in the end": {
    policy: {},
    inputs: [{ n: 1 }],
    execute: (count, { progress }) => {
      progress({ half: true });
      return { count };
    },
  },
  "allow: yes": { policy: { allow: () => true }, inputs: [{ n: 1 }] },
  "requires, missing": { policy: { requires: ["first"] }, inputs: [{ n: 1 }] },
  "requires, there": { policy: { requires: ["first"] }, inputs: [{ tool: "first" }, { n: 1 }] },
  "requires, there once the model tries again": {
    policy: { requires: ["first"] },
    inputs: [{ n: 1 }, { tool: "first" }, { n: 1 }],
  },
  "approval: approve": { policy: { approval: true }, inputs: twice, decide: { decision: "approve" } },
  "approval: deny": { policy: { approval: true }, inputs: [{ n: 1 }], decide: { decision: "deny" } },
  "approval: deny, with a reason": {
    policy: { approval: true },
    inputs: twice,
    decide: { decision: "deny", reason: "Not today." },
  },
  "approval: edit": {
    policy: { approval: true },
    inputs: [{ n: 1 }],
    decide: { decision: "approve", arguments: '{"n":7}' },
  },
  "approval by arguments": {
    policy: { approval: ({ n }) => Number(n) > 1 },
    inputs: [{ n: 1 }, { n: 2 }],
    decide: { decision: "approve" },
  },
  "approval of wrong arguments": { policy: { approval: true }, inputs: [{ m: 1 }] },
  "approval that throws": {
    policy: {
      approval: () => {
        throw new Error("no rules");
      },
    },
    inputs: [{ n: 1 }],
    decide: { decision: "approve" },
  },
  "approval and requires": {
    policy: { approval: true, requires: ["first"] },
    inputs: [{ n: 1 }, { tool: "first" }, { n: 2 }],
    decide: { decision: "approve" },
  },
  "approval and cache": {
    policy: { approval: true, cache: true },
    inputs: twice,
    decide: { decision: "approve" },
  },
  cache: { policy: { cache: true }, inputs: [...twice, { n: 2 }] },
  "cache of errors": {
    policy: { cache: true },
    inputs: twice,
    execute: (count) => {
      if (count === 1) throw new Error("busy");
      return { count };
    },
  },
  serialize: { policy: { serialize: true }, inputs: twice },
  "serialize by arguments": { policy: { serialize: ({ n }) => String(n) }, inputs: twice },
  concurrency: { policy: { concurrency: 1 }, inputs: twice },
  rateLimit: { policy: { rateLimit: { calls: 1, per: 20 } }, inputs: twice },
  timeout: { policy: { timeout: 30 }, inputs: [{ n: 1 }], execute: () => new Promise(() => {}) },
  retries: {
    policy: { retries: { times: 2, delay: 1, when: () => true } },
    inputs: [{ n: 1 }],
    execute: (count) => {
      if (count < 3) throw new Error("busy");
      return `attempt ${count}`;
    },
  },
  "retries in vain": {
    policy: { retries: { times: 2, delay: 1, when: () => true } },
    inputs: [{ n: 1 }],
    execute: () => {
      throw new Error("busy");
    },
  },
  "retries until the timeout": {
    policy: { retries: { times: 1_000, delay: 1, when: () => true }, timeout: 40 },
    inputs: [{ n: 1 }],
    // Each attempt waits, so that the deadline falls into one.
    execute: () => new Promise(() => {}),
  },
  mask: { policy: { mask: ["count"] }, inputs: [{ n: 1 }] },
  "mask of all": { policy: { mask: true }, inputs: [{ n: 1 }] },
  "mask and cache": { policy: { mask: ["count"], cache: true }, inputs: twice },
  validateOutput: { policy: { validateOutput: true }, inputs: [{ n: 1 }] },
  "validateOutput of something else": {
    policy: { validateOutput: true },
    inputs: [{ n: 1 }],
    execute: () => ({ count: "many" }),
  },
};

test.each(Object.entries(cases))(
  "%s: a call in a program comes to the same as one of the model",
  async (_, each) => {
    const direct = await directly(each);
    expect(await within(each)).toEqual(direct);
    expect(direct.texts).toHaveLength(each.inputs.length);
  },
);
