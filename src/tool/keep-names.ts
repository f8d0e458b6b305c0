import { memoize } from "../base/util/memoize.ts";
import type { Message } from "../message/messages.ts";
import { renameTools } from "./rename-tools.ts";
import { findsIn } from "./searches.ts";
import { ToolTable, type ToolOriginPath } from "./table.ts";
import { callersTools, type ToolNames } from "./tool-names.ts";
import type { Tool } from "./types.ts";

/** Whose tools get the names that they were called by. */
export interface NameKeeper {
  readonly agent: string;
  readonly names: ToolNames;
  /** Whether the run goes on with an earlier one's calls. */
  readonly isResumed: boolean;
  readonly warn: (message: string) => void;
}

/** A tool of a table, and where it comes from. */
interface PlacedTool {
  readonly tool: Tool;
  readonly origin: ToolOriginPath;
}

/** The last table of each run's names: the list of tools that a model sees stays the same as long as they do. */
const lastOf = new WeakMap<
  ToolNames,
  { readonly from: ToolTable; readonly count: number; readonly renamed: ToolTable }
>();

/**
 * The tools of a table, those of toolsets under the names that they were called by: no other tool gets one of these, so that neither an
 * approval nor a success in the history counts as that of another tool.
 */
export function keepNames(from: ToolTable, keeper: NameKeeper): ToolTable {
  const { names } = keeper;
  const last = lastOf.get(names);
  if (last?.from === from && last.count === names.entries.length) return last.renamed;
  const all = from.tools.map((tool): PlacedTool => ({ tool, origin: from.originOf(tool.name) ?? [] }));
  releaseStatic(all, keeper);
  const newNames = assignNames(all, keeper);
  const tools = renameWithin(all, newNames);
  const renamed = new ToolTable([], from.refused, from);
  for (const each of all) {
    const tool = tools.get(each);
    if (tool) renamed.register(tool, "tools", each.origin);
  }
  lastOf.set(names, { from, count: names.entries.length, renamed });
  return renamed;
}

/** How many messages of a history have been read for the names of each agent. */
const readCounts = memoize((_: ToolNames) => new Map<string, number>());

/**
 * Takes the names that searches have answered from the messages that are new: those of a history that comes without the names of its
 * calls, of searches that are not made again, and of other agents. An own tool keeps its name; that of a tool which is not listed stays
 * free.
 */
export function readNames(
  messages: readonly Message[],
  toolTable: ToolTable,
  agent: string,
  names: ToolNames,
): void {
  const counts = readCounts(names);
  const unread = messages.slice(counts.get(agent) ?? 0);
  counts.set(agent, messages.length);
  const answers = unread.flatMap((message) => (message.role === "tool" ? [findsIn(message.result)] : []));
  const finds = answers.flatMap(({ path, tools }) =>
    path ? tools.map(({ name, origin }) => ({ name, origin: [...path, ...origin] })) : [],
  );
  if (finds.length === 0) return;
  const listed = new Set(toolTable.tools.map(({ name }) => JSON.stringify(toolTable.originOf(name))));
  for (const { name, origin } of finds) {
    const isOwn = toolTable.originOf(name)?.length === 0;
    if (!isOwn && listed.has(JSON.stringify(origin))) names.set(agent, name, origin);
  }
}

/** A new run has no open calls: a function of the program may have taken the place of a toolset's tool since the run before. */
function releaseStatic(all: readonly PlacedTool[], { agent, names, isResumed }: NameKeeper): void {
  if (isResumed) return;
  for (const { tool, origin } of all) if (origin.length === 0) names.release(agent, tool.name);
}

/** The name of each tool; none for one whose name is another's. */
function assignNames(
  all: readonly PlacedTool[],
  { agent, names, warn }: NameKeeper,
): ReadonlyMap<PlacedTool, string> {
  const origins = new Map<string, string>();
  const calledAs = new Map<string, string>();
  for (const each of names.entries) {
    const origin = JSON.stringify(each.origin);
    if (each.agent !== agent) continue;
    origins.set(each.toolName, origin);
    // Functions have the names that the program gives them.
    if (each.origin.length > 0 && !calledAs.has(origin)) calledAs.set(origin, each.toolName);
  }
  const newNames = new Map<PlacedTool, string>();
  const assigned = new Set<string>();
  const inOrder = [
    ...all.filter(({ origin }) => origin.length === 0),
    ...all.filter(({ origin }) => origin.length > 0),
  ];
  for (const each of inOrder) {
    const { tool, origin } = each;
    const own = JSON.stringify(origin);
    const [set] = origin;
    const choices = [
      calledAs.get(own) ?? tool.name,
      // The program that executes its calls knows it by its own name alone.
      ...(set === undefined || set === callersTools ? [] : [`${plainName(set)}_${tool.name}`]),
    ];
    const name = choices.find((choice) => (origins.get(choice) ?? own) === own && !assigned.has(choice));
    if (name === undefined) {
      warn(
        `The tool ${tool.name} is left out: this run has called another tool by that name, which comes from a toolset.`,
      );
      continue;
    }
    origins.set(name, own);
    assigned.add(name);
    newNames.set(each, name);
  }
  return newNames;
}

/** The name of a toolset without its place among those of one name. */
export function plainName(name: string): string {
  return name.replace(/ \d+\/\d+$/, "");
}

/** The tools under their new names, each set's together: they refer to each other by name. */
function renameWithin(
  all: readonly PlacedTool[],
  newNames: ReadonlyMap<PlacedTool, string>,
): ReadonlyMap<PlacedTool, Tool> {
  const named = all.filter((each) => newNames.has(each));
  const sets = Map.groupBy(named, ({ origin: [set] }) => set);
  return new Map(
    [...sets.values()].flatMap((placed) => {
      const tools = renameTools(
        placed.map(({ tool }) => tool),
        placed.map((each) => newNames.get(each) ?? each.tool.name),
      );
      return placed.map((each, index): [PlacedTool, Tool] => [each, tools[index] ?? each.tool]);
    }),
  );
}
