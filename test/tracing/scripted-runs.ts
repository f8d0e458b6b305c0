/** Twelve runs with scripted models, and the outline of the spans that each leads to. */
import { trace } from "@opentelemetry/api";
import { Agent, RateLimitError, run, tool, type Tool, type ToolContext, type ToolPolicy } from "skein";
import { fallback } from "skein/models";
import { ScriptedModel } from "skein/testing";

/** A run, and its spans. */
export interface ScriptedRun {
  readonly run: () => Promise<unknown>;
  readonly tree: string;
}

const schema = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
} as const;

type Execute = (input: { readonly text: string }, context: ToolContext) => unknown;

/** A tool of one text, which it returns unless it does something else. */
export function textTool(
  name: string,
  execute: Execute = ({ text }) => text,
  policy: ToolPolicy<{ text: string }, unknown> = {},
): Tool {
  return tool<{ text: string }>({ name, description: `The tool ${name}`, input: schema, execute, ...policy });
}

/** A call of such a tool. */
export function callOf(toolName: string, text = "a"): { toolName: string; arguments: { text: string } } {
  return { toolName, arguments: { text } };
}

function overloaded(): RateLimitError {
  return new RateLimitError("too many requests", {
    provider: "scripted",
    modelId: "scripted",
    retryAfter: 0,
  });
}

/** An agent with a scripted model. */
export function agentOf(
  name: string,
  turns: ConstructorParameters<typeof ScriptedModel>[0],
  tools: readonly Tool[] = [],
): Agent {
  const model = new ScriptedModel(turns, { toolCallIdPrefix: `${name}_` });
  return new Agent({ name, model, tools: [...tools] });
}

const answer: ScriptedRun = {
  run: () => run(agentOf("A", ["Hello."]), "Hi"),
  tree: `
invoke_agent A (completed)
  chat scripted (CLIENT)`,
};

const handoff: ScriptedRun = {
  run: () => {
    const support = agentOf("Support", [{ toolCalls: [callOf("look")] }, "Done."], [textTool("look")]);
    const refunds = new Agent({
      name: "Refunds",
      model: new ScriptedModel([{ toolCalls: [{ toolName: "transfer_to_support" }] }]),
      handoffs: [support],
    });
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "transfer_to_refunds" }] }]);
    return run(new Agent({ name: "Triage", model, handoffs: [refunds] }), "Hi");
  },
  tree: `
invoke_agent Triage (completed)
  chat scripted (CLIENT)
  execute_tool transfer_to_refunds (success)
  invoke_agent Refunds
    chat scripted (CLIENT)
    execute_tool transfer_to_support (success)
  invoke_agent Support
    chat scripted (CLIENT)
    execute_tool look (success)
    chat scripted (CLIENT)`,
};

/** Each call has a span of the tool's own, which must be below that call and no other. */
const parallel: ScriptedRun = {
  run: () => {
    const names = Array.from({ length: 20 }, (_, index) => `t${index}`);
    const tools = names.map((name) =>
      textTool(name, async () => {
        await Promise.resolve();
        return trace.getTracer("app").startActiveSpan(`GET /${name}`, (span) => span.end());
      }),
    );
    const model = new ScriptedModel([{ toolCalls: names.map((name) => callOf(name)) }, "Done."]);
    return run(new Agent({ name: "A", model, tools }), "Hi", { concurrency: 5 });
  },
  tree: `
invoke_agent A (completed)
  chat scripted (CLIENT)
${Array.from({ length: 20 }, (_, index) => `  execute_tool t${index} (success)\n    GET /t${index}`).join("\n")}
  chat scripted (CLIENT)`,
};

const nested: ScriptedRun = {
  run: () => {
    const inner = textTool("inner");
    const middle = textTool("middle", (_, { call }) => call("inner", { text: "b" }));
    const outer = textTool("outer", async (_, { call }) => [
      await call("middle", { text: "b" }),
      await trace.getTracer("app").startActiveSpan("own", async (span) => {
        await call("inner", { text: "c" });
        span.end();
      }),
    ]);
    return run(agentOf("A", [{ toolCalls: [callOf("outer")] }, "Done."], [outer, middle, inner]), "Hi");
  },
  tree: `
invoke_agent A (completed)
  chat scripted (CLIENT)
  execute_tool outer (success)
    execute_tool middle (success)
      execute_tool inner (success)
    own
      execute_tool inner (success)
  chat scripted (CLIENT)`,
};

const subAgents: ScriptedRun = {
  run: () => {
    const deep = agentOf("Deep", [{ toolCalls: [callOf("look")] }, "Deep."], [textTool("look")]);
    const middle = agentOf("Middle", [
      { toolCalls: [{ toolName: "deep", arguments: { input: "?" } }] },
      "Middle.",
    ]).with({ tools: [deep.asTool()] });
    const top = agentOf("Top", [
      { toolCalls: [{ toolName: "middle", arguments: { input: "?" } }] },
      "Top.",
    ]).with({ tools: [middle.asTool()] });
    return run(top, "Hi");
  },
  tree: `
invoke_agent Top (completed)
  chat scripted (CLIENT)
  execute_tool middle (success)
    invoke_agent Middle (completed)
      chat scripted (CLIENT)
      execute_tool deep (success)
        invoke_agent Deep (completed)
          chat scripted (CLIENT)
          execute_tool look (success)
          chat scripted (CLIENT)
      chat scripted (CLIENT)
  chat scripted (CLIENT)`,
};

const retries: ScriptedRun = {
  run: () => run(agentOf("A", [{ error: overloaded() }, { error: overloaded() }, "Hello."]), "Hi"),
  tree: `
invoke_agent A (completed)
  chat scripted (CLIENT, +skein.retry rate-limit, +skein.retry rate-limit)`,
};

const fallbacks: ScriptedRun = {
  run: () => {
    const first = new ScriptedModel([{ error: overloaded() }], { modelId: "first" });
    const second = new ScriptedModel(["Hello."], { modelId: "second" });
    return run(new Agent({ name: "A", model: fallback([first, second]) }), "Hi");
  },
  tree: `
invoke_agent A (completed)
  chat first (CLIENT, +skein.fallback rate-limit)`,
};

const cache: ScriptedRun = {
  run: () => {
    const look = textTool("look", ({ text }) => text, { cache: true });
    const turns = [{ toolCalls: [callOf("look")] }, { toolCalls: [callOf("look")] }, "Done."];
    return run(agentOf("A", turns, [look]), "Hi");
  },
  tree: `
invoke_agent A (completed)
  chat scripted (CLIENT)
  execute_tool look (success)
  chat scripted (CLIENT)
  execute_tool look (success, cached)
  chat scripted (CLIENT)`,
};

const approval: ScriptedRun = {
  run: async () => {
    const charge = textTool("charge", ({ text }) => text, { approval: true });
    const agent = agentOf("A", [{ toolCalls: [callOf("charge")] }, "Done."], [charge]);
    const { state, pending } = await run(agent, "Hi");
    const [{ approvalId = "" } = {}] = pending;
    await run(agent, JSON.parse(JSON.stringify(state)), { approvals: [{ approvalId, decision: "approve" }] });
  },
  tree: `
invoke_agent A (paused)
  chat scripted (CLIENT)
  execute_tool charge (waiting)
invoke_agent A (completed, -> invoke_agent A)
  execute_tool charge (success)
  chat scripted (CLIENT)`,
};

/** Mistakes of the model: a name of its own is in no span. */
const corrections: ScriptedRun = {
  run: () => {
    const broken = textTool("broken", () => {
      throw new TypeError("no such file");
    });
    const turns = [
      { toolCalls: [callOf("brokn")] },
      { toolCalls: [{ toolName: "broken", arguments: "{}" }] },
      { toolCalls: [callOf("broken")] },
      "I give up.",
    ];
    return run(agentOf("A", turns, [broken]), "Hi");
  },
  tree: `
invoke_agent A (completed)
  chat scripted (CLIENT)
  execute_tool _OTHER (ERROR unknown-tool, unknown-tool)
  chat scripted (CLIENT)
  execute_tool broken (ERROR invalid-arguments, invalid-arguments)
  chat scripted (CLIENT)
  execute_tool broken (ERROR error, error)
  chat scripted (CLIENT)`,
};

const failure: ScriptedRun = {
  run: () => run(agentOf("A", [{ error: new Error("out of order") }]), "Hi").catch(() => undefined),
  tree: `
invoke_agent A (ERROR model-failed, failed)
  chat scripted (CLIENT, ERROR model-failed)`,
};

/** Cancelled while one of two tools works, which takes no notice. */
const cancel: ScriptedRun = {
  run: () => {
    const controller = new AbortController();
    const forever = textTool("forever", () => {
      controller.abort();
      return new Promise(() => {});
    });
    const turns = [{ toolCalls: [callOf("quick"), callOf("forever")] }];
    return run(agentOf("A", turns, [textTool("quick"), forever]), "Hi", { signal: controller.signal });
  },
  tree: `
invoke_agent A (cancelled)
  chat scripted (CLIENT)
  execute_tool quick (success)
  execute_tool forever (ERROR cancelled, cancelled)`,
};

/** The runs, by what they show. */
export const scriptedRuns: Readonly<Record<string, ScriptedRun>> = {
  answer,
  handoff,
  "20 parallel calls": parallel,
  "nested calls": nested,
  "sub-agents two deep": subAgents,
  retries,
  fallback: fallbacks,
  cache,
  "approval and resume": approval,
  corrections,
  failure,
  cancel,
};
