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
import { Agent, run, tool, type ApprovalDecision, type Tool, type ToolContext } from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { empty, keepers, plain } from "./test-nested.ts";

/** Something that has an effect, or something that calls others, side by side or in order. */
type Node =
  | { readonly kind: "effect"; readonly approval: boolean }
  | { readonly kind: "tool" | "agent"; readonly isParallel: boolean; readonly children: readonly Node[] };

const effect: Arbitrary<Node> = record({ kind: constantFrom("effect" as const), approval: boolean() });

const { node } = letrec<{ node: Node; group: Node }>((tie) => ({
  node: oneof({ maxDepth: 3, depthSize: "small" }, effect, tie("group")),
  group: record({
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
    if (each.kind === "effect") return [effectTool(name, each.approval, done)];
    const inner = toolsOf(each.children, name, done);
    if (each.kind === "agent") return [agentOf(name, each, inner).asTool({ name })];
    return [callingTool(name, each), ...inner];
  });
}

function effectTool(name: string, approval: boolean, done: Done): Tool {
  return tool({
    name,
    input: empty,
    approval,
    execute: (_input: unknown, { idempotencyKey }) => {
      done.set(name, [...(done.get(name) ?? []), idempotencyKey]);
      return `${name} is done`;
    },
  });
}

function callingTool(
  name: string,
  { children, isParallel }: Extract<Node, { kind: "tool" | "agent" }>,
): Tool {
  const names = children.map((_, index) => `${name}_${index}`);
  return tool({
    name,
    input: empty,
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
  { children, isParallel }: Pick<Extract<Node, { kind: "tool" | "agent" }>, "children" | "isParallel">,
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
  readonly nodes: readonly Node[];
  readonly isParallel: boolean;
  readonly keeper: number;
  /** Which of the pending calls are decided on next, and how. */
  readonly choices: readonly number[];
}

/** Runs a tree to its end; returns the places that were approved, and those that were denied. */
async function decideAll(
  trial: Trial,
  done: Done,
): Promise<{ readonly approved: Set<string>; readonly denied: Set<string> }> {
  const { nodes, isParallel, choices } = trial;
  // Another process each time: nothing is kept but what is stored.
  const boss = (): Agent => agentOf("t", { children: nodes, isParallel }, toolsOf(nodes, "t", done));
  const options = keepers[trial.keeper]?.[1]() ?? {};
  const [approved, denied] = [new Set<string>(), new Set<string>()];
  let outcome = await run(boss(), "go", options);
  for (let round = 0; outcome.status === "paused"; round++) {
    if (round > 100) throw new Error("the run never ends");
    const { pending } = outcome;
    const choice = choices[round % choices.length] ?? 1;
    const picked = pending.filter((_, index) => (choice >> (index % 5)) % 2 === 1);
    const approvals = (picked.length > 0 ? picked : pending).map(
      ({ approvalId = "", toolName }): ApprovalDecision => {
        const isApproved = (choice + toolName.length) % 3 !== 0;
        (isApproved ? approved : denied).add(toolName);
        return { approvalId, decision: isApproved ? "approve" : "deny" };
      },
    );
    const input = options.session ? [] : plain(outcome.state);
    outcome = await run(boss(), input, { ...options, approvals });
    expect(outcome.warnings).toEqual([]);
  }
  expect(outcome).toMatchObject({ status: "completed", text: "Done." });
  return { approved, denied };
}

function effectsIn(nodes: readonly Node[], place: string): readonly (readonly [string, boolean])[] {
  return nodes.flatMap((each, index) => {
    const name = `${place}_${index}`;
    return each.kind === "effect" ? [[name, each.approval] as const] : effectsIn(each.children, name);
  });
}

test("each effect happens once if it is approved, and never if it is denied", async () => {
  const trials = record({
    nodes: roots,
    isParallel: boolean(),
    keeper: nat(3),
    choices: array(nat(31), { minLength: 1, maxLength: 6 }),
  });
  await assertProperty(
    asyncProperty(trials, async (trial) => {
      const done: Done = new Map();
      const { approved, denied } = await decideAll(trial, done);
      for (const [name, approval] of effectsIn(trial.nodes, "t")) {
        const isExpected = !approval || approved.has(name);
        expect(done.get(name)?.length ?? 0, name).toBe(isExpected ? 1 : 0);
        expect(approval && !isExpected, name).toBe(denied.has(name));
      }
      const keys = [...done.values()].flat();
      expect(new Set(keys).size).toBe(keys.length);
    }),
    { numRuns: 150, endOnFailure: true },
  );
});
