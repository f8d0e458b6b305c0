import type { CheckedTool } from "../check/types.ts";
import { propertiesOf, requiredOf, resolved } from "../check/schema-parts.ts";
import type { JsonSchema } from "../schema/types.ts";
import { describeType } from "./describe-schema.ts";
import { displayPath } from "./excerpt.ts";
import { printable, type Screen } from "./text.ts";

/** Tools for people: name, place and description, then a line for each parameter. */
export function listTools(tools: readonly CheckedTool[], screen: Screen): string {
  return tools.map((tool) => describeTool(tool, screen)).join("\n");
}

function describeTool(tool: CheckedTool, screen: Screen): string {
  const { name, description, inputSchema, outputSchema, deprecated, source } = tool;
  const place = `${displayPath(source.place.file)}:${source.place.line}`;
  const result = outputSchema ? ` -> ${printable(describeType(outputSchema))}` : "";
  const note = deprecated ? " (deprecated)" : "";
  const required = requiredOf(inputSchema);
  const rows = Object.entries(propertiesOf(inputSchema)).map(([parameter, schema]) => {
    const full = resolved(schema, inputSchema);
    return [
      `${printable(parameter)}${required.has(parameter) ? "" : "?"}`,
      printable(typeOf(full)),
      words(full),
    ] as const;
  });
  const width = Math.max(0, ...rows.map(([parameter]) => parameter.length));
  const lines = [
    `${screen.paint("bold", printable(name))}${note}${result}  ${screen.paint("dim", printable(place))}`,
    ...printable(description ?? "(no description)")
      .split("\n")
      .map((line) => `  ${line}`),
    ...rows.map(
      ([parameter, type, text]) => `    ${parameter.padEnd(width)}  ${type}${screen.paint("dim", text)}`,
    ),
  ];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

function typeOf(schema: JsonSchema): string {
  const type = describeType(schema);
  return Object.hasOwn(schema, "default") ? `${type} = ${JSON.stringify(schema["default"])}` : type;
}

function words({ description }: JsonSchema): string {
  return typeof description === "string" ? `  ${printable(description).replaceAll(/\s+/g, " ")}` : "";
}
