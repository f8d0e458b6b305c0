import { isPlainObject } from "../../../base/util/json.ts";
import { compileWithMatcher } from "../../../schema/compile-with-matcher.ts";
import type { JsonSchema } from "../../../schema/types.ts";
import type { Random } from "../random.ts";
import { numbers } from "./numbers.ts";
import { texts } from "./texts.ts";

/** What values are made with. */
interface Making {
  readonly root: JsonSchema;
  readonly random: Random;
  /** How many levels more; recursive schemas end here. */
  readonly depth: number;
}

/** The most values of one place. */
const mostValues = 24;

/** How deep values are made. */
const mostLevels = 8;

/**
 * Values that a schema accepts: those at its edges first (each alternative, each enum's value, the least and the most, absent
 * and present), then others, `count` at most. Each of them is checked. Empty where none could be made.
 */
export function validValues(schema: JsonSchema, random: Random, count: number): readonly unknown[] {
  const compiled = compileWithMatcher(schema);
  const texts = new Set<string>();
  const accepted: unknown[] = [];
  for (let round = 0; round < 4 && accepted.length < count; round++) {
    for (const value of edges(schema, { root: schema, random, depth: mostLevels })) {
      const text = JSON.stringify(value);
      if (accepted.length >= count || texts.has(text) || !compiled.validate(value).ok) continue;
      texts.add(text);
      accepted.push(value);
    }
  }
  return accepted;
}

/** Values for a schema; most, not all, are accepted by it. */
function edges(schema: unknown, making: Making): unknown[] {
  if (schema === true || !isPlainObject(schema)) return schema === false ? [] : ["anything", 0, null, {}];
  if (making.depth === 0) return [null, "", 0, [], {}];
  const examples = stated(schema);
  if (examples.length > 0) return examples.slice(0, mostValues);
  if (typeof schema["$ref"] === "string") return edges(resolve(schema["$ref"], making.root), deeper(making));
  const branches = listOf(schema["anyOf"] ?? schema["oneOf"]);
  const { anyOf: _, oneOf: __, allOf, ...rest } = schema;
  if (branches.length > 0) {
    const each = branches.map((branch) => edges(merged(rest, branch, making.root), deeper(making)));
    return interleaved(each).slice(0, mostValues);
  }
  if (Array.isArray(allOf)) {
    return edges(
      listOf(allOf).reduce((left: unknown, right) => merged(left, right, making.root), rest),
      deeper(making),
    );
  }
  return interleaved(typesOf(schema).map((type) => ofType(type, schema, making))).slice(0, mostValues);
}

/** The values that a schema names itself. */
function stated(schema: Readonly<Record<string, unknown>>): unknown[] {
  if ("const" in schema) return [schema["const"]];
  if (Array.isArray(schema["enum"])) return schema["enum"];
  return [];
}

function ofType(type: string, schema: JsonSchema, making: Making): unknown[] {
  const examples = [...listOf(schema["examples"]), ...("default" in schema ? [schema["default"]] : [])];
  if (type === "string") return [...examples, ...texts(schema, making.random)];
  if (type === "number" || type === "integer") return [...examples, ...numbers(schema, type)];
  if (type === "boolean") return [true, false];
  if (type === "null") return [null];
  return type === "array" ? arrays(schema, making) : objects(schema, making);
}

function arrays(schema: JsonSchema, making: Making): unknown[][] {
  const first = listOf(schema["prefixItems"]).map((item) => edges(item, deeper(making))[0]);
  const items = edges(schema["items"] ?? true, deeper(making));
  const least = sizeOf(schema["minItems"], 0);
  const most = Math.min(sizeOf(schema["maxItems"], Math.max(least, 3)), 50);
  const ofLength = (length: number): unknown[] =>
    Array.from({ length }, (_, index) =>
      index < first.length ? first[index] : items[index % Math.max(1, items.length)],
    );
  const lengths = new Set([Math.max(least, Math.min(1, most)), least, most, Math.max(least, first.length)]);
  return [...lengths].map(ofLength);
}

function objects(schema: JsonSchema, making: Making): Record<string, unknown>[] {
  const properties = isPlainObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const required = new Set(listOf(schema["required"]).filter((name) => typeof name === "string"));
  const values = new Map(properties.map(([name, property]) => [name, edges(property, deeper(making))]));
  for (const name of required)
    if (!values.has(name)) values.set(name, edges(schema["additionalProperties"], deeper(making)));
  const all = new Map(
    [...values].filter(([, list]) => list.length > 0).map(([name, list]) => [name, list[0]]),
  );
  const least = new Map([...all].filter(([name]) => required.has(name)));
  const complete = [least, all];
  // One property at each of its edges, all others as they are.
  const variants = [...values].map(([name, some]) =>
    some.slice(1).map((value) => new Map(all).set(name, value)),
  );
  complete.push(...interleaved(variants));
  for (let run = 0; run < 4; run++) {
    const mixed = new Map<string, unknown>();
    for (const [name, some] of values)
      if (some.length > 0 && (required.has(name) || making.random.next() < 0.5))
        mixed.set(name, making.random.pick(some));
    complete.push(mixed);
  }
  const { additionalProperties: more } = schema;
  if (isPlainObject(more)) {
    const [extra] = edges(more, deeper(making));
    complete.push(new Map(all).set("another", extra));
  }
  return complete.map((entries) => Object.fromEntries(entries));
}

function typesOf(schema: JsonSchema): readonly string[] {
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((name) => typeof name === "string");
  if (schema["properties"] ?? schema["required"] ?? schema["additionalProperties"]) return ["object"];
  if (schema["items"] ?? schema["prefixItems"]) return ["array"];
  if (schema["minimum"] ?? schema["maximum"] ?? schema["multipleOf"]) return ["number"];
  if (schema["pattern"] ?? schema["format"] ?? schema["minLength"] ?? schema["maxLength"]) return ["string"];
  return ["string", "number", "boolean", "null", "object", "array"];
}

/** Both schemas at once, as far as that can be written as one. */
function merged(left: unknown, right: unknown, root: JsonSchema): JsonSchema {
  const one = followed(left, root);
  const two = followed(right, root);
  const properties = { ...objectOf(one["properties"]), ...objectOf(two["properties"]) };
  const required = [...listOf(one["required"]), ...listOf(two["required"])];
  return {
    ...one,
    ...two,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function followed(schema: unknown, root: JsonSchema): Record<string, unknown> {
  let target = schema;
  for (let step = 0; step < 20 && isPlainObject(target) && typeof target["$ref"] === "string"; step++) {
    const { $ref, ...rest } = target;
    target = { ...objectOf(resolve($ref, root)), ...rest };
  }
  return objectOf(target);
}

/** What a reference within the schema names. */
function resolve(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith("#")) return true;
  let target: unknown = root;
  for (const step of decodeURIComponent(reference.slice(1)).split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, name)) return true;
    target = Reflect.get(target, name);
  }
  return target;
}

function interleaved<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}

function deeper(making: Making): Making {
  return { ...making, depth: making.depth - 1 };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown): Record<string, unknown> {
  return isPlainObject(value) ? value : {};
}

function sizeOf(keyword: unknown, otherwise: number): number {
  return typeof keyword === "number" && keyword >= 0 ? Math.ceil(keyword) : otherwise;
}
