import { closest } from "../base/util/closest.ts";
import { isPlainObject } from "../base/util/json.ts";
import { loadSearch } from "../tool/features.ts";
import type { Tool } from "../tool/types.ts";
import type { OwnCalls } from "./bridge.ts";
import type { Declarations } from "./declarations.ts";
import { ProgramError } from "./errors.ts";

/** From how many tools on programs look for them. */
const mostDeclared = 30;

/** How many tools a search returns, and at most. */
const defaultMatches = 5;
const mostMatches = 20;

/** Names that programs have for something else where they look for tools. */
const ownNames: ReadonlySet<string> = new Set(["search", "describe"]);

/** Whether programs look for these tools, instead of having all their declarations in front of them. */
export function isSearched(tools: readonly Tool[], search: boolean | "auto"): boolean {
  return search === "auto" ? tools.length > mostDeclared : search;
}

/** The tools by the names that programs have for them. */
export function namesForPrograms(tools: readonly Tool[], search: boolean): ReadonlyMap<string, Tool> {
  const listed = new Set(tools.map(({ name }) => name));
  const free = (name: string): string =>
    listed.has(name) || ownNames.has(name) ? free(`${name}_tool`) : name;
  return new Map(
    tools.map((tool) => [search && ownNames.has(tool.name) ? free(`${tool.name}_tool`) : tool.name, tool]),
  );
}

/** What a program looks for tools with, as `declareTools` has it among the tools. */
export const searchMembers: readonly string[] = [
  "/** Finds tools by what they do: the best matches, each with its declaration. */\n  search(words: string, limit?: number): Promise<{ name: string; declaration: string }[]>;",
  "/** The declaration of a tool. */\n  describe(name: string): Promise<string>;",
];

/**
 * The searches of programs.
 * @param tools - Under the names that programs have for them.
 */
export function searchCalls(tools: readonly Tool[], declarations: Declarations): OwnCalls {
  return new Map([
    ["search", (input: unknown): Promise<unknown> => search(input, tools, declarations)],
    ["describe", (input: unknown): Promise<unknown> => Promise.resolve(describe(input, tools, declarations))],
  ]);
}

async function search(input: unknown, tools: readonly Tool[], declarations: Declarations): Promise<unknown> {
  const { words, limit = defaultMatches } = isPlainObject(input) ? input : {};
  if (typeof words !== "string")
    throw new ProgramError('tools.search takes words: tools.search("orders of a user").');
  const { searchTools } = await loadSearch();
  const most = Math.min(Math.max(Number(limit) || defaultMatches, 1), mostMatches);
  return searchTools(tools, words, most).map(({ name }) => ({ name, declaration: declarations.of(name) }));
}

function describe(input: unknown, tools: readonly Tool[], declarations: Declarations): string {
  const { name } = isPlainObject(input) ? input : {};
  const declaration = typeof name === "string" ? declarations.of(name) : undefined;
  if (declaration !== undefined) return declaration;
  const near = closest(
    String(name),
    tools.map((tool) => tool.name),
  );
  const hint = near.length === 0 ? "" : ` Did you mean ${near.map((each) => `"${each}"`).join(" or ")}?`;
  throw new ProgramError(`Unknown tool "${String(name).slice(0, 100)}".${hint}`);
}
