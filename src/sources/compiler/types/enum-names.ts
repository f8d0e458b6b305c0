import type { JsonSchema } from "../../../schema/types.ts";
import type { Host, Type } from "../host.ts";
import { has } from "./conversion.ts";

/** Stands on a schema while it is joined and copied, unseen by JSON. */
const mark: unique symbol = Symbol("names of numbers");

interface NamedSchema extends JsonSchema {
  readonly [mark]?: string;
}

/** `schema`, whose description says what those of its numbers mean that are members of an enum: `0: Low, 1: High`. */
export function withEnumNames(host: Host, types: readonly Type[], schema: JsonSchema): JsonSchema {
  const names = types.flatMap((type) => {
    const value = has(type, host.flags.EnumLiteral) ? host.literalValue(type) : undefined;
    const name = type.getSymbol()?.name;
    return typeof value === "number" && name !== undefined ? [`${value}: ${name}`] : [];
  });
  if (names.length === 0) return schema;
  const { type, ...rest } = schema;
  const text = names.join(", ");
  const result: NamedSchema = { type, description: text, ...rest, [mark]: text };
  return result;
}

/** A description of a schema, with the names of its numbers after it. */
export function withNamesAfter(schema: JsonSchema, description: string): string {
  const names = namesOf(schema);
  if (names === undefined) return description;
  return `${description}${/[.!?:]$/.test(description) ? "" : "."} ${names}`;
}

/** Whether a schema has a description that says more than the names of its numbers. */
export function isDescribed(schema: JsonSchema): boolean {
  return Object.hasOwn(schema, "description") && schema["description"] !== namesOf(schema);
}

function namesOf(schema: { readonly [mark]?: string }): string | undefined {
  return schema[mark];
}
