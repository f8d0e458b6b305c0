/** Each policy of a tool holds for a call in a program as for a call of the model. */
import { expect, test } from "vitest";
import { Agent, run, tool, type RunEvent, type RunOptions, type Tool, type ToolPolicy } from "skein";
import { FunctionModel } from "skein/testing";
import { programmer } from "./test-run.ts";

interface Case {
  readonly policy: ToolPolicy;
  /** The inputs of the calls, one after the other. */
  readonly inputs: readonly object[];
  readonly options?: Partial<RunOptions>;
  /** What the tool does, by how often it was called. */
  readonly execute?: (count: number, signal: AbortSignal) => unknown;
  readonly decide?: { readonly decision: "approve" | "deny"; readonly arguments?: string };
}

/** The tool of one case, which counts its calls. */
function work({ policy, execute = (count) => ({ count }) }: Case) {
  let count = 0;
  return tool({
    name: "work",
    input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    ...policy,
    execute: (_: unknown, { signal }: { readonly signal: AbortSignal }) => execute(++count, signal),
  });
}

const first = tool({ name: "first", input: { type: "object", properties: {} }, execute: () => "first" });

/** What each call came to in the words for a model, and what was reported of it. */
interface Seen {
  readonly texts: readonly string[];
  readonly events: readonly string[];
  readonly stats: unknown;
}

async function finish(agent: Agent, { options = {}, decide }: Case) {
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent): void => void events.push(event);
  let done = await run(agent, "Go.", { ...options, onEvent });
  const messages = [...done.messages];
  for (let round = 0; done.status === "paused" && round < 5; round++) {
    const approvals = done.pending.map(({ approvalId = "" }) => ({
      approvalId,
      decision: "approve" as const,
      ...decide,
    }));
    done = await run(agent, done.state, { ...options, approvals, onEvent });
    messages.push(...done.messages);
  }
  const reported = events.flatMap((event) => {
    if (event.type === "approval-request") return [`approval-request ${event.toolCall.toolName}`];
    if (event.type === "tool-start") return event.toolCall.toolName === "work" ? ["tool-start"] : [];
    if (event.type !== "tool-end") return [];
    return event.result.toolName === "work" ? [`tool-end ${event.result.outcome}`] : [];
  });
  return { messages, reported, done };
}

/** The calls as a model makes them. */
async function directly(each: Case, tools: readonly Tool[]): Promise<Seen> {
  const model = new FunctionModel(({ messages }) => {
    const count = messages.filter(({ role }) => role === "tool").length;
    const input = each.inputs[count];
    return input ? { toolCalls: [{ toolName: "work", arguments: { ...input } }] } : "Done.";
  });
  const agent = new Agent({ name: "A", model, tools: [...tools] });
  const { messages, reported, done } = await finish(agent, each);
  const texts = messages.flatMap((message) =>
    message.role === "tool"
      ? [message.result.content.map((part) => ("text" in part ? part.text : "")).join("\n")]
      : [],
  );
  // A note that is for the model alone is not a part of the value.
  const values = texts.map((text) => text.split("\nNote: a person approved")[0] ?? "");
  return { texts: values, events: reported, stats: done.stats.tools?.["work"]?.calls };
}

/** The calls as a program makes them. */
async function within(each: Case, tools: readonly Tool[]): Promise<Seen> {
  const code = `const texts = [];
for (const input of ${JSON.stringify(each.inputs)}) {
  try { const value = await tools.work(input); texts.push(typeof value === 'string' ? value : JSON.stringify(value)); }
  catch (error) { texts.push(error.message); }
}
return texts;`;
  const { messages, reported, done } = await finish(programmer([code], tools), each);
  const last = messages.findLast(({ role }) => role === "tool");
  const texts = last?.role === "tool" ? last.result.structuredContent : [];
  return {
    texts: Array.isArray(texts) ? texts.map(String) : [],
    events: reported,
    stats: done.stats.tools?.["work"]?.calls,
  };
}

const twice = [{ n: 1 }, { n: 1 }];

const cases: Readonly<Record<string, Case>> = {
  none: { policy: {}, inputs: [{ n: 1 }, { n: 2 }] },
  "wrong arguments": { policy: {}, inputs: [{ m: 1 }] },
  "an error": {
    policy: {},
    inputs: twice,
    execute: () => {
      throw new Error("out of order");
    },
  },
  "allow: yes": { policy: { allow: () => true }, inputs: [{ n: 1 }] },
  "requires, missing": { policy: { requires: ["first"] }, inputs: [{ n: 1 }] },
  "approval: approve": { policy: { approval: true }, inputs: twice, decide: { decision: "approve" } },
  "approval: deny": { policy: { approval: true }, inputs: [{ n: 1 }], decide: { decision: "deny" } },
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
  cache: { policy: { cache: true }, inputs: twice },
  serialize: { policy: { serialize: true }, inputs: twice },
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
  mask: { policy: { mask: ["count"] }, inputs: [{ n: 1 }] },
  "mask of all": { policy: { mask: true }, inputs: [{ n: 1 }] },
  validateOutput: { policy: { validateOutput: true }, inputs: [{ n: 1 }] },
};

test.each(Object.entries(cases))(
  "%s: a call in a program comes to the same as one of the model",
  async (_, each) => {
    const direct = await directly(each, [work(each), first]);
    const nested = await within(each, [work(each), first]);
    expect(nested).toEqual(direct);
    expect(direct.texts.length).toBeGreaterThan(0);
  },
);

test("a run's limit of tool calls counts those in programs", async () => {
  let count = 0;
  const next = tool({ name: "next", input: { type: "object", properties: {} }, execute: () => ++count });
  const agent = programmer(
    ["for (let i = 0; i < 5; i++) await tools.next(); return 1;", "return await tools.next();"],
    [next],
  );
  const { stats } = await run(agent, "Go.");
  expect(stats.tools).toMatchObject({ next: { calls: 6 }, execute_typescript: { calls: 2 } });
});
