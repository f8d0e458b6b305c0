import MiniSearch from "minisearch";
import type { ToolSpec } from "../../model/types.ts";
import { type Filling, fillArguments } from "./fill-arguments.ts";
import { isHandoff } from "./handoffs.ts";
import {
  asksWhatThereIs,
  isQuestion,
  misspelt,
  namesThings,
  queryTerms,
  requestVerb,
  type Term,
} from "./query.ts";
import { isActor, isReader, isReadingVerb, toolEntry, type ToolEntry } from "./tool-entry.ts";
import { ideasOf, isIdea, isWeakStem } from "./vocabulary.ts";

/** A tool that fits a request. */
export interface Fit {
  readonly tool: ToolSpec;
  /** How certain the choice is, from 0 (not at all) to 1 (the request names the tool). */
  readonly evidence: number;
  /** The terms of the request that the tool matches. */
  readonly terms: readonly string[];
  /** Whether no argument is missing. A handoff is never ready. */
  readonly isReady: boolean;
  /** The rank among the fits: higher is better. */
  readonly score: number;
}

/** A tool with less evidence is not called. One word of its description, or a synonym of it, is just enough. */
export const threshold = 0.45;

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
  if (terms.size === 0) return addressee(text, tools);
  const candidates = search(text, terms, tools);
  const vague = vagueTerms(candidates, terms);
  const verb = requestVerb(text);
  if (candidates.length === 0) return addressee(text, tools);
  return candidates
    .slice(0, mostCandidates)
    .map((candidate) => {
      const filling = isHandoff(candidate.tool)
        ? undefined
        : fillArguments(text.slice(0, longestReading), candidate.tool);
      const isAsked = verb.some((form) => candidate.entry.verbs.has(form));
      const isLikely = isAsked || (isReadingVerb(verb) && isReader(candidate.tool));
      return {
        tool: candidate.tool,
        terms: Object.keys(candidate.match)
          .filter((name) => terms.has(name))
          .sort(),
        isReady: filling?.missing.length === 0,
        score: candidate.score * (filling ? usefulness(filling) : 1) * (isLikely ? 1.5 : 1),
        evidence: Math.max(
          contradicts(candidate, verb) ? 0 : weigh(candidate, terms, vague),
          filling && isComplete(candidate, filling, isAsked, terms, vague) && !isQuestion(text)
            ? threshold
            : 0,
        ),
      };
    })
    .filter(({ evidence }) => evidence >= threshold)
    .sort((a, b) => b.score * b.evidence - a.score * a.evidence);
}

/** Without a word of any tool: the only tool that takes the address in the text ("go to https://example.com"). */
function addressee(text: string, tools: readonly ToolSpec[]): Fit[] {
  if (!/\bhttps?:\/\//iu.test(text)) return [];
  const takers = tools.filter((tool) => {
    const { missing, valueCount } = isHandoff(tool)
      ? { missing: [], valueCount: 0 }
      : fillArguments(text, tool);
    return missing.length === 0 && valueCount > 0;
  });
  const [tool] = takers;
  return tool && takers.length === 1
    ? [{ tool, evidence: threshold, terms: [], isReady: true, score: 1 }]
    : [];
}

/** Whether a tool does something other than what the request asks to do: "delete all expenses" is nothing for `addExpense`. */
function contradicts({ tool, match }: Candidate, verb: readonly string[]): boolean {
  return isActor(tool) && verb.some(isIdea) && !verb.some((form) => Object.hasOwn(match, form));
}

/** How many of the best candidates are looked at closely. */
const mostCandidates = 12;

/** How much of a request is read for each of them, in characters: reading takes time. */
const longestReading = 600;

/** Tools that can be called, and that have a use for the numbers and codes of the request, are likelier than others. */
function usefulness({ missing, unusedCount, valueCount }: Filling): number {
  return (missing.length > 0 ? 0.7 : valueCount > 0 ? 1.2 : 1) * (unusedCount > 0 ? 0.4 : 1);
}

/**
 * Whether a request has all that a tool needs, and words of it, though not telling ones: "add milk" for `addItem(what)`, "number 3 is
 * done" for `strikeOff(position)`.
 */
function isComplete(
  { match, entry }: Candidate,
  filling: Filling,
  isAsked: boolean,
  terms: ReadonlyMap<string, Term>,
  vague: ReadonlySet<string>,
): boolean {
  if (filling.missing.length > 0 || Object.keys(filling.arguments).length === 0) return false;
  const isMatched = Object.entries(match).some(
    ([name, where]) =>
      (where.includes("name") || where.includes("description")) &&
      !entry.labels.has(name) &&
      !vague.has(name) &&
      !terms.get(name)?.isMention &&
      (terms.get(name) ?? misspelt).certainty > 0.6,
  );
  return isAsked || (isMatched && filling.valueCount > 0);
}

/** A tool that matches some of the terms. */
interface Candidate {
  readonly tool: ToolSpec;
  readonly entry: ToolEntry;
  readonly match: Match;
  readonly score: number;
}

function search(text: string, terms: ReadonlyMap<string, Term>, tools: readonly ToolSpec[]): Candidate[] {
  const entries = tools.map(toolEntry);
  const index = new MiniSearch<ToolEntry>({
    fields: [...fields],
    tokenize: (value) => value.split(" "),
    processTerm: (term) => term,
  });
  index.addAll(entries);
  const verb = requestVerb(text);
  const hits = index.search([...terms.keys()].join(" "), {
    boost: rank,
    boostTerm: (term) => terms.get(term)?.weight ?? 1,
    boostDocument: (id) => preference(tools[Number(id)], text, verb),
    fuzzy: (term) => (term.length > 3 && !isIdea(term) ? 1 : false),
  });
  return hits
    .sort((a, b) => b.score - a.score || Number(a.id) - Number(b.id))
    .flatMap(({ id, match: matches, score }) => {
      const tool = tools[Number(id)];
      const entry = entries[Number(id)];
      const match = Object.fromEntries(
        Object.entries(matches).filter(([name]) => terms.has(name) || isMisspelt(name, terms)),
      );
      return tool && entry && Object.keys(match).length > 0 ? [{ tool, entry, match, score }] : [];
    });
}

/** Misspelt words begin like the right ones. Of short ones a letter is missing: other changes make other words ("bread", "read"). */
function isMisspelt(name: string, terms: ReadonlyMap<string, Term>): boolean {
  return [...terms.keys()].some(
    (term) =>
      term[0] === name[0] &&
      (term.length > 4 ? Math.abs(term.length - name.length) < 2 : term.length < name.length),
  );
}

/**
 * An agent's own tools are preferred to handoffs. For a question, tools that read are preferred to tools that change something,
 * which never say what there is. Who wants something done does not want to read.
 */
function preference(tool: ToolSpec | undefined, text: string, verb: readonly string[]): number {
  if (!tool || isHandoff(tool)) return 0.8;
  const reads = isReader(tool);
  if (isActor(tool) && asksWhatThereIs(text)) return 0.01;
  if (isQuestion(text) || namesThings(text)) return reads ? 2 : isActor(tool) ? 0.15 : 1;
  if (!reads || isReadingVerb(verb)) return 1;
  return verb.length > 0 ? 0.4 : 0.7;
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
  { tool, entry, match }: Candidate,
  terms: ReadonlyMap<string, Term>,
  vague: ReadonlySet<string>,
): number {
  let best = 0;
  // What is only mentioned is not to be done.
  const relevant = isActor(tool)
    ? Object.fromEntries(Object.entries(match).filter(([name]) => !terms.get(name)?.isMention))
    : match;
  for (const [name, where] of Object.entries(relevant)) {
    const { certainty, isTelling } = terms.get(name) ?? misspelt;
    const isObject = entry.object.has(name) && certainty > 0.6;
    if (!isObject && (!isTelling || isWeakStem(name) || entry.labels.has(name))) continue;
    if (vague.has(name)) continue;
    const trusted = Math.max(...fields.filter((field) => where.includes(field)).map((field) => trust[field]));
    best = Math.max(best, Math.min(trusted, isWeakStem(name) ? trust.description : 1) * certainty);
  }
  return isNamed(entry, match, relevant, terms) ? Math.max(best, 0.8) : best;
}

/** Whether the request has all words of the tool's name, and the first of them, the verb, with certainty and not as a mere mention. */
function isNamed(
  { nameStems }: ToolEntry,
  match: Match,
  relevant: Match,
  terms: ReadonlyMap<string, Term>,
): boolean {
  const isVerb = (name: string): boolean =>
    Object.hasOwn(relevant, name) && (terms.get(name) ?? misspelt).certainty > 0.6;
  return (
    nameStems.length > 0 &&
    nameStems.every((form, index) =>
      [form, ...ideasOf(form).map(({ name }) => name)].some(
        (name) => match[name]?.includes("name") && (index > 0 || isVerb(name)),
      ),
    )
  );
}
