import type { Tool, ToolSources, Toolset } from "../types.ts";
import { derivePolicy } from "../derived-policy.ts";
import { warningOfAbsent } from "./absent-names.ts";
import { combined } from "./combined.ts";
import { deferred } from "./deferred.ts";
import { filtered } from "./filtered.ts";
import { eachTool, mapped } from "./mapped.ts";
import { renameTools } from "../rename-tools.ts";
import { isSearch } from "../searches.ts";
import type { ToolPolicy } from "../policy.ts";
import type { Step } from "./step.ts";

/** The tools of all sources, with every step done to them in order. */
export function wrap(name: string, sources: ToolSources, steps: readonly Step[]): Toolset {
  return steps.reduce(take, combined(name, sources));
}

function take(set: Toolset, step: Step): Toolset {
  const inner = "names" in step && step.names ? warningOfAbsent(set, step.names, step.kind) : set;
  switch (step.kind) {
    case "renamed":
      return mapped(inner, (list) =>
        renameTools(
          list,
          list.map(({ name }) => step.rename(name) ?? name),
        ),
      );
    case "policy":
      return mapped(
        inner,
        eachTool((tool) => ({ ...tool, policy: derivePolicy(tool.policy, changesFor(tool, step.policy)) })),
      );
    case "filtered":
      return filtered(inner, step.filter);
    case "deferred":
      return deferred(inner, step.name, step.limit);
  }
}

/** The model has to read what a search answers, and it is for one conversation: in another, its names may be other tools'. */
function changesFor(tool: Tool, policy: ToolPolicy<never, never>): ToolPolicy<never, never> {
  if (!isSearch(tool)) return policy;
  const { cache: _, mask: _mask, ...others } = policy;
  return others;
}
