import { isDeepStrictEqual } from "node:util";
import { isJavaScript } from "../compiler/diagnostics.ts";
import type { Compiler, FunctionDescription, FunctionSchema, WrittenPlace } from "../compiler/index.ts";
import { SchemaNotFoundError } from "../../errors.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { notFound } from "./failures.ts";
import { shapeOf } from "./function-text.ts";
import { look, type Located, type Unlocated } from "./look.ts";
import { askCompiler } from "./opened-compiler.ts";
import { isMadeOf } from "./outdated.ts";
import { pick, pickAlike, pickByOrder } from "./pick.ts";

/**
 * The functions that are not the ones the text says: a record's entry that was assigned to, an element of a list that was
 * moved, a method that was replaced. Where nothing shows that a function is the one in the text, it counts as another.
 */
export async function findReplaced(
  places: ReadonlyMap<Function, WrittenPlace>,
): Promise<ReadonlySet<Function>> {
  const replaced = new Set(places.keys());
  for (const thoroughness of ["profiler", "debugger"] as const) {
    if (replaced.size === 0) break;
    const located = await look([...replaced], thoroughness);
    await askCompiler((compiler) => {
      for (const each of located) {
        const sourcePlace = places.get(each.fn);
        if (sourcePlace !== undefined && isThere(compiler, each, sourcePlace)) replaced.delete(each.fn);
      }
    });
  }
  return replaced;
}

function isThere(compiler: Compiler, live: Located | Unlocated, sourcePlace: WrittenPlace): boolean {
  if (!("source" in live)) return isWrittenSo(compiler, live.fn, String(live.fn), sourcePlace);
  const { fn, inspected, location, source } = live;
  if (inspected.boundArguments !== sourcePlace.bound) return false;
  if (source.file !== sourcePlace.file) {
    // JavaScript without a source map does not show which source it was made of.
    const isOutput = isJavaScript(source.file) && !isJavaScript(sourcePlace.file);
    return isOutput && isWrittenSo(compiler, fn, inspected.text, sourcePlace);
  }
  const { position, isMapped } = source;
  if (isMapped && position !== undefined && isWithinHead(position, sourcePlace)) return true;
  const shape = shapeOf(fn.name, inspected.text);
  const candidates = compiler.functionsLike(source.file, shape);
  const picked =
    pick(candidates, source, inspected.text) ?? pickByOrder(compiler, candidates, shape, location);
  if (picked !== undefined) return picked.isAt(sourcePlace.start);
  return (
    pickAlike(candidates) !== undefined && candidates.some((candidate) => candidate.isAt(sourcePlace.start))
  );
}

/** Whether a running text may have been made of what is written there. */
function isWrittenSo(compiler: Compiler, fn: Function, text: string, { file, start }: WrittenPlace): boolean {
  const candidates = compiler.functionsLike(file, shapeOf(fn.name, text));
  return candidates.some((candidate) => candidate.isAt(start) && isMadeOf(candidate, text));
}

function isWithinHead(
  { line, column }: { readonly line: number; readonly column: number },
  { start, body }: WrittenPlace,
): boolean {
  const isAfterStart = line > start.line || (line === start.line && column >= start.column);
  return isAfterStart && (line < body.line || (line === body.line && column <= body.column));
}

/**
 * Describes a function that is not the one the text says: by what itself says, if the types in the text say the same of its
 * parameters. One that passes all its arguments on, as a decorator's, has no parameters of its own.
 * @param expected - What the text says.
 * @param own - What the function's own source says.
 */
export function describeReplaced(
  fn: Function,
  expected: FunctionSchema,
  own: FunctionDescription | undefined,
): FunctionDescription {
  const passesOn = /^[^(]*\(\s*\.\.\.[^,)[\]{}]+\)/.test(String(fn));
  const isUnknown = own === undefined || own instanceof SchemaNotFoundError;
  if (passesOn && (isUnknown || takesAnything(own) || agrees(expected, own))) return expected;
  if (isUnknown || !agrees(expected, own)) return refused(fn, expected);
  const isOverride = own.name === expected.name && hasSameNames(expected, own);
  if (isOverride) {
    const description = own.description ?? expected.description;
    return { ...expected, ...(description === undefined ? {} : { description }) };
  }
  if (own.parameters.length !== expected.parameters.length) return refused(fn, expected);
  // It stands where the text has a public method.
  return { ...own, ...(expected.public && { public: true }) };
}

/**
 * Describes a function whose parameters have other names than those of the type by which it was passed on: by its own source. What
 * a generic type has become there, that source may not know.
 * @param expected - What the type says.
 * @param own - What the function's own source says.
 */
export function describeRenamed(
  fn: Function,
  expected: FunctionSchema,
  own: FunctionDescription | undefined,
): FunctionDescription {
  if (own instanceof SchemaNotFoundError) return own;
  if (own === undefined || (expected.instance && !agrees(expected, own))) {
    return notFound(fn, "its parameters are not those of the type by which it is passed on", { remedy });
  }
  return { ...own, ...(expected.public && { public: true }) };
}

const remedy =
  "Pass on a function of your own that calls it, such as (city: string) => tools.fn(city), " +
  "or an instance by the type of its own class";

function refused(fn: Function, { name }: FunctionSchema): SchemaNotFoundError {
  const reason = `it is not the function "${name}" that the text says: it was replaced, or a subclass overrides it`;
  return notFound(fn, reason, { remedy });
}

/** Whether each parameter that the text knows is one that the function has at that place, and needs no others. */
function agrees(expected: FunctionSchema, own: FunctionSchema): boolean {
  const wanted = signatureOf(expected);
  return (
    signatureOf(own).every((parameter, index) => {
      const other = wanted[index];
      if (other === undefined) return parameter.isOptional;
      const isEqual = parameter.kind === other.kind && isDeepStrictEqual(parameter.schema, other.schema);
      return isEqual && (parameter.isOptional || !other.isOptional);
    }) && own.parameters.length >= expected.parameters.length
  );
}

function takesAnything(own: FunctionSchema): boolean {
  const [first, ...others] = signatureOf(own);
  const items = isPlainObject(first?.schema) ? first.schema["items"] : undefined;
  return first?.kind === "rest" && others.length === 0 && (!isPlainObject(items) || isEmpty(items));
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}

function hasSameNames(expected: FunctionSchema, own: FunctionSchema): boolean {
  return expected.parameters.every((plan, index) => isDeepStrictEqual(plan, own.parameters[index]));
}

interface SignatureParameter {
  readonly kind: string;
  readonly schema: unknown;
  readonly isOptional: boolean;
}

/** Parameters by their places, without names and words. */
function signatureOf({ parameters, inputSchema }: FunctionSchema): readonly SignatureParameter[] {
  const { properties, required, $defs } = inputSchema;
  return parameters.map((plan) => {
    if (plan.kind === "context") return { kind: plan.kind, schema: undefined, isOptional: false };
    if (plan.kind === "object") return { kind: plan.kind, schema: wordless(inputSchema), isOptional: false };
    const schema = isPlainObject(properties) ? wordless(properties[plan.name]) : undefined;
    const isOptional = plan.kind === "rest" || !(Array.isArray(required) && required.includes(plan.name));
    return { kind: plan.kind, schema: { schema, $defs: wordless($defs) }, isOptional };
  });
}

/** Keywords that speak to readers. */
const wordKeywords: ReadonlySet<string> = new Set(["description", "title", "default", "examples"]);

/** Keywords whose values hold schemas under names of their own. */
const namingKeywords: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs"]);

/** A schema without what only speaks to readers. */
function wordless(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(wordless);
  if (!isPlainObject(schema)) return schema;
  const keywords = Object.entries(schema).filter(([keyword]) => !wordKeywords.has(keyword));
  return Object.fromEntries(
    keywords.map(([keyword, value]) => [
      keyword,
      namingKeywords.has(keyword) && isPlainObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wordless(inner)]))
        : wordless(value),
    ]),
  );
}
