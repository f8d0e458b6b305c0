import type { ToolSpec } from "../../model/types.ts";
import { handoffTarget, isHandoff, isHandoffVerb } from "./handoffs.ts";
import { readParameters } from "./parameters.ts";
import {
  contentStems,
  ideasOf,
  identifierWords,
  isEmptyWord,
  isPast,
  sentenceWords,
  stem,
} from "./vocabulary.ts";

/** The search index entry of a tool: stems and ideas, separated by spaces. */
export interface ToolEntry {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly values: string;
  readonly parameters: string;
  readonly nameStems: readonly string[];
  /** The words in names of parameters, which label a value ("item 2") and do not request the tool. */
  readonly labels: ReadonlySet<string>;
  /** What the tool does: the first words of its name and of its description, and their ideas. None for a handoff. */
  readonly verbs: ReadonlySet<string>;
  /** The last word of the name of a tool that only reads, and its ideas: what it reads. */
  readonly object: ReadonlySet<string>;
}

const readingVerbs = new Set(
  "get list show find search read fetch look lookup check count tell view browse describe query can is has".split(
    " ",
  ),
);
const readingStems = new Set([...readingVerbs, "know", "see", "learn"].map(stem));
const actingVerbs = new Set(
  `create add make set put delete remove update change edit send write cancel order buy sell place pay refund return book close open
  start stop submit post move transfer notify import apply issue credit`.split(/\s+/u),
);

/** Whether a tool only reads something, by the verb of its name or else of its description. */
export function isReader(tool: ToolSpec): boolean {
  return readingVerbs.has(verbOf(tool) ?? "");
}

/** Whether a request's verb asks to read something: "show", "find". */
export function isReadingVerb(forms: readonly string[]): boolean {
  return forms.some((form) => readingStems.has(form));
}

/** Whether a tool changes something, by the verb of its name or else of its description. */
export function isActor(tool: ToolSpec): boolean {
  return !isHandoff(tool) && actingVerbs.has(verbOf(tool) ?? "");
}

/** The first word of the name, or of the description if that is not a usual verb: `ledger_total` tells. */
function verbOf({ name, description }: ToolSpec): string | undefined {
  const [first] = identifierWords(name);
  const [about] = sentenceWords(description ?? "");
  return [first, about].find((word = "") => readingVerbs.has(word) || actingVerbs.has(word));
}

/** Creates the index entry of a tool. */
export function toolEntry(tool: ToolSpec, id: number): ToolEntry {
  const parameters = readParameters(tool.inputSchema);
  const named = isHandoff(tool) ? handoffTarget(tool.name).split(" ") : identifierWords(tool.name).map(stem);
  const about = parameters.flatMap(({ name, description }) => [
    ...identifierWords(name),
    ...sentenceWords(description),
  ]);
  const labels = parameters.flatMap(({ name }) => labelStems(name, tool));
  return {
    id,
    name: withIdeas(named).join(" "),
    description: withIdeas(descriptionStems(tool)).join(" "),
    values: withIdeas(parameters.flatMap(({ options }) => options.flatMap(optionStems))).join(" "),
    parameters: withIdeas(contentStems(about)).join(" "),
    nameStems: named.filter((form) => !isEmptyWord(form)),
    labels: new Set(withIdeas(labels)),
    verbs: new Set(isHandoff(tool) ? [] : withIdeas(verbStems(tool))),
    object: new Set(isReader(tool) && named.length > 1 ? withIdeas(named.slice(-1)) : []),
  };
}

function verbStems({ name, description }: ToolSpec): string[] {
  return [identifierWords(name)[0], sentenceWords(description ?? "")[0]].flatMap((word) =>
    word === undefined ? [] : stem(word),
  );
}

/** Stems, and the ideas that they belong to. */
function withIdeas(stems: readonly string[]): string[] {
  return stems.flatMap((form) => [form, ...ideasOf(form).map(({ name }) => name)]);
}

/** The significant stems of a description: "Returns the weather" is not about returns, "an item the customer bought" not about buying. */
function descriptionStems(tool: ToolSpec): string[] {
  const text = (tool.description ?? "").replace(/^\s*(?:returns?|gets?)\b/iu, "");
  const stems = contentStems(sentenceWords(text).filter((word) => !isPast(word)));
  return isHandoff(tool) ? stems.filter((form) => !isHandoffVerb(form)) : stems;
}

/**
 * The label words of a parameter. A parameter whose only word is also in the tool's name (`sendEmail(email)`) has none, and neither
 * have the words of the name of a tool that only reads (`getOrder(orderId)`), since a needless call of it does no harm.
 */
function labelStems(name: string, tool: ToolSpec): string[] {
  const stems = identifierWords(name).map(stem);
  const named = new Set(identifierWords(tool.name).map(stem));
  return stems.length === 1 || isReader(tool) ? stems.filter((form) => !named.has(form)) : stems;
}

function optionStems(option: unknown): string[] {
  return typeof option === "string" ? identifierWords(option).map(stem) : [];
}
