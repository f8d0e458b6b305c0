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
}

const readingVerbs = new Set("get list show find search read fetch look lookup check count".split(" "));
const actingVerbs = new Set("create add make set put delete remove update change edit send write".split(" "));

/** Whether the name of a tool implies that it only reads something. */
export function isReader(tool: ToolSpec): boolean {
  return readingVerbs.has(identifierWords(tool.name)[0] ?? "");
}

/** Whether the name of a tool implies that it changes something. */
export function isActor(tool: ToolSpec): boolean {
  return actingVerbs.has(identifierWords(tool.name)[0] ?? "");
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
  };
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
