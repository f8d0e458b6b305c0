import MiniSearch from "minisearch";
import type { ToolSpec } from "../../model/types.ts";
import { isHandoff } from "./handoffs.ts";
import { isQuestion, misspelt, queryTerms, type Term } from "./query.ts";
import { isActor, isReader, toolEntry, type ToolEntry } from "./tool-entry.ts";
import { ideasOf, isIdea, isWeakStem } from "./vocabulary.ts";

/** A tool that fits a request. */
export interface Fit {
  readonly tool: ToolSpec;
  /** How sure the rules are, from 0 (not at all) to 1 (the tool was named). */
  readonly evidence: number;
}

/** Below this a tool is not called: one word of its description, or a synonym of it, is just enough. */
const threshold = 0.45;

const fields = ["name", "values", "description", "parameters"] as const;
type Field = (typeof fields)[number];

/** How much a field counts in the ranking, and how far a word found in it is evidence. */
const rank: Readonly<Record<Field, number>> = { name: 3, values: 2, description: 1.5, parameters: 0.5 };
const trust: Readonly<Record<Field, number>> = { name: 1, values: 0.7, description: 0.6, parameters: 0.2 };

/** The fields in which each term was found. */
type Match = Readonly<Record<string, readonly string[]>>;

/** The tools that fit the request, the best first: BM25 over names, descriptions, enum values and parameters. */
export function chooseTools(text: string, tools: readonly ToolSpec[]): Fit[] {
  const terms = queryTerms(text);
  if (terms.size === 0) return [];
  const found = search(text, terms, tools);
  const vague = vagueTerms(found, terms);
  return found
    .map(({ tool, entry, match }) => ({ tool, evidence: weigh(entry, match, terms, vague) }))
    .filter(({ evidence }) => evidence >= threshold);
}

/** A tool that has some of the words. */
interface Candidate {
  readonly tool: ToolSpec;
  readonly entry: ToolEntry;
  readonly match: Match;
}

function search(text: string, terms: ReadonlyMap<string, Term>, tools: readonly ToolSpec[]): Candidate[] {
  const entries = tools.map(toolEntry);
  const index = new MiniSearch<ToolEntry>({
    fields: [...fields],
    tokenize: (value) => value.split(" "),
    processTerm: (term) => term,
  });
  index.addAll(entries);
  const asksQuestion = isQuestion(text);
  const found = index.search([...terms.keys()].join(" "), {
    boost: rank,
    boostTerm: (term) => terms.get(term)?.weight ?? 1,
    boostDocument: (id) => preference(tools[Number(id)], asksQuestion),
    fuzzy: (term) => (term.length > 4 && !isIdea(term) ? 1 : false),
  });
  return found
    .sort((a, b) => b.score - a.score || Number(a.id) - Number(b.id))
    .flatMap(({ id, match }) => {
      const tool = tools[Number(id)];
      const entry = entries[Number(id)];
      return tool && entry ? [{ tool, entry, match }] : [];
    });
}

/** An agent's own tools come before other agents; a question asks to look something up, not to change it. */
function preference(tool: ToolSpec | undefined, asksQuestion: boolean): number {
  if (!tool || isHandoff(tool)) return 0.8;
  if (!asksQuestion) return 1;
  return isReader(tool) ? 2 : isActor(tool) ? 0.5 : 1;
}

/**
 * Terms that several tools have ("item" in a shop) while the request names something that none of them is about:
 * "refund item 3" asks for neither `listItems` nor `orderItem`.
 */
function vagueTerms(found: readonly Candidate[], terms: ReadonlyMap<string, Term>): ReadonlySet<string> {
  const matched = found.flatMap(({ match }) => Object.keys(match));
  const repeated = matched.filter((name, index) => matched.indexOf(name) !== index);
  // What one tool alone is named by asks for that tool, though others speak of it.
  const named = (name: string): number => found.filter(({ match }) => match[name]?.includes("name")).length;
  return new Set(hasForeign(found, terms) ? repeated.filter((name) => named(name) !== 1) : []);
}

/** Whether the request names something that none of the tools is about. */
export function namesForeign(text: string, tools: readonly ToolSpec[]): boolean {
  const terms = queryTerms(text);
  return terms.size > 0 && hasForeign(search(text, terms, tools), terms);
}

function hasForeign(found: readonly Candidate[], terms: ReadonlyMap<string, Term>): boolean {
  return [...terms].some(
    ([name, { isTelling, weight }]) =>
      isIdea(name) && isTelling && weight > 0.5 && found.every(({ match }) => !Object.hasOwn(match, name)),
  );
}

/** How much the words found say: the best of them counts, unless most tools would have it or it labels a value. */
function weigh(
  entry: ToolEntry,
  match: Match,
  terms: ReadonlyMap<string, Term>,
  vague: ReadonlySet<string>,
): number {
  let best = 0;
  for (const [name, where] of Object.entries(match)) {
    const { certainty, isTelling } = terms.get(name) ?? misspelt;
    if (!isTelling || isWeakStem(name) || entry.labels.has(name) || vague.has(name)) continue;
    const trusted = Math.max(...fields.filter((field) => where.includes(field)).map((field) => trust[field]));
    best = Math.max(best, trusted * certainty);
  }
  return isNamed(entry, match, terms) ? Math.max(best, 0.8) : best;
}

/** Whether the request has all words of the tool's name, the first of them, the verb, for certain. */
function isNamed({ nameStems }: ToolEntry, match: Match, terms: ReadonlyMap<string, Term>): boolean {
  return (
    nameStems.length > 0 &&
    nameStems.every((form, index) =>
      [form, ...ideasOf(form).map(({ name }) => name)].some(
        (name) =>
          match[name]?.includes("name") && (index > 0 || (terms.get(name) ?? misspelt).certainty > 0.6),
      ),
    )
  );
}
