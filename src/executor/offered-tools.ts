import type { ToolSpec } from "../model/types.ts";
import { ToolTable } from "../tool/table.ts";
import { isAllowed, type Caller } from "./policies/allow.ts";
import { assertRequired, withRequirement } from "./policies/requires.ts";

/** How many different selections of one agent's tools are kept. */
const mostSelections = 64;

/** Selections by the list of all tool descriptions: a new list once a tool comes or goes. */
const selectionsBySpecs = new WeakMap<readonly ToolSpec[], Map<string, ToolTable>>();

/**
 * The tools that a caller may use, described with what they require. The same table as long as it is the same tools.
 * @throws ConfigurationError if a tool requires an unknown tool; the signal's reason if that is aborted.
 */
export async function offeredTools(toolTable: ToolTable, caller: Caller): Promise<ToolTable> {
  // No context is needed where no tool restricts who may use it.
  if (!toolTable.isGuarded) return toolTable;
  const { tools, specs } = toolTable;
  const guarded = tools.filter(({ policy }) => policy.allow);
  const allowed = await Promise.all(guarded.map((tool) => isAllowed(tool, caller)));
  const refused = new Set(guarded.flatMap(({ name }, index) => (allowed[index] ? [] : [name])));
  const selections = selectionsBySpecs.get(specs) ?? new Map<string, ToolTable>();
  selectionsBySpecs.set(specs, selections);
  const key = allowed.map(Number).join("");
  const cached = selections.get(key);
  if (cached) return cached;
  if (selections.size >= mostSelections) selections.clear();
  const selection = select(toolTable, withReplaced(refused, toolTable));
  selections.set(key, selection);
  return selection;
}

/** A tool whose replacement is refused is refused too: on its own it would be executed without the guards of that. */
function withReplaced(refused: ReadonlySet<string>, { tools }: ToolTable): ReadonlySet<string> {
  const all = new Set(refused);
  // A set that grows while it is walked.
  for (const refusedName of all)
    for (const { name, annotations } of tools) {
      const { deprecated } = annotations;
      if (typeof deprecated === "object" && deprecated.use === refusedName) all.add(name);
    }
  return all;
}

function select(toolTable: ToolTable, refused: ReadonlySet<string>): ToolTable {
  assertRequired(toolTable);
  const isOffered = (name: string): boolean => !refused.has(name);
  const offered = toolTable.tools.filter(({ name }) => isOffered(name));
  return new ToolTable(
    offered.map((tool) => withRequirement(tool, isOffered)),
    refused,
    toolTable,
  );
}
