/** Random trees of agents and tools that call each other: whatever waits, and in whatever order it is decided, each effect happens once. */
import {
  array,
  assert as assertProperty,
  asyncProperty,
  boolean,
  constantFrom,
  letrec,
  nat,
  oneof,
  record,
  type Arbitrary,
} from "fast-check";
import {
  Agent,
  run,
  SkeinError,
  tool,
  type ApprovalDecision,
  type Middleware,
  type RunResult,
  type Tool,
  type ToolContext,
} from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { empty, keepers, plain } from "./test-nested.ts";

/** Something that has an effect, or whose result comes from elsewhere, or that calls others, side by side or in order. */
type Node = Guards & ({ readonly kind: "effect" } | { readonly kind: "question" } | Group);

interface Group {
  readonly kind: "tool" | "agent";
  readonly isParallel: boolean;
  readonly children: readonly Node[];
}

/** Whether a person decides, and whether the result is kept from states. */
interface Guards {
  readonly approval: boolean;
  readonly mask: boolean;
}

const guards = { approval: boolean(), mask: boolean() };
const effect: Arbitrary<Node> = record({
  kind: constantFrom("effect" as const, "effect" as const, "question" as const),
  ...guards,
});

const { node } = letrec<{ node: Node; group: Node }>((tie) => ({
  node: oneof({ maxDepth: 3, depthSize: "small" }, effect, tie("group")),
  group: record({
    ...guards,
    kind: constantFrom("tool" as const, "agent" as const),
    isParallel: boolean(),
    children: array(tie("node"), { minLength: 1, maxLength: 3 }),
  }),
}));
const roots = array(node, { minLength: 1, maxLength: 4 });

/** What a tree did: the idempotency keys of each effect, by its place. */
type Done = Map<string, string[]>;

/** The tree as tools of one agent: a call of a tool within another needs that other in the same list. */
function toolsOf(nodes: readonly Node[], place: string, done: Done): readonly Tool[] {
  return nodes.flatMap((each, index) => {
    const name = `${place}_${index}`;
    if (each.kind === "effect") return [effectTool(name, each, done)];
    if (each.kind === "question") return [tool({ name, input: empty })];
    const inner = toolsOf(each.children, name, done);
    if (each.kind === "agent") return [agentTool(name, each, inner)];
    return [callingTool(name, each), ...inner];
  });
}

function effectTool(name: string, { approval, mask }: Guards, done: Done): Tool {
  return tool({
    name,
    input: empty,
    approval,
    mask,
    execute: (_input: unknown, { idempotencyKey }) => {
      done.set(name, [...(done.get(name) ?? []), idempotencyKey]);
      return `${name} is done`;
    },
  });
}

function agentTool(name: string, group: Group & Guards, tools: readonly Tool[]): Tool {
  const { approval, mask } = group;
  const agent = agentOf(name, group, tools);
  return tool({
    name,
    input: empty,
    approval,
    mask,
    execute: (_input: unknown, { runAgent }) => runAgent(agent, "Go."),
  });
}

function callingTool(name: string, { children, isParallel, approval, mask }: Group & Guards): Tool {
  const names = children.map((_, index) => `${name}_${index}`);
  return tool({
    name,
    input: empty,
    approval,
    mask,
    async execute(_input: unknown, { call }: ToolContext) {
      const attempt = (child: string): Promise<unknown> =>
        call(child, { input: "Go." }).catch((error: Error) => error.message);
      if (isParallel) return Promise.all(names.map(attempt));
      const results: unknown[] = [];
      for (const child of names) results.push(await attempt(child));
      return results;
    },
  });
}

function agentOf(
  name: string,
  { children, isParallel }: Pick<Group, "children" | "isParallel">,
  tools: readonly Tool[],
): Agent {
  const calls = children.map((_, index) => ({
    toolCallId: `call_${index}`,
    toolName: `${name}_${index}`,
    arguments: { input: "Go." },
  }));
  const model = new FunctionModel(({ messages }) => {
    const count = messages.filter(({ role }) => role === "tool").length;
    if (count === calls.length) return "Done.";
    return { toolCalls: isParallel ? calls : calls.slice(count, count + 1) };
  });
  return new Agent({ name, model, tools });
}

interface Trial {
  /** Which steps a middleware fails at, and whether before they are performed. */
  readonly failures: readonly { readonly step: number; readonly isBefore: boolean }[];
  readonly nodes: readonly Node[];
  readonly isParallel: boolean;
  readonly keeper: number;
  /** Which of the pending calls are decided on next, and how. */
  readonly choices: readonly number[];
}

/** A middleware that fails at some steps, counted over all runs of a trial. */
function failingAt(failures: Trial["failures"]): Middleware {
  let count = 0;
  return {
    async step(_key, next) {
      count += 1;
      const failure = failures.find(({ step }) => step === count);
      if (failure?.isBefore) throw new Error("no store");
      const value = await next();
      if (failure) throw new Error("no store");
      return value;
    },
  };
}

type Stop = Pick<RunResult, "state" | "pending"> & { readonly status: RunResult["status"] | "failed" };

/** How a run ends, or the state that its error carries. */
async function runOrFail(...input: Parameters<typeof run>): Promise<Stop & { readonly text?: string }> {
  try {
    const outcome = await run(...input);
    expect(outcome.warnings).toEqual([]);
    return outcome;
  } catch (error) {
    if (!(error instanceof SkeinError) || error.code !== "middleware-failed" || !error.state) throw error;
    return { status: "failed", state: error.state, pending: [] };
  }
}

/** Runs a tree to its end; returns the places that were approved, and those that were denied. */
async function decideAll(
  trial: Trial,
  done: Done,
): Promise<{ readonly approved: Set<string>; readonly denied: Set<string> }> {
  const { nodes, isParallel, choices, failures } = trial;
  // Another process each time: nothing is kept but what is stored.
  const boss = (): Agent => agentOf("t", { children: nodes, isParallel }, toolsOf(nodes, "t", done));
  const middleware = failures.length > 0 ? [failingAt(failures)] : [];
  const options = { ...keepers[trial.keeper]?.[1](), middleware };
  const [approved, denied] = [new Set<string>(), new Set<string>()];
  let outcome = await runOrFail(boss(), "go", options);
  for (let round = 0; outcome.status === "paused" || outcome.status === "failed"; round++) {
    if (round > 100) throw new Error("the run never ends");
    const { pending } = outcome;
    const choice = choices[round % choices.length] ?? 1;
    const picked = pending.filter((_, index) => (choice >> (index % 5)) % 2 === 1);
    const answered = picked.length > 0 ? picked : pending;
    const results = answered
      .filter(({ approvalId }) => approvalId === undefined)
      .map(({ toolCallId }) => ({ toolCallId, content: "an answer" }));
    const approvals = answered.flatMap(({ approvalId, toolName }): ApprovalDecision[] => {
      if (approvalId === undefined) return [];
      // Where a run failed, the same is decided again.
      const isApproved = (Number(toolName.replaceAll(/\D/g, "")) + (choices[0] ?? 1)) % 3 !== 0;
      (isApproved ? approved : denied).add(toolName);
      return [{ approvalId, decision: isApproved ? "approve" : "deny" }];
    });
    const input = options.session ? [] : plain(outcome.state);
    outcome = await runOrFail(boss(), input, { ...options, approvals, results });
  }
  expect(outcome).toMatchObject({ status: "completed", text: "Done." });
  return { approved, denied };
}

interface Effect {
  readonly name: string;
  readonly mask: boolean;
  /** The places on the way to it that a person decides on, its own the last. */
  readonly decisions: readonly string[];
}

function effectsIn(nodes: readonly Node[], place: string, above: readonly string[] = []): readonly Effect[] {
  return nodes.flatMap((each, index) => {
    const name = `${place}_${index}`;
    const decisions = each.approval ? [...above, name] : above;
    if (each.kind === "question") return [];
    if (each.kind === "effect") return [{ name, mask: each.mask, decisions }];
    return effectsIn(each.children, name, decisions);
  });
}

const trial = {
  nodes: roots,
  isParallel: boolean(),
  keeper: nat(3),
  choices: array(nat(31), { minLength: 1, maxLength: 6 }),
};

async function expectEffects(each: Trial): Promise<void> {
  const done: Done = new Map();
  const { approved, denied } = await decideAll(each, done);
  for (const { name, mask, decisions } of effectsIn(each.nodes, "t")) {
    const isExpected = decisions.every((place) => approved.has(place));
    const keys = done.get(name) ?? [];
    // A masked result is kept nowhere: the call is made again with its key.
    expect(mask ? new Set(keys).size : keys.length, name).toBe(isExpected ? 1 : 0);
    expect(!isExpected, name).toBe(decisions.some((place) => denied.has(place)));
  }
  const keys = [...done.values()].flatMap((every) => [...new Set(every)]);
  expect(new Set(keys).size).toBe(keys.length);
}

test("each effect happens once if all that leads to it is approved, and never if any of that is denied", async () => {
  await assertProperty(asyncProperty(record({ ...trial, failures: constantFrom([]) }), expectEffects), {
    numRuns: 150,
    endOnFailure: true,
  });
});

test("so it does where steps cannot be stored, and the run goes on from the state of its error", async () => {
  const failures = array(record({ step: nat(40), isBefore: boolean() }), { minLength: 1, maxLength: 3 });
  await assertProperty(asyncProperty(record({ ...trial, failures }), expectEffects), {
    numRuns: 150,
    endOnFailure: true,
  });
});
