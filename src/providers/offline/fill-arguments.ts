import type { ToolSpec } from "../../model/types.ts";
import type { JsonObject, JsonValue } from "../../base/util/json.ts";
import { fillNumbers } from "./fill-numbers.ts";
import { fillTexts } from "./fill-texts.ts";
import { senseOf } from "./parameter-sense.ts";
import { readParameters, type Parameter } from "./parameters.ts";
import { type Draft, read, type QueryReading, unused, use } from "./reading.ts";
import type { TextValue } from "./extract.ts";
import { contentStems, identifierWords, sentenceWords, stem, synonymsOf } from "./vocabulary.ts";

/** The arguments of a tool, filled from a text. */
export interface Filling {
  readonly arguments: JsonObject;
  /** The required parameters for which the text has no value. */
  readonly missing: readonly Parameter[];
  /** Further sets of arguments if the text lists several values for a parameter: "Paris and London". */
  readonly more: readonly JsonObject[];
  /** How many values of the text are arguments, without texts that are only what remains of it. */
  readonly valueCount: number;
  /** Numbers, codes and addresses in the text that no argument uses. */
  readonly unusedCount: number;
}

/**
 * Fills a tool's arguments from the user's text. Every value comes from the text: nothing is guessed.
 * @param answered - Set if the text answers a question: the arguments that are already filled, and stay unchanged.
 */
export function fillArguments(text: string, tool: ToolSpec, answered?: JsonObject): Filling {
  const collected = answered ?? {};
  const parameters = readParameters(tool.inputSchema);
  const reading = read(text, toolStems(tool), answered !== undefined);
  const draft: Draft = { values: new Map(), sources: new Map() };
  const open = parameters.filter(({ name }) => !Object.hasOwn(collected, name));
  fill(open, reading, draft);
  const filled = { ...collected, ...toObject(draft) };
  const more = listed(open, reading, draft);
  return {
    arguments: filled,
    missing: parameters.filter(({ name, required }) => required && !Object.hasOwn(filled, name)),
    more: more.map((value) => ({ ...filled, ...value })),
    valueCount:
      reading.used.size +
      open.filter(({ name, options }) => options.length > 0 && draft.values.has(name)).length,
    unusedCount: Math.max(0, unused(reading).filter(({ kind }) => isTelling(kind)).length - more.length),
  };
}

function isTelling(kind: TextValue["kind"]): boolean {
  return kind === "number" || kind === "code" || kind === "url" || kind === "email";
}

/** Fills the parameters, the most certain kinds of value first. */
function fill(parameters: readonly Parameter[], reading: QueryReading, draft: Draft): void {
  const plain = parameters.filter(({ type }) => type !== "array" && type !== "object");
  for (const parameter of plain) set(draft, parameter, chooseOption(parameter, reading));
  for (const parameter of plain) set(draft, parameter, chooseBoolean(parameter, reading));
  fillNumbers(openOf(plain, draft), reading, draft);
  const lists = parameters.filter(({ type }) => type === "array");
  for (const list of lists.filter(acceptsPlainValues)) set(draft, list, fillArray(list, reading));
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

/** `Object.fromEntries` creates own properties for all names, including `__proto__`. */
function toObject(draft: Draft): JsonObject {
  return Object.fromEntries(draft.values);
}

/** The words of a tool's name and description, and their synonyms. */
export function toolStems(tool: ToolSpec): ReadonlySet<string> {
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
  const words = [...reading.text.matchAll(/[\p{L}\p{N}]+/gu)].map((match) => ({
    form: stem(match[0].toLowerCase()),
    start: match.index,
    end: match.index + match[0].length,
  }));
  const named: { option: JsonValue; start: number; length: number }[] = [];
  for (const option of parameter.options) {
    if (typeof option !== "string" && typeof option !== "number") continue;
    const forms = identifierWords(String(option)).map(stem);
    const at = words.findIndex((_, index) =>
      forms.every((form, offset) => words[index + offset]?.form === form),
    );
    const start = words[at];
    const end = words[at + forms.length - 1];
    if (forms.length === 0 || !start || !end) continue;
    named.push({ option, start: start.start, length: forms.length });
    reading.usedSpans.push({ start: start.start, end: end.end });
  }
  return named.sort((a, b) => b.length - a.length || a.start - b.start).map(({ option }) => option);
}

/** "with alerts" is true, "without alerts" false. A boolean that the text does not mention stays open. */
function chooseBoolean(parameter: Parameter, reading: QueryReading): boolean | undefined {
  if (parameter.type !== "boolean") return undefined;
  const named = identifierWords(parameter.name).map(stem);
  const labels = new Set(named.filter((form) => !/^(?:is|has|with|the)$/u.test(form)));
  const words = reading.text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? [];
  const at = words.findIndex((word) => labels.has(stem(word)));
  if (at >= 0)
    return !words
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
  const matches = unused(reading).filter(
    ({ kind }) => kind === kinds.find((one) => unused(reading).some((f) => f.kind === one)),
  );
  if (matches.length === 0 || (!parameter.required && items.type === "string" && matches[0]?.kind === "name"))
    return undefined;
  for (const match of matches) use(reading, match);
  return matches.map(({ value }) => (items.type === "string" ? String(value) : value));
}

function kindsOf(items: Parameter): readonly TextValue["kind"][] {
  if (items.type === "number" || items.type === "integer") return ["number"];
  if (items.type !== "string") return [];
  const sense = senseOf(items);
  return sense === "email" || sense === "url" ? [sense] : ["email", "quoted", "name", "url", "code"];
}

/** Whether a list accepts values that no other parameter accepts: options, numbers, addresses. */
function acceptsPlainValues({ items }: Parameter): boolean {
  if (!items) return false;
  const sense = senseOf(items);
  return items.options.length > 0 || items.type !== "string" || sense === "email" || sense === "recipient";
}

function nonEmpty(values: JsonValue[]): JsonValue | undefined {
  return values.length > 0 ? values : undefined;
}

/**
 * Fills an object like arguments. It stays open unless all of its required properties are filled. Of an object that needs something,
 * but nothing in particular, what the text mentions is filled: "rename it to Bello".
 */
function fillObject(parameter: Parameter, reading: QueryReading): JsonValue | undefined {
  const inner: Draft = { values: new Map(), sources: new Map() };
  const { properties } = parameter;
  const isOpen = parameter.required && properties.every(({ required }) => !required);
  fill(
    isOpen ? properties.map((each) => ({ ...each, required: isMentioned(each, reading) })) : properties,
    reading,
    inner,
  );
  const isComplete = properties.every(({ name, required }) => !required || inner.values.has(name));
  return isComplete && (inner.values.size > 0 || properties.length === 0) ? toObject(inner) : undefined;
}

function isMentioned({ name }: Parameter, { text }: QueryReading): boolean {
  const forms = new Set(identifierWords(name).map(stem));
  return sentenceWords(text).some(
    (word) => forms.has(stem(word)) || forms.has(stem(word.replace(/^re/u, ""))),
  );
}

/** One more set of arguments for each value that is listed after a used one ("items 2, 3 and 5"). */
function listed(parameters: readonly Parameter[], reading: QueryReading, draft: Draft): JsonObject[] {
  for (const { name, required } of parameters) {
    const source = draft.sources.get(name);
    if (!source || !required) continue;
    const more: JsonObject[] = [];
    let { end } = source;
    for (const match of unused(reading)) {
      if (match.kind !== source.kind || match.start < end) continue;
      if (
        !/^\s*(?:,|&|\+|,?\s*and)\s*(?:also\s+)?(?:(?:in|for|the)\s+)*(?:item|number|no\.?|#)?\s*#?$/iu.test(
          reading.text.slice(end, match.start),
        )
      )
        break;
      more.push({ [name]: typeof draft.values.get(name) === "string" ? String(match.value) : match.value });
      ({ end } = match);
    }
    if (more.length > 0) return more;
  }
  return [];
}
