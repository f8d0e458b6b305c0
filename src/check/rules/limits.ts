import type { ProviderLimits } from "../../providers/kit/provider-info.ts";
import { providers } from "../../providers/resolution/registry.ts";
import type { JsonSchema } from "../../schema/types.ts";
import { isPlainObject } from "../../base/util/json.ts";
import {
  allSchemas,
  definitionsOf,
  innerSchemas,
  propertiesOf,
  requiredOf,
  resolved,
} from "../schema-parts.ts";
import type { CheckedAgent, CheckedTool, Finding, Rule } from "../types.ts";
import { toolsOf } from "./rule-kit.ts";

/** OpenAI recommends fewer than 20 (https://platform.openai.com/docs/guides/function-calling). */
const recommendedTools = 20;

/** More tools than a model can choose among well. */
export const tooManyTools: Rule = {
  level: "warn",
  find: (files) =>
    files
      .flatMap(({ agents }) => agents)
      .filter(({ toolCount }) => toolCount > recommendedTools)
      .map(({ name, place, toolCount }): Finding => {
        const message = `The agent ${name} has ${toolCount} tools`;
        const help = "Split it into agents that hand over to each other.";
        const over = providers.find(({ info }) => toolCount > (info.limits?.tools ?? Infinity))?.info;
        return over
          ? {
              place,
              level: "error",
              message: `${message}; ${over.title} takes ${over.limits?.tools} at most.`,
              help,
            }
          : { place, message: `${message}; models choose well among ${recommendedTools} at most.`, help };
      }),
};

type SchemaLimits = Required<ProviderLimits>["strictSchema"];
type RequestLimits = Required<ProviderLimits>["strictTools"];

/** How much of each limit a schema has, and how that is called. */
const schemaMeasures: Readonly<
  Record<keyof SchemaLimits, { readonly what: string; readonly measure: (schema: JsonSchema) => number }>
> = {
  properties: { what: "properties", measure: (schema) => sum(schema, (each) => names(each).length) },
  depth: { what: "levels of nested objects", measure: (schema) => depth(schema, schema, []) },
  enumValues: { what: "enum values", measure: (schema) => sum(schema, (each) => enumOf(each).length) },
  characters: { what: "characters in names, enum and const values", measure: characters },
  largeEnumCharacters: {
    what: "characters in the values of one enum of more than 250",
    measure: (schema) => Math.max(...[...allSchemas(schema)].map(largeEnum)),
  },
};

/** The same of all strict tools of a request. */
const requestMeasures: Readonly<
  Record<
    keyof RequestLimits,
    { readonly what: string; readonly measure: (tools: readonly CheckedTool[]) => number }
  >
> = {
  tools: { what: "strict tools", measure: (tools) => tools.length },
  optionalParameters: {
    what: "optional parameters in its strict tools",
    measure: (tools) => total(tools, (schema) => names(schema).length - requiredOf(schema).size),
  },
  unionParameters: {
    what: "parameters of union types in its strict tools",
    measure: (tools) => total(tools, (schema) => (isUnion(schema) ? 1 : 0)),
  },
};

/** A schema larger than a provider takes in strict mode. An error where the tool is strict. */
export const schemaLimits: Rule = {
  level: "warn",
  *find(files) {
    for (const tool of toolsOf(files)) yield* toolLimits(tool);
    for (const agent of files.flatMap(({ agents }) => agents)) yield* agentLimits(agent);
  },
};

/** Whatever is above a limit of any provider. */
function* exceeded<Limit extends string, Subject>(
  limitsOf: (limits: ProviderLimits) => Readonly<Record<Limit, number>> | undefined,
  measures: Readonly<
    Record<Limit, { readonly what: string; readonly measure: (subject: Subject) => number }>
  >,
  subject: Subject,
): Generator<{ readonly has: string; readonly takes: string }> {
  for (const { info } of providers) {
    const limits = info.limits && limitsOf(info.limits);
    for (const [limit, most] of Object.entries<number>(limits ?? {})) {
      if (!isOneOf(limit, measures)) continue;
      const { what, measure } = measures[limit];
      const count = measure(subject);
      if (count > most) yield { has: `${count} ${what}`, takes: `${info.title} takes ${most}` };
    }
  }
}

function isOneOf<Name extends string>(name: string, record: Readonly<Record<Name, unknown>>): name is Name {
  return Object.hasOwn(record, name);
}

function* toolLimits({ name, inputSchema, strict, source }: CheckedTool): Generator<Finding> {
  for (const { has, takes } of exceeded(({ strictSchema }) => strictSchema, schemaMeasures, inputSchema)) {
    yield {
      tool: name,
      place: source.place,
      level: strict ? "error" : "warn",
      message: `The schema of ${name} has ${has}; ${takes} in strict mode.`,
      help: "Make it smaller, or split the tool.",
    };
  }
}

function* agentLimits({ name, place, tools }: CheckedAgent): Generator<Finding> {
  const strict = tools.filter((tool) => tool.strict);
  for (const { has, takes } of exceeded(({ strictTools }) => strictTools, requestMeasures, strict)) {
    yield {
      place,
      level: "error",
      message: `The agent ${name} has ${has}; ${takes} in a request.`,
      help: "Leave strict out where it matters least.",
    };
  }
}

function sum(schema: JsonSchema, measure: (schema: JsonSchema) => number): number {
  return [...allSchemas(schema)].reduce((all, each) => all + measure(each), 0);
}

function total(tools: readonly CheckedTool[], measure: (schema: JsonSchema) => number): number {
  return tools.reduce((all, { inputSchema }) => all + sum(inputSchema, measure), 0);
}

function names(schema: JsonSchema): readonly string[] {
  return Object.keys(propertiesOf(schema));
}

function enumOf(schema: JsonSchema): readonly unknown[] {
  return Array.isArray(schema["enum"]) ? schema["enum"] : [];
}

function isUnion(schema: JsonSchema): boolean {
  return Array.isArray(schema["anyOf"]) || Array.isArray(schema["type"]);
}

function characters(schema: JsonSchema): number {
  return sum(schema, (each) => {
    const constants = Object.hasOwn(each, "const") ? [each["const"]] : [];
    const texts = [
      ...names(each),
      ...definitionsOf(each).map(([name]) => name),
      ...[...enumOf(each), ...constants].map(String),
    ];
    return texts.reduce((length, text) => length + text.length, 0);
  });
}

function largeEnum(schema: JsonSchema): number {
  const values = enumOf(schema);
  return values.length > 250 ? values.reduce((length: number, value) => length + String(value).length, 0) : 0;
}

/** How many objects stand within each other; one that contains itself counts once. */
function depth(schema: JsonSchema, root: JsonSchema, path: readonly unknown[]): number {
  const reference = schema["$ref"];
  if (reference !== undefined && path.includes(reference)) return 0;
  const full = resolved(schema, root);
  const own = isPlainObject(full["properties"]) ? 1 : 0;
  const inside = reference === undefined ? path : [...path, reference];
  return own + Math.max(0, ...innerSchemas(full).map((inner) => depth(inner, root, inside)));
}
