import type { FunctionSchema } from "../../schema/function-schema.ts";
import type { JsonSchema } from "../../schema/types.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { propertiesOf, requiredOf, resolved } from "../schema-parts.ts";
import type { CheckedTool, Finding, Rule } from "../types.ts";
import { parameterPlace, placeKey, toolRule } from "./rule-kit.ts";

/** A schema written by hand that does not fit its function: `tool(fn, { input })`. */
export const schemaMismatch: Rule = toolRule("error", (tool) => {
  const own = tool.derived && ownInput(tool.derived, propertiesOf(tool.inputSchema));
  const differences = own ? disagreements(tool, own) : [];
  if (differences.length > 0 || tool.unusable === undefined) return differences;
  return [{ place: tool.source.place, message: tool.unusable }];
});

function disagreements(tool: CheckedTool, own: JsonSchema): Omit<Finding, "tool">[] {
  const properties = propertiesOf(tool.inputSchema);
  const parameters = propertiesOf(own);
  const needed = [...requiredOf(own)];
  const demanded = requiredOf(tool.inputSchema);
  const { name } = tool;
  const extra = Object.keys(properties)
    .filter((property) => !Object.hasOwn(parameters, property))
    .map((property) => ({
      place: tool.source.place,
      message: `The schema of ${name} has the property ${property}, which its function has no parameter for.`,
      help: `Its parameters are: ${Object.keys(parameters).join(", ") || "none"}.`,
    }));
  const missing = needed
    .filter((parameter) => !Object.hasOwn(properties, parameter))
    .map((parameter) => ({
      place: parameterPlace(tool, parameter),
      message: `The function of ${name} requires ${parameter}, which its schema does not have.`,
      help: "Add the property, or leave the schema out: the signature gives it.",
    }));
  const optional = needed
    .filter((parameter) => Object.hasOwn(properties, parameter) && !demanded.has(parameter))
    .map((parameter) => ({
      place: parameterPlace(tool, parameter),
      message: `The function of ${name} requires ${parameter}, which is optional in its schema.`,
      help: `Add ${parameter} to "required", or give the parameter a default.`,
    }));
  return [...extra, ...missing, ...optional];
}

/**
 * What a function takes of a schema written for it: `tool(fn, { input })` hands the whole object to a first parameter
 * that is not one of the properties. `undefined` for one that takes any object.
 */
function ownInput(
  { inputSchema, parameters }: FunctionSchema,
  properties: Readonly<Record<string, unknown>>,
): JsonSchema | undefined {
  const visible = parameters.filter(({ kind }) => kind !== "context");
  const [first] = visible;
  if (visible.length !== 1 || first?.kind !== "property" || Object.hasOwn(properties, first.name)) {
    return inputSchema;
  }
  const whole = resolved(propertiesOf(inputSchema)[first.name] ?? {}, inputSchema);
  return isPlainObject(whole["properties"]) ? whole : undefined;
}

/** A tool that is on its way out and that an agent still has. */
export const deprecatedTool: Rule = {
  level: "warn",
  *find(files) {
    const reported = new Set<string>();
    for (const agent of files.flatMap(({ agents }) => agents)) {
      for (const { name, deprecated, source } of agent.tools) {
        const key = `${agent.name} ${placeKey(source.place)} ${name}`;
        // One that another took the place of stays, so that old names go on working.
        if (!deprecated || typeof deprecated === "object" || reported.has(key)) continue;
        reported.add(key);
        yield {
          tool: name,
          place: source.place,
          message: `${name} is deprecated, and the agent ${agent.name} still has it.`,
          help: "Take it off the agent's tools.",
        };
      }
    }
  },
};
