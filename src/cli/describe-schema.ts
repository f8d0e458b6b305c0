import { printProperties, printType, type TypeStyle } from "../schema/print-type.ts";
import type { JsonSchema } from "../schema/types.ts";

const forPeople: TypeStyle = {
  isCode: false,
  nameOf: (reference) => reference.slice(reference.lastIndexOf("/") + 1),
};

/** A tool's parameters on one line, much as TypeScript writes them: `city: string, unit?: "celsius" | "fahrenheit"`. */
export function describeParameters(schema: JsonSchema): string {
  return printProperties(schema, forPeople).join(", ");
}

/** A JSON Schema as a type: exact for what functions usually take, `unknown` for the rest. */
export function describeType(schema: unknown): string {
  return printType(schema, forPeople);
}
