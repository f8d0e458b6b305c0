import MiniSearch from "minisearch";
import type { ToolSpec } from "../model/types.ts";
import { readParameters } from "./parameters.ts";
import {
  contentStems,
  identifierWords,
  isEmptyWord,
  isPast,
  isWeakStem,
  sentenceWords,
  stem,
  synonymsOf,
} from "./vocabulary.ts";

/** A tool that fits a request. */
export interface Fit {
  readonly tool: ToolSpec;
  /** How sure the rules are, from 0 (not at all) to 1 (the tool was named). */
  readonly evidence: number;
}

/** Below this a tool is not called: one word of its description, or a synonym of it, is just enough. */
export const threshold = 0.45;

/** What a tool is found by: stems, separated by blanks. */
interface Entry {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly values: string;
  readonly parameters: string;
  /** Stems of words in the names of parameters: they label a value ("item 2") and do not ask for anything. */
  readonly labels: ReadonlySet<string>;
}

const fields = ["name", "values", "description", "parameters"] as const;
type Field = (typeof fields)[number];

const rank: Readonly<Record<Field, number>> = { name: 3, values: 2, description: 1.5, parameters: 0.5 };
const trust: Readonly<Record<Field, number>> = { name: 1, values: 0.7, description: 0.6, parameters: 0.2 };

/** The tools that fit the request, the best first: BM25 over names, descriptions, enum values and parameters. */
export function chooseTools(text: string, tools: readonly ToolSpec[]): Fit[] {
  const terms = queryTerms(text);
  if (terms.size === 0) return [];
  const entries = tools.map(describe);
  const index = new MiniSearch<Entry>({
    fields: [...fields],
    tokenize: (value) => value.split(" "),
    processTerm: (term) => term,
  });
  index.addAll(entries);
  const found = index.search([...terms.keys()].join(" "), {
    boost: rank,
    boostTerm: (term) => terms.get(term) ?? 1,
    boostDocument: (id) => (isHandoff(tools[Number(id)]) ? 0.8 : 1),
    fuzzy: (term) => (term.length > 4 && terms.get(term) === 1 ? 1 : false),
  });
  const fits = found.flatMap(({ id, score, match }) => {
    const tool = tools[Number(id)];
    const entry = entries[Number(id)];
    return tool && entry ? [{ tool, score, id: Number(id), evidence: weigh(entry, match, terms) }] : [];
  });
  return fits
    .filter((fit) => fit.evidence >= threshold)
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .map(({ tool, evidence }) => ({ tool, evidence }));
}

/** Whether a tool hands the conversation to somebody else: `transfer_to_sales`, `handOffToSales` and the like. */
export function isHandoff(tool: ToolSpec | undefined): boolean {
  if (tool === undefined || readParameters(tool.inputSchema).some((parameter) => parameter.required))
    return false;
  return isHandoffName(tool.name);
}

/** Whether a name is that of a handoff: a verb of handing over, then `to`. */
export function isHandoffName(name: string): boolean {
  const words = identifierWords(name);
  return handoffVerbs.has(words[0] ?? "") && words.includes("to");
}

/** Whom a handoff goes to, as stems: `transfer_back_to_triage` is "triag". */
export function handoffTarget(name: string): string {
  const words = identifierWords(name);
  return words
    .slice(words.indexOf("to") + 1)
    .map(stem)
    .join(" ");
}

const handoffVerbs: ReadonlySet<string> = new Set([
  "transfer",
  "handoff",
  "hand",
  "delegate",
  "escalate",
  "switch",
  "connect",
  "forward",
  "route",
]);

function describe(tool: ToolSpec, id: number): Entry {
  const parameters = readParameters(tool.inputSchema);
  const named = isHandoff(tool) ? handoffTarget(tool.name).split(" ") : identifierWords(tool.name).map(stem);
  return {
    id,
    name: named.join(" "),
    description: descriptionStems(tool).join(" "),
    values: parameters.flatMap((parameter) => parameter.options.flatMap(optionStems)).join(" "),
    labels: new Set(parameters.flatMap(({ name }) => labelStems(name, named))),
    parameters: contentStems(
      parameters.flatMap(({ name, description }) => [
        ...identifierWords(name),
        ...sentenceWords(description),
      ]),
    ).join(" "),
  };
}

/** "Returns the weather" says nothing of returning anything, nor "hands over" of hands. */
function descriptionStems(tool: ToolSpec): string[] {
  const text = (tool.description ?? "").replace(/^\s*(?:returns?|gets?)\b/iu, "");
  const stems = contentStems(sentenceWords(text));
  return isHandoff(tool) ? stems.filter((form) => !handoffVerbs.has(form)) : stems;
}

/** A parameter named by one word that the tool is named by too (`sendEmail(email)`) labels nothing. */
function labelStems(name: string, toolName: readonly string[]): string[] {
  const stems = identifierWords(name).map(stem);
  return stems.length === 1 && stems.every((form) => toolName.includes(form)) ? [] : stems;
}

function optionStems(option: unknown): string[] {
  return typeof option === "string" ? identifierWords(option).map(stem) : [];
}

/** The stems to look for, each with its weight: 1 for the user's own words, less for background and for synonyms. */
function queryTerms(text: string): Map<string, number> {
  const terms = new Map<string, number>();
  const add = (term: string, weight: number): void => {
    terms.set(term, Math.max(weight, terms.get(term) ?? 0));
  };
  for (const word of sentenceWords(withoutRefusals(text))) {
    if (isEmptyWord(word) || /^\d+$/u.test(word)) continue;
    const weight = isPast(word) ? 0.9 : 1;
    add(stem(word), weight);
    for (const synonym of synonymsOf(stem(word))) add(synonym, weight * 0.8);
  }
  if (/\d/u.test(text)) add("number", 0.5);
  return terms;
}

/** Leaves out what the user does not want: "I don't want a refund, show me the list" asks for the list. */
function withoutRefusals(text: string): string {
  return text.replaceAll(
    /\b(?:do not|don['’]?t|never)\b(?! (?:you|we|i)\b)[^,.;:!?–]*?(?=[,.;:!?–]| - | but |$)/giu,
    " ",
  );
}

/** How much the words found say: the best of them counts, unless every tool would have it. */
function weigh(entry: Entry, match: Record<string, string[]>, terms: ReadonlyMap<string, number>): number {
  let best = 0;
  const covered = new Map<string, number>();
  for (const [term, where] of Object.entries(match)) {
    const weight = terms.get(term) ?? 0.8;
    if (where.includes("name")) covered.set(term, weight);
    const trusted = Math.max(...fields.filter((field) => where.includes(field)).map((field) => trust[field]));
    const isTelling = !isWeakStem(term) && !entry.labels.has(term);
    best = Math.max(best, isTelling ? trusted * weight : 0);
  }
  const nameStems = entry.name.split(" ").filter((form) => !isEmptyWord(form));
  const isNamed = nameStems.length > 0 && nameStems.every((form) => covered.has(form));
  return isNamed ? Math.max(best, Math.min(...nameStems.map((form) => covered.get(form) ?? 0))) : best;
}
