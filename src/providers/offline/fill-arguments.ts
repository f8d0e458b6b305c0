import type { ToolSpec } from "../../model/types.ts";
import type { JsonObject, JsonValue } from "../../base/util/json.ts";
import { fillNumbers } from "./fill-numbers.ts";
import { fillTexts } from "./fill-texts.ts";
import { senseOf } from "./parameter-sense.ts";
import { readParameters, type Parameter } from "./parameters.ts";
import { type Draft, read, type QueryReading, unused, use } from "./reading.ts";
import type { Found } from "./extract.ts";
import { contentStems, identifierWords, sentenceWords, stem, synonymsOf } from "./vocabulary.ts";

/** What a text says of a tool's arguments. */
export interface Filling {
  readonly arguments: JsonObject;
  /** The required parameters that the text does not tell. */
  readonly missing: readonly Parameter[];
  /** Further sets of arguments where the text lists several values for one parameter: "Paris and London". */
  readonly more: readonly JsonObject[];
}

/**
 * Fills a tool's arguments from what the user said. Nothing is guessed that stands nowhere in the text.
 * @param given - Arguments known already; they are kept.
 */
export function fillArguments(text: string, tool: ToolSpec, given: JsonObject = {}): Filling {
  const parameters = readParameters(tool.inputSchema);
  const reading = read(text, toolStems(tool));
  const draft: Draft = { values: new Map(), sources: new Map() };
  const open = parameters.filter(({ name }) => !Object.hasOwn(given, name));
  fill(open, reading, draft);
  const filled = { ...given, ...toObject(draft) };
  return {
    arguments: filled,
    missing: parameters.filter(({ name, required }) => required && !Object.hasOwn(filled, name)),
    more: listed(open, reading, draft).map((value) => ({ ...filled, ...value })),
  };
}

/** Fills what can be filled, the surest kinds of value first. */
function fill(parameters: readonly Parameter[], reading: QueryReading, draft: Draft): void {
  const plain = parameters.filter(({ type }) => type !== "array" && type !== "object");
  for (const parameter of plain) set(draft, parameter, chooseOption(parameter, reading));
  for (const parameter of plain) set(draft, parameter, chooseBoolean(parameter, reading));
  fillNumbers(openOf(plain, draft), reading, draft);
  const lists = parameters.filter(({ type }) => type === "array");
  for (const list of lists.filter(takesPlainValues)) set(draft, list, fillArray(list, reading));
  fillTexts(openOf(plain, draft), reading, draft);
  for (const list of lists) if (!draft.values.has(list.name)) set(draft, list, fillArray(list, reading));
  for (const parameter of parameters) {
    if (parameter.type === "object") set(draft, parameter, fillObject(parameter, reading));
  }
}

function openOf(parameters: readonly Parameter[], draft: Draft): Parameter[] {
  return parameters.filter(({ name, options }) => !draft.values.has(name) && options.length === 0);
}

function set(draft: Draft, parameter: Parameter, value: JsonValue | undefined): void {
  if (value !== undefined) draft.values.set(parameter.name, value);
}

/** `Object.fromEntries` makes own properties of all names, `__proto__` too. */
function toObject(draft: Draft): JsonObject {
  return Object.fromEntries(draft.values);
}

/** The words a tool is called and described by, and their synonyms. */
function toolStems(tool: ToolSpec): ReadonlySet<string> {
  const own = [
    ...identifierWords(tool.name).map(stem),
    ...contentStems(sentenceWords(firstSentence(tool.description))),
  ];
  return new Set(own.flatMap(synonymsOf));
}

function firstSentence(text = ""): string {
  return /^[^.\n]*/u.exec(text)?.[0] ?? "";
}

/** The option that the text names, in any form of its words ("Fahrenheit", "in-progress" for "in_progress"). */
function chooseOption(parameter: Parameter, reading: QueryReading): JsonValue | undefined {
  return optionsNamed(parameter, reading)[0];
}

function optionsNamed(parameter: Parameter, reading: QueryReading): JsonValue[] {
  const said = [...reading.text.matchAll(/[\p{L}\p{N}]+/gu)].map((match) => ({
    form: stem(match[0].toLowerCase()),
    start: match.index,
    end: match.index + match[0].length,
  }));
  const named: { option: JsonValue; start: number; length: number }[] = [];
  for (const option of parameter.options) {
    if (typeof option !== "string" && typeof option !== "number") continue;
    const forms = identifierWords(String(option)).map(stem);
    const at = said.findIndex((_, index) =>
      forms.every((form, offset) => said[index + offset]?.form === form),
    );
    const start = said[at];
    const end = said[at + forms.length - 1];
    if (forms.length === 0 || !start || !end) continue;
    named.push({ option, start: start.start, length: forms.length });
    reading.taken.push({ start: start.start, end: end.end });
  }
  return named.sort((a, b) => b.length - a.length || a.start - b.start).map(({ option }) => option);
}

/** "with alerts" is true and "without alerts" false; what is not spoken of stays open. */
function chooseBoolean(parameter: Parameter, reading: QueryReading): boolean | undefined {
  if (parameter.type !== "boolean") return undefined;
  const named = identifierWords(parameter.name).map(stem);
  const labels = new Set(named.filter((form) => !/^(?:is|has|with|the)$/u.test(form)));
  const said = reading.text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? [];
  const at = said.findIndex((word) => labels.has(stem(word)));
  if (at >= 0)
    return !said
      .slice(Math.max(0, at - 2), at)
      .some((word) => /^(?:no|not|without|non)$|n['’]t$/u.test(word));
  if (!parameter.required) return undefined;
  if (/^\s*(?:yes|yeah|yep|sure|true|ok(?:ay)?)\b/iu.test(reading.text)) return true;
  return /^\s*(?:no|nope|false)\b/iu.test(reading.text) ? false : undefined;
}

function fillArray(parameter: Parameter, reading: QueryReading): JsonValue | undefined {
  const { items } = parameter;
  if (!items) return undefined;
  if (items.options.length > 0) return nonEmpty(optionsNamed(items, reading));
  const kinds = kindsOf(items);
  const taken = unused(reading).filter(
    ({ kind }) => kind === kinds.find((one) => unused(reading).some((f) => f.kind === one)),
  );
  if (taken.length === 0 || (!parameter.required && items.type === "string" && taken[0]?.kind === "name"))
    return undefined;
  for (const found of taken) use(reading, found);
  return taken.map(({ value }) => (items.type === "string" ? String(value) : value));
}

function kindsOf(items: Parameter): readonly Found["kind"][] {
  if (items.type === "number" || items.type === "integer") return ["number"];
  if (items.type !== "string") return [];
  const sense = senseOf(items);
  return sense === "email" || sense === "url" ? [sense] : ["email", "quoted", "name", "url", "code"];
}

/** Whether a list takes values that nothing else would take: options, numbers, addresses. */
function takesPlainValues({ items }: Parameter): boolean {
  if (!items) return false;
  const sense = senseOf(items);
  return items.options.length > 0 || items.type !== "string" || sense === "email" || sense === "recipient";
}

function nonEmpty(values: JsonValue[]): JsonValue | undefined {
  return values.length > 0 ? values : undefined;
}

/** An object is filled like arguments; without its required properties it stays open. */
function fillObject(parameter: Parameter, reading: QueryReading): JsonValue | undefined {
  const inner: Draft = { values: new Map(), sources: new Map() };
  fill(parameter.properties, reading, inner);
  const isComplete = parameter.properties.every(({ name, required }) => !required || inner.values.has(name));
  return isComplete && (inner.values.size > 0 || parameter.required) ? toObject(inner) : undefined;
}

/** Values listed right after the one that was used ("items 2, 3 and 5"): one more set of arguments for each. */
function listed(parameters: readonly Parameter[], reading: QueryReading, draft: Draft): JsonObject[] {
  for (const { name, required } of parameters) {
    const source = draft.sources.get(name);
    if (!source || !required) continue;
    const more: JsonObject[] = [];
    let { end } = source;
    for (const found of unused(reading)) {
      if (found.kind !== source.kind || found.start < end) continue;
      if (
        !/^\s*(?:,|&|\+|,?\s*and)\s*(?:also\s+)?(?:(?:in|for|the)\s+)*(?:item|number|no\.?|#)?\s*#?$/iu.test(
          reading.text.slice(end, found.start),
        )
      )
        break;
      more.push({ [name]: typeof draft.values.get(name) === "string" ? String(found.value) : found.value });
      ({ end } = found);
    }
    if (more.length > 0) return more;
  }
  return [];
}
