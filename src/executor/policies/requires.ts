import { ConfigurationError } from "../../errors.ts";
import type { Message } from "../../message/messages.ts";
import { successesIn } from "../../message/successes.ts";
import { preview } from "../../schema/words.ts";
import type { ToolTable } from "../../tool/table.ts";
import { keepOrigin } from "../../tool/rename-tools.ts";
import type { Tool } from "../../tool/types.ts";
import { memoize } from "../../base/util/memoize.ts";
import { closest } from "../../base/util/closest.ts";
import { refusal } from "../refusal.ts";
import type { ExecutionScope, Policy } from "../types.ts";

/** The tools that have succeeded in a history, as far as it was read. */
interface Successes {
  /** Their names, each with where the tool comes from, as far as that is known: another tool of that name is another tool. */
  readonly names: Set<string>;
  /** The newest message that was read: a compaction changes what is before it, and how much. */
  last: Message | undefined;
}

/** The successes of each run. */
const successesOfRun = memoize((_: ExecutionScope["memory"]): Successes => ({
  names: new Set(),
  last: undefined,
}));

/** Refuses calls whose required tools have no success in the history before this batch, and says what to call first. */
export const requires: Policy = (next, { policy }) => {
  const required = policy.requires ?? [];
  return (ready) => {
    const { call, scope } = ready;
    const successes = successesOf(scope);
    const { toolTable, toolNames, agent, successes: within = [] } = scope;
    const hasSucceeded = (name: string): boolean => {
      if (within.includes(name)) return true;
      // One that is not offered any more had its name settled when it was called.
      const source = toolTable.has(name) ? toolTable.originOf(name) : toolNames?.originOf(agent?.name, name);
      const origin = source ?? [];
      return successes.has(name) || successes.has(withOrigin(name, origin));
    };
    const missing = required.filter((name) => !hasSucceeded(name));
    if (missing.length === 0) return next(ready);
    const callable = missing.filter((name) => toolTable.has(name));
    const why =
      callable.length === 0
        ? "it cannot be called yet."
        : `first call ${callable.map((name) => preview(name, 100)).join(" and ")} and wait for success, then call ${call.toolName} again.`;
    return { result: refusal(call, why, "not-executed", scope) };
  };
};

/** Each message is read once in a run. A summary names the tools that had succeeded in what it stands for. */
function successesOf({ memory, messages, toolNames }: ExecutionScope): ReadonlySet<string> {
  const successes = successesOfRun(memory);
  const add = (names: readonly string[], agent?: string): void => {
    for (const name of names) {
      const origins = toolNames?.originsOf(name, agent);
      for (const key of origins?.map((origin) => withOrigin(name, origin)) ?? [name])
        successes.names.add(key);
    }
  };
  let ofAnswer: string[] = [];
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role === "assistant") {
      add(ofAnswer, message.agent);
      ofAnswer = [];
    }
    if (!message || message === successes.last) break;
    if (message.role === "tool") ofAnswer.push(...successesIn(message));
    else add(successesIn(message));
  }
  add(ofAnswer);
  successes.last = messages.at(-1);
  return successes.names;
}

function withOrigin(name: string, origin: readonly string[]): string {
  return JSON.stringify([name, ...origin]);
}

/** A tool whose description says what has to come first; names of tools that are not offered stay hidden. */
export function withRequirement(tool: Tool, isOffered: (name: string) => boolean): Tool {
  const names = (tool.policy.requires ?? []).filter(isOffered);
  if (names.length === 0) return tool;
  const requirement = `Requires: ${names.join(", ")} first.`;
  const description = tool.description === undefined ? requirement : `${tool.description}\n${requirement}`;
  return keepOrigin({ ...tool, description }, tool);
}

/** @throws ConfigurationError if a tool requires an unknown tool: it could never be called. */
export function assertRequired(toolTable: ToolTable): void {
  for (const { name, policy } of toolTable.tools) {
    for (const required of policy.requires ?? []) {
      if (toolTable.has(required)) continue;
      const [near] = closest(required, toolTable.names, 1);
      const hint =
        near === undefined ? `There are: ${toolTable.names.join(", ")}.` : `Did you mean "${near}"?`;
      throw new ConfigurationError(
        `The tool ${name} requires "${required}", which is not a tool of its agent: only those of the same agent count. ${hint}`,
        { code: "invalid-tool", data: { tool: name, requires: required } },
      );
    }
  }
}
