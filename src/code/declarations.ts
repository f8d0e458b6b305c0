import { isPlainObject } from "../base/util/json.ts";
import { printComment, printName, printType, type TypeStyle } from "../schema/print-type.ts";
import type { JsonSchema } from "../schema/types.ts";
import type { Tool, ToolAnnotations } from "../tool/types.ts";
import { TypeNames } from "./type-names.ts";

/** What programs may call, as TypeScript declares it: the same tools are the same text. */
export interface Declarations {
  /** The types that several declarations share, and `tools`. */
  readonly text: string;
  /** The names of the tools. */
  readonly names: readonly string[];
  /** The declaration of one tool, with the types that it names. `undefined` for an unknown one. */
  of(name: string): string | undefined;
}

/** What a declaration tells of a tool. */
export interface DeclaredTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: JsonSchema;
  /** What programs get of a call; `undefined` where nothing says it. */
  readonly outputSchema?: JsonSchema | undefined;
  /** The tools that have to come first. */
  readonly requires?: readonly string[] | undefined;
  readonly deprecated?: ToolAnnotations["deprecated"] | undefined;
}

/** What the declaration of a tool of an agent tells. */
export function declared({ name, description, ...tool }: Tool): DeclaredTool {
  const { inputSchema, outputSchema, policy, annotations } = tool;
  return {
    name,
    description,
    inputSchema: inputSchema.jsonSchema,
    // What models see of such a result is another value, or a text.
    outputSchema: policy.mask === true || annotations.ui ? undefined : outputSchema?.jsonSchema,
    requires: policy.requires,
    deprecated: annotations.deprecated,
  };
}

/**
 * The declarations of tools.
 * @param others - What `tools` has beside them.
 */
export function declareTools(tools: readonly DeclaredTool[], others: readonly string[] = []): Declarations {
  const names = new TypeNames();
  const members = new Map(tools.map((tool) => [tool.name, declareTool(tool, names)]));
  const list = [...[...members.values()].map(memberText), ...others].map((text) => `  ${text}\n`);
  return {
    text: [...names.declarations, `declare const tools: {\n${list.join("")}};\n`].join("\n"),
    names: [...members.keys()],
    of(name) {
      const member = members.get(name);
      if (!member) return undefined;
      const place = printName(name) === name ? `.${name}` : `[${printName(name)}]`;
      const lines = [member.comment, `tools${place}${member.signature}`].filter((line) => line !== "");
      return [
        ...names.declarationsFor(member.types),
        ...lines.map((line) => line.replaceAll(/^ {2}/gm, "")),
      ].join("\n");
    },
  };
}

interface Member {
  readonly name: string;
  readonly comment: string;
  /** What stands behind the name. */
  readonly signature: string;
  /** The names of the types in it. */
  readonly types: ReadonlySet<string>;
}

function declareTool(tool: DeclaredTool, names: TypeNames): Member {
  const { name, inputSchema, outputSchema } = tool;
  const types = new Set<string>();
  const typeOf = (schema: JsonSchema, place: string): string => {
    const style: TypeStyle = {
      isCode: true,
      nameOf: (reference) => names.nameOf(reference, schema, name, place, types),
    };
    return printType(schema, style, "  ");
  };
  const input = typeOf(withoutDefinitions(inputSchema), "Input");
  const output = outputSchema ? typeOf(outputSchema, "Output") : "unknown";
  const isOptional = !needsInput(inputSchema);
  return {
    name,
    comment: printComment(wordsOf(tool), "  "),
    signature: `(input${isOptional ? "?" : ""}: ${input}): Promise<${output}>;`,
    types,
  };
}

function memberText({ name, comment, signature }: Member): string {
  const member = `${printName(name)}${signature}`;
  return comment === "" ? member : `${comment}\n  ${member}`;
}

/** Nothing at all is a type of its own. */
function withoutDefinitions(schema: JsonSchema): JsonSchema {
  const isEmpty = isPlainObject(schema["properties"]) && Object.keys(schema["properties"]).length === 0;
  return isEmpty && schema["additionalProperties"] === undefined
    ? { ...schema, additionalProperties: false }
    : schema;
}

function needsInput({ required, properties, type }: JsonSchema): boolean {
  if (Array.isArray(required) && required.length > 0) return true;
  return type !== "object" && !isPlainObject(properties);
}

/** What a tool is for, and what has to come first. */
function wordsOf({ description = "", requires = [], deprecated = false }: DeclaredTool): string {
  const notes = [
    ...(requires.length > 0 ? [`Requires: ${requires.join(", ")} first.`] : []),
    ...(deprecated === false ? [] : [`@deprecated${insteadOf(deprecated)}`]),
  ];
  return [description.trim(), ...notes].filter((words) => words !== "").join("\n");
}

function insteadOf(deprecated: Exclude<ToolAnnotations["deprecated"], undefined>): string {
  if (typeof deprecated === "object") return ` Call ${deprecated.use} instead.`;
  return typeof deprecated === "string" ? ` ${deprecated}` : "";
}
