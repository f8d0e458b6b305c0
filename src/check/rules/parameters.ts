import type { JsonSchema } from "../../schema/types.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { propertiesOf, requiredOf, resolved } from "../schema-parts.ts";
import type { Rule } from "../types.ts";
import { listedValues } from "./listed-values.ts";
import { parameterPlace, toolRule, wordsOf } from "./rule-kit.ts";

/** A parameter whose type lets anything through, or that lists its values in words only. */
export const wideType: Rule = toolRule("warn", (tool) => {
  const { inputSchema, name } = tool;
  return Object.entries(propertiesOf(inputSchema)).flatMap(([parameter, schema]) => {
    const wide = widePlace(schema, inputSchema, parameter, new Set());
    if (wide === undefined) return [];
    return [
      { place: parameterPlace(tool, parameter), message: `In ${name}, ${wide.message}`, help: wide.help },
    ];
  });
});

interface Wide {
  readonly message: string;
  readonly help: string;
}

/** The first place within a parameter's schema that is too wide. */
function widePlace(
  schema: JsonSchema,
  root: JsonSchema,
  path: string,
  visited: Set<unknown>,
): Wide | undefined {
  if (visited.has(schema["$ref"])) return undefined;
  if (schema["$ref"] !== undefined) visited.add(schema["$ref"]);
  const full = resolved(schema, root);
  const wide = wideness(full, path);
  if (wide !== undefined) return wide;
  for (const [name, property] of Object.entries(propertiesOf(full))) {
    const inner = widePlace(property, root, `${path}.${name}`, visited);
    if (inner !== undefined) return inner;
  }
  const { items } = full;
  return isPlainObject(items) ? widePlace(items, root, `${path}[]`, visited) : undefined;
}

/** Keywords that leave a schema as wide as it is. */
const annotations = new Set(["description", "title", "default", "examples", "deprecated", "$comment"]);

function wideness(schema: JsonSchema, path: string): Wide | undefined {
  const keywords = Object.keys(schema).filter((keyword) => !annotations.has(keyword));
  if (keywords.length === 0) {
    return {
      message: `${path} takes any JSON at all.`,
      help: "Give it the type that the function works with.",
    };
  }
  const { type, description } = schema;
  const says = (...names: string[]): boolean => names.some((name) => Object.hasOwn(schema, name));
  if (
    type === "object" &&
    !says("properties", "additionalProperties", "patternProperties", "anyOf", "oneOf", "allOf", "$ref")
  ) {
    return {
      message: `${path} takes any object.`,
      help: "Write out its properties, or say Record<string, ...>.",
    };
  }
  if (type === "array" && !says("items", "prefixItems")) {
    return { message: `${path} takes a list of anything.`, help: "Give the type of its elements." };
  }
  const values = type === "string" && typeof description === "string" ? listedValues(description) : [];
  if (values.length > 1 && !says("enum", "const", "pattern", "format")) {
    const union = values.map((value) => JSON.stringify(value)).join(" | ");
    return {
      message: `${path} takes any string, though its description lists the values.`,
      help: `Write them as its type: ${union}.`,
    };
  }
  return undefined;
}

const flags = new Set(
  "include exclude with without use dry force verbose recursive debug silent quiet overwrite ignore skip allow".split(
    " ",
  ),
);
const amounts = new Set("limit page offset skip cursor timeout retries".split(" "));
const settings = new Set("order sort direction locale language encoding timezone".split(" "));

/** A parameter that a model has to give though nearly every call would give the same. */
export const naturalDefault: Rule = toolRule("warn", (tool) => {
  const { inputSchema, name } = tool;
  const required = requiredOf(inputSchema);
  // The only thing that a tool is asked for is its purpose.
  if (required.size < 2) return [];
  return Object.entries(propertiesOf(inputSchema)).flatMap(([parameter, schema]) => {
    const value = required.has(parameter) ? usualValue(parameter, resolved(schema, inputSchema)) : undefined;
    if (value === undefined) return [];
    return [
      {
        place: parameterPlace(tool, parameter),
        message: `${name} requires ${parameter}, which has a natural default.`,
        help: `Give it one, such as ${parameter} = ${value}, so that a model can leave it out.`,
      },
    ];
  });
});

function usualValue(parameter: string, schema: JsonSchema): string | undefined {
  const [first = "", ...others] = wordsOf(parameter);
  const { type, enum: values } = schema;
  const last = others.at(-1) ?? first;
  if (type === "boolean") return flags.has(first) ? "false" : undefined;
  if (type === "number" || type === "integer") {
    if (
      amounts.has(last) ||
      (last === "size" && first === "page") ||
      (first === "max" && others.length > 0)
    ) {
      return last === "page" ? "1" : last === "offset" || last === "skip" ? "0" : "20";
    }
    return undefined;
  }
  if (type !== "string" || !settings.has(last)) return undefined;
  return Array.isArray(values) ? JSON.stringify(values[0]) : '"..."';
}
