import type { Tool, ToolSources, Toolset } from "../types.ts";
import { derivePolicy } from "../derived-policy.ts";
import { combined } from "./combined.ts";
import { deferred } from "./deferred.ts";
import { filtered } from "./filtered.ts";
import { mapped } from "./mapped.ts";
import type { Step } from "./step.ts";

/** The tools of all sources, with every step done to them in order. */
export function wrap(name: string, sources: ToolSources, steps: readonly Step[]): Toolset {
  return steps.reduce(take, combined(name, sources));
}

function take(inner: Toolset, step: Step): Toolset {
  switch (step.kind) {
    case "renamed":
      return mapped(inner, (tool, list) => renamed(tool, list, step.rename));
    case "policy":
      return mapped(inner, (tool): Tool => ({ ...tool, policy: derivePolicy(tool.policy, step.policy) }));
    case "filtered":
      return filtered(inner, step.filter);
    case "deferred":
      return deferred(inner, step.name, step.limit);
  }
}

/** A tool under another name; those that it requires are renamed with it, as far as they are of the same set. */
function renamed(tool: Tool, list: readonly Tool[], rename: (name: string) => string | undefined): Tool {
  const name = rename(tool.name) ?? tool.name;
  const { requires } = tool.policy;
  if (!requires) return { ...tool, name };
  const names = requires.map((required) =>
    list.some((other) => other.name === required) ? (rename(required) ?? required) : required,
  );
  return { ...tool, name, policy: derivePolicy(tool.policy, { requires: names }) };
}
