import { closest } from "../../base/util/closest.ts";
import { isPlainObject } from "../../base/util/json.ts";
import type { JsonSchema } from "../../schema/types.ts";
import { propertiesOf, resolved } from "../schema-parts.ts";
import type { CheckedTool, Finding, NamedPlace, Rule } from "../types.ts";
import { parameterPlace, toolRule, wordsOf } from "./rule-kit.ts";

/** A tool that says nothing of itself: a model can only guess from its name. */
export const missingDescription: Rule = toolRule("error", ({ name, description, source }) =>
  (description ?? "").trim() === ""
    ? [
        {
          place: source.place,
          message: `${name} has no description: a model cannot tell when to call it.`,
          help: source.parameters
            ? "Write a doc comment above it: what it does, and when to use it."
            : "Give it a description: what it does, and when to use it.",
        },
      ]
    : [],
);

/** Words that say nothing about what a tool does. */
const fillers = new Set(
  (
    "a an and the this that these those of for to in on with from by or is are it its all any some given " +
    "tool function method helper utility util wrapper call calls do does handle handles perform performs process " +
    "processes manage manages execute executes run runs various stuff thing things something work job task tasks " +
    "operation operations action actions data todo tbd fixme description"
  ).split(" "),
);

/** A description that adds nothing to the name. */
export const vagueDescription: Rule = toolRule("warn", ({ name, description = "", source }) => {
  if (description.trim() === "") return [];
  const nameStems = new Set(wordsOf(name).map(stem));
  const telling = wordsOf(description).filter((word) => !fillers.has(word));
  const repeats = telling.length > 0 && telling.every((word) => nameStems.has(stem(word)));
  if (telling.length > 1 && !repeats) return [];
  return [
    {
      place: source.place,
      message: repeats
        ? `The description of ${name} only repeats its name: "${description}".`
        : `The description of ${name} is vague: "${description}".`,
      help: "Say what it does with what, what it returns, and when to use it.",
    },
  ];
});

/** A parameter that only its name speaks for, not even the values of its type. */
export const undescribedParameter: Rule = toolRule("warn", (tool) => {
  const { inputSchema, name, source } = tool;
  return Object.entries(propertiesOf(inputSchema))
    .filter(([, schema]) => {
      const { description, enum: values } = resolved(schema, inputSchema);
      if (Array.isArray(values)) return false;
      return typeof description !== "string" || description.trim() === "";
    })
    .map(([parameter]) => ({
      place: parameterPlace(tool, parameter),
      message: `The parameter ${parameter} of ${name} has no description.`,
      help: source.parameters
        ? `Add a line to its doc comment: @param ${parameter} - ...`
        : `Give the property ${parameter} a description.`,
    }));
});

/** A doc comment that speaks of a parameter which is not there: renamed, removed or misspelt. */
export const unknownParameter: Rule = toolRule("warn", (tool) => {
  const { documented = [], parameters } = tool.source;
  if (parameters === undefined) return [];
  const names = parameters.flatMap(({ name, elements }) =>
    elements ? elements.map((element) => element.name) : [name],
  );
  return documented.flatMap(({ name, place }, index) => {
    const unknown = unknownPart(tool, name, names, index);
    return unknown === undefined ? [] : [finding(tool.name, { name, place }, unknown, names)];
  });
});

function finding(tool: string, { name, place }: NamedPlace, part: string, names: readonly string[]): Finding {
  const [suggestion] = closest(part, names);
  const there = names.length === 0 ? "It has no parameters." : `Its parameters are: ${names.join(", ")}.`;
  return {
    place,
    message: `The doc comment of ${tool} names the parameter ${name}, which does not exist.`,
    help: suggestion === undefined ? there : `Did you mean ${suggestion}? ${there}`,
  };
}

/** The part of a documented name that is not a parameter or property; `undefined` if all is well. */
function unknownPart(
  { source, inputSchema }: CheckedTool,
  name: string,
  names: readonly string[],
  index: number,
): string | undefined {
  const [root = "", ...inner] = name.split(/[.[\]]+/).filter((part) => part !== "");
  const [next] = inner;
  const isDestructured = source.parameters?.some(({ elements }) => elements !== undefined) ?? false;
  if (names.includes(root)) {
    const property = propertiesOf(inputSchema)[root];
    return property && missingPart(property, inner, inputSchema);
  }
  if (!isDestructured) return root;
  const isVariable = source.parameters?.some(({ elements }) =>
    elements?.some(({ variable }) => variable === root),
  );
  if (isVariable) return undefined;
  const all = [...names, ...Object.keys(propertiesOf(inputSchema))];
  if (next !== undefined) return all.includes(next) ? undefined : next;
  if (all.includes(root)) return undefined;
  // The parameter itself has no name: the first entry may stand for it as a whole.
  return index === 0 && closest(root, all).length === 0 ? undefined : root;
}

/** The first of the names that a schema has not, each within the one before or within its elements. */
function missingPart(
  schema: JsonSchema,
  [name, ...inner]: readonly string[],
  root: JsonSchema,
): string | undefined {
  if (name === undefined) return undefined;
  const properties = propertiesOf(elementOf(resolved(schema, root), root));
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (property !== undefined) return missingPart(property, inner, root);
  return Object.keys(properties).length === 0 ? undefined : name;
}

/** How many lists may be within one another. */
const mostLists = 8;

/** What the elements of a list are, or of lists within it; else the schema itself. */
function elementOf(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let at = schema;
  for (let depth = 0; depth < mostLists && isPlainObject(at["items"]); depth += 1) {
    at = resolved(at["items"], root);
  }
  return at;
}

function stem(word: string): string {
  return word.replace(/(?<=\w\w)s$/, "");
}
