/** Values that a schema takes, and values that differ from them in one place. */
import type { FunctionSchema, JsonSchema } from "../../src/sources/compiler/index.ts";

/** A value as JSON, and as an expression of what the function receives. */
export interface Sample {
  readonly json: unknown;
  readonly text: string;
}

/** How much of a type a sample has: what must be there, or all of it. */
type Amount = "least" | "most";

const mostBranches = 6;
const deepest = 5;

/** A sample that differs from one that fits in one place. */
export interface Mutant extends Sample {
  readonly change: string;
}

/** Makes samples of the parameter `input` of a function. */
export function samplesOf({ inputSchema, revive = {} }: FunctionSchema): {
  readonly fitting: readonly Sample[];
  readonly mutants: readonly Mutant[];
} {
  const input = member(inputSchema, "properties", "input");
  const place = "#/properties/input";
  const sampler = createSampler(inputSchema, revive);
  const fitting = [sampler.sample(input, place, "least"), sampler.sample(input, place, "most")];
  const { schema, place: at } = sampler.resolve(input, place);
  const properties = schema["properties"];
  if (!isObject(properties)) return { fitting, mutants: wrongValues("input") };
  const least = sampler.properties(schema, at, "least");
  const object = (changes: ReadonlyMap<string, Sample | undefined>): Sample =>
    objectOf(new Map([...least, ...changes]));
  const mutants: Mutant[] = [];
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    const branches = sampler.branches(property, `${at}/properties/${escaped(name)}`);
    fitting.push(...branches.map((branch) => object(new Map([[name, branch]]))));
    for (const wrong of wrongValues(name)) {
      mutants.push({ ...object(new Map([[name, wrong]])), change: wrong.change });
    }
    if (least.has(name)) mutants.push({ ...object(new Map([[name, undefined]])), change: `without ${name}` });
  }
  return { fitting, mutants };
}

/** Values that hardly any type takes, of every kind that JSON has. */
function wrongValues(name: string): readonly Mutant[] {
  return [null, "skein, no such text", -7.25, true, [[{ no: "item" }]], { noSuchKey: 1 }].map((json) => ({
    json,
    text: JSON.stringify(json),
    change: `${name}: ${JSON.stringify(json)}`,
  }));
}

function createSampler(root: JsonSchema, revive: Readonly<Record<string, string>>) {
  interface Placed {
    readonly schema: JsonSchema;
    readonly place: string;
  }

  function resolve(schema: JsonSchema, place: string): Placed {
    const { $ref: reference } = schema;
    if (typeof reference !== "string") return { schema, place };
    const name = reference.slice("#/$defs/".length);
    return { schema: member(root, "$defs", name), place: reference };
  }

  function sample(schema: JsonSchema, place: string, amount: Amount, depth = 0): Sample {
    const at = resolve(schema, place);
    return revived(revive[at.place], plain(at, depth > deepest ? "least" : amount, depth));
  }

  function plain({ schema, place }: Placed, amount: Amount, depth: number): Sample {
    const { const: constant, enum: values, anyOf, type } = schema;
    if (constant !== undefined) return literal(constant);
    if (Array.isArray(values)) return literal(values[0]);
    if (Array.isArray(anyOf)) {
      const index = depth > deepest ? shallowest(anyOf) : 0;
      return sample(anyOf[index], `${place}/anyOf/${index}`, amount, depth + 1);
    }
    switch (Array.isArray(type) ? type[0] : type) {
      case "string":
        return literal(text(schema));
      case "number":
      case "integer":
        return literal(schema["minimum"] ?? 1);
      case "boolean":
        return literal(true);
      case "null":
        return literal(null);
      case "array":
        return list(schema, place, amount, depth);
      case "object":
        return objectOf(members({ schema, place }, amount, depth));
      default:
        return literal("any");
    }
  }

  function members({ schema, place }: Placed, amount: Amount, depth: number): ReadonlyMap<string, Sample> {
    const properties = isObject(schema["properties"]) ? schema["properties"] : {};
    const required: unknown = schema["required"];
    const wanted = Object.entries(properties).filter(
      ([name]) => (Array.isArray(required) && required.includes(name)) || (amount === "most" && depth < 3),
    );
    const entries = wanted.map(([name, property]): [string, Sample] => [
      name,
      sample(isObject(property) ? property : {}, `${place}/properties/${escaped(name)}`, amount, depth + 1),
    ]);
    const { additionalProperties: others, propertyNames } = schema;
    const isOpen = isObject(others) && !isObject(propertyNames) && amount === "most" && entries.length === 0;
    if (isOpen) entries.push(["key", sample(others, `${place}/additionalProperties`, amount, depth + 1)]);
    return new Map(entries);
  }

  function list(schema: JsonSchema, place: string, amount: Amount, depth: number): Sample {
    const { prefixItems, items, minItems } = schema;
    const prefix: readonly JsonSchema[] = Array.isArray(prefixItems) ? prefixItems : [];
    const least = typeof minItems === "number" ? minItems : 0;
    const count = amount === "least" ? least : Math.max(least, prefix.length, isObject(items) ? 1 : 0);
    const elements = Array.from({ length: count }, (_, index) => {
      const own = prefix[index];
      if (own !== undefined) return sample(own, `${place}/prefixItems/${index}`, amount, depth + 1);
      return sample(isObject(items) ? items : {}, `${place}/items`, amount, depth + 1);
    });
    return {
      json: elements.map(({ json }) => json),
      text: `[${elements.map((each) => each.text).join(", ")}]`,
    };
  }

  return {
    resolve,
    sample,
    properties: (schema: JsonSchema, place: string, amount: Amount) => members({ schema, place }, amount, 0),
    /** One sample for each alternative of a property. */
    branches(schema: JsonSchema, place: string): readonly Sample[] {
      const at = resolve(schema, place);
      const { anyOf, enum: values } = at.schema;
      if (Array.isArray(values)) return values.slice(0, mostBranches).map(literal);
      if (!Array.isArray(anyOf)) return [sample(schema, place, "least", 1)];
      return anyOf
        .slice(0, mostBranches)
        .map((branch, index) => sample(branch, `${at.place}/anyOf/${index}`, "least", 1));
    },
  };
}

function revived(type: string | undefined, { json, text }: Sample): Sample {
  switch (type) {
    case "date":
      return { json: "2026-01-31T00:00:00Z", text: 'new Date("2026-01-31T00:00:00Z")' };
    case "url":
      return { json: "https://example.com", text: 'new URL("https://example.com")' };
    case "base64":
      return { json: "AAAA", text: "new Uint8Array(3)" };
    case "bigint":
      return { json: "1", text: "1n" };
    case "set":
      return { json, text: `new Set(${text})` };
    case "map":
      return Array.isArray(json)
        ? { json, text: `new Map(${text})` }
        : { json, text: `new Map(Object.entries(${text}))` };
    case undefined:
    default:
      return { json, text };
  }
}

function literal(json: unknown): Sample {
  return { json, text: JSON.stringify(json) };
}

/** A text that a schema takes, where that is easily told. */
function text({ pattern, format, minLength }: JsonSchema): string {
  if (format === "date-time") return "2026-01-31T00:00:00Z";
  if (format === "uri") return "https://example.com";
  if (format === "email") return "ada@example.com";
  if (format === "uuid") return "6ba7b810-9dad-41d1-80b4-00c04fd430c8";
  if (typeof pattern === "string") return templateText(pattern);
  return "text".padEnd(typeof minLength === "number" ? minLength : 0, "x");
}

/** A text for the pattern of a template literal type. */
function templateText(pattern: string): string {
  return pattern
    .replaceAll(/^\^|\$$/g, "")
    .replaceAll(/\(\?:([^|()]*)\|[^()]*\)/g, "$1")
    .replaceAll("[\\s\\S]*", "x")
    .replaceAll("-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?", "1")
    .replaceAll("-?(?:0|[1-9]\\d*)", "1")
    .replaceAll(/\\(.)/g, "$1");
}

function objectOf(members: ReadonlyMap<string, Sample | undefined>): Sample {
  const entries = [...members].flatMap(([name, each]) => (each === undefined ? [] : [[name, each] as const]));
  return {
    json: Object.fromEntries(entries.map(([name, { json }]) => [name, json])),
    text: `{ ${entries.map(([name, each]) => `${JSON.stringify(name)}: ${each.text}`).join(", ")} }`,
  };
}

/** The alternative that has least within it. */
function shallowest(schemas: readonly unknown[]): number {
  const sizes = schemas.map((schema) => JSON.stringify(schema).length);
  return sizes.indexOf(Math.min(...sizes));
}

function member(schema: JsonSchema, keyword: string, name: string): JsonSchema {
  const members = schema[keyword];
  const found: unknown = isObject(members) && Object.hasOwn(members, name) ? members[name] : undefined;
  return isObject(found) ? found : {};
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25");
}
