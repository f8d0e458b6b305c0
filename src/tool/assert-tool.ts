import { describeValue } from "../base/options/known-options.ts";
import { ConfigurationError } from "../errors.ts";
import { assertShallowSchema } from "../schema/assert-json-schema.ts";
import { assertPolicy, policyKinds } from "./policy-of.ts";
import type { FunctionTool, Tool } from "./types.ts";

/** What a complete tool has, and whether a value will do. */
const members: readonly (readonly [name: keyof Tool, words: string, accepts: (value: unknown) => boolean])[] =
  [
    ["name", "a text", (value) => typeof value === "string" && value !== ""],
    ["instructions", "a text", (value) => value === undefined || typeof value === "string"],
    ["inputSchema", "a Schema, such as compileSchema({ ... })", isSchema],
    ["outputSchema", "a Schema", (value) => value === undefined || isSchema(value)],
    ["annotations", "an object", isRecord],
    ["policy", "an object", isRecord],
    ["execute", "a function", (value) => value === undefined || typeof value === "function"],
  ];

/**
 * Checks a tool, which any program may have written.
 * @throws ConfigurationError (`invalid-tool`) naming what it lacks, for a policy that makes no sense, and for one that stands beside it.
 */
export function assertTool(tool: Tool | FunctionTool): void {
  if (!("fn" in tool)) {
    for (const [member, words, accepts] of members) {
      const value: unknown = tool[member];
      if (accepts(value)) continue;
      throw new ConfigurationError(
        `${member} of the tool ${describeValue(tool.name)} must be ${words}, not ${describeValue(value)}. Write tool({ name, description, input, execute }), which completes it.`,
        { code: "invalid-tool", data: { member } },
      );
    }
    assertShallowSchema(tool.inputSchema.jsonSchema, `the input of the tool ${tool.name}`);
    if (tool.outputSchema)
      assertShallowSchema(tool.outputSchema.jsonSchema, `the output of the tool ${tool.name}`);
  }
  assertPolicy(tool);
  const beside = Object.keys(policyKinds).find((name) => Object.hasOwn(tool, name));
  if (beside === undefined) return;
  throw new ConfigurationError(
    `${beside} of the tool ${tool.name} stands beside its policy, where it does nothing. Write { ...tool, policy: { ...tool.policy, ${beside} } }, or toolset([tool]).withPolicy({ ${beside} }).`,
    { code: "invalid-tool", data: { option: beside } },
  );
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function isSchema(value: unknown): boolean {
  return (
    isRecord(value) && isRecord(Object(value).jsonSchema) && typeof Object(value).validate === "function"
  );
}
