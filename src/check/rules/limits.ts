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

/** OpenAI recommends fewer than 20 (https://platform.openai.com/docs/guides/function-calling) and takes 128 at most. */
const recommendedTools = 20;
const mostTools = 128;

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
        return toolCount > mostTools
          ? { place, level: "error", message: `${message}; OpenAI takes ${mostTools} at most.`, help }
          : { place, message: `${message}; models choose well among ${recommendedTools} at most.`, help };
      }),
};

/** What a provider takes, and how much of it a schema has. */
interface Limit {
  readonly most: number;
  readonly what: string;
  readonly measure: (schema: JsonSchema) => number;
}

/** OpenAI's limits on one strict schema (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas). */
const openaiLimits: readonly Limit[] = [
  { most: 5_000, what: "properties", measure: (schema) => sum(schema, (each) => names(each).length) },
  { most: 10, what: "levels of nested objects", measure: (schema) => depth(schema, schema, []) },
  { most: 1_000, what: "enum values", measure: (schema) => sum(schema, (each) => enumOf(each).length) },
  { most: 120_000, what: "characters in names, enum and const values", measure: characters },
  {
    most: 15_000,
    what: "characters in the values of one enum of more than 250",
    measure: (schema) => Math.max(...[...allSchemas(schema)].map(largeEnum)),
  },
];

/** Anthropic's limits on all strict tools of a request (https://platform.claude.com/docs/en/build-with-claude/structured-outputs). */
const anthropicLimits: readonly {
  most: number;
  what: string;
  measure: (tools: readonly CheckedTool[]) => number;
}[] = [
  { most: 20, what: "strict tools", measure: (tools) => tools.length },
  {
    most: 24,
    what: "optional parameters in its strict tools",
    measure: (tools) => total(tools, (schema) => names(schema).length - requiredOf(schema).size),
  },
  {
    most: 16,
    what: "parameters of union types in its strict tools",
    measure: (tools) => total(tools, (schema) => (isUnion(schema) ? 1 : 0)),
  },
];

/** A schema larger than a provider takes in strict mode. An error where the tool is strict. */
export const schemaLimits: Rule = {
  level: "warn",
  *find(files) {
    for (const tool of toolsOf(files)) yield* toolLimits(tool);
    for (const agent of files.flatMap(({ agents }) => agents)) yield* agentLimits(agent);
  },
};

function toolLimits({ name, inputSchema, strict, source }: CheckedTool): Finding[] {
  return openaiLimits.flatMap(({ most, what, measure }) => {
    const found = measure(inputSchema);
    if (found <= most) return [];
    return [
      {
        tool: name,
        place: source.place,
        level: strict ? "error" : "warn",
        message: `The schema of ${name} has ${found} ${what}; OpenAI takes ${most} in strict mode.`,
        help: "Make it smaller, or split the tool.",
      },
    ];
  });
}

function agentLimits({ name, place, tools }: CheckedAgent): Finding[] {
  const strict = tools.filter((tool) => tool.strict);
  return anthropicLimits.flatMap(({ most, what, measure }) => {
    const found = measure(strict);
    if (found <= most) return [];
    return [
      {
        place,
        level: "error",
        message: `The agent ${name} has ${found} ${what}; Anthropic takes ${most} in a request.`,
        help: "Leave strict out where it matters least.",
      },
    ];
  });
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
