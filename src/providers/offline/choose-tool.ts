import MiniSearch from "minisearch";
import type { ToolSpec } from "../../model/types.ts";
import { isHandoff } from "./handoffs.ts";
import { isQuestion, misspelt, queryTerms, type Term } from "./query.ts";
import { isActor, isReader, toolEntry, type ToolEntry } from "./tool-entry.ts";
import { ideasOf, isIdea, isWeakStem } from "./vocabulary.ts";

/** A tool that fits a request. */
export interface Fit {
  readonly tool: ToolSpec;
  /** How certain the choice is, from 0 (not at all) to 1 (the request names the tool). */
  readonly evidence: number;
}

/** A tool with less evidence is not called. One word of its description, or a synonym of it, is just enough. */
const threshold = 0.45;

const fields = ["name", "values", "description", "parameters"] as const;
type Field = (typeof fields)[number];

/** The weight of each field in the ranking, and the evidence of a word in it. */
const rank: Readonly<Record<Field, number>> = { name: 3, values: 2, description: 1.5, parameters: 0.5 };
const trust: Readonly<Record<Field, number>> = { name: 1, values: 0.7, description: 0.6, parameters: 0.2 };

/** The fields that contain each term. */
type Match = Readonly<Record<string, readonly string[]>>;

/** The tools that fit the request, the best first: BM25 over names, descriptions, enum values and parameters. */
export function chooseTools(text: string, tools: readonly ToolSpec[]): Fit[] {
  const terms = queryTerms(text);
  if (terms.size === 0) return [];
  const candidates = search(text, terms, tools);
  const vague = vagueTerms(candidates, terms);
  return candidates
    .map(({ tool, entry, match }) => ({ tool, evidence: weigh(entry, match, terms, vague) }))
    .filter(({ evidence }) => evidence >= threshold);
}

/** A tool that matches some of the terms. */
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
  const hits = index.search([...terms.keys()].join(" "), {
    boost: rank,
    boostTerm: (term) => terms.get(term)?.weight ?? 1,
    boostDocument: (id) => preference(tools[Number(id)], asksQuestion),
    fuzzy: (term) => (term.length > 4 && !isIdea(term) ? 1 : false),
  });
  return hits
    .sort((a, b) => b.score - a.score || Number(a.id) - Number(b.id))
    .flatMap(({ id, match }) => {
      const tool = tools[Number(id)];
      const entry = entries[Number(id)];
      return tool && entry ? [{ tool, entry, match }] : [];
    });
}

/** An agent's own tools are preferred to handoffs. For a question, tools that read are preferred to tools that change something. */
function preference(tool: ToolSpec | undefined, asksQuestion: boolean): number {
  if (!tool || isHandoff(tool)) return 0.8;
  if (!asksQuestion) return 1;
  return isReader(tool) ? 2 : isActor(tool) ? 0.5 : 1;
}

/**
 * Terms that several tools match ("item" in a shop) if the request also has a term that no tool matches: "refund item 3"
 * requests neither `listItems` nor `orderItem`.
 */
function vagueTerms(candidates: readonly Candidate[], terms: ReadonlyMap<string, Term>): ReadonlySet<string> {
  const matched = candidates.flatMap(({ match }) => Object.keys(match));
  const repeated = matched.filter((name, index) => matched.indexOf(name) !== index);
  // A term in the name of only one tool requests that tool, even if other tools match it elsewhere.
  const named = (name: string): number =>
    candidates.filter(({ match }) => match[name]?.includes("name")).length;
  return new Set(hasForeign(candidates, terms) ? repeated.filter((name) => named(name) !== 1) : []);
}

/** Whether the request has a significant term that no tool matches. */
export function namesForeign(text: string, tools: readonly ToolSpec[]): boolean {
  const terms = queryTerms(text);
  return terms.size > 0 && hasForeign(search(text, terms, tools), terms);
}

function hasForeign(candidates: readonly Candidate[], terms: ReadonlyMap<string, Term>): boolean {
  return [...terms].some(
    ([name, { isTelling, weight }]) =>
      isIdea(name) &&
      isTelling &&
      weight > 0.5 &&
      candidates.every(({ match }) => !Object.hasOwn(match, name)),
  );
}

/** The evidence of the best matching term, without terms that are common among tools or label a value. */
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

/** Whether the request has all words of the tool's name, and the first of them, the verb, with certainty. */
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
