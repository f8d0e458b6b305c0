import type { OutputSpec } from "../../model/types.ts";
import { strictForm } from "../../schema/strict.ts";
import { openaiInfo } from "./info.ts";
import { asksOpenAI, type OpenAIOptions } from "./options.ts";

/** Models of OpenAI's from before they could be held to a schema. */
const before = /^(?:ft:)?(?:gpt-3|gpt-4(?:-|$)|gpt-4o-2024-05|o1-(?:mini|preview)|chatgpt-)/;

/** The form of an answer, as both protocols say it. */
export interface JsonSchemaFormat {
  readonly name: string;
  readonly schema: Record<string, unknown>;
  readonly strict: boolean;
}

/**
 * Whether a model can be held to a form: it is one of OpenAI's that can, or the options say so of another server; and the schema
 * has a strict form.
 */
export function supportsOutput({ schema }: OutputSpec, modelId: string, options: OpenAIOptions): boolean {
  const isKnown = options.structuredOutput ?? (asksOpenAI(options) && !before.test(modelId));
  return isKnown && strictForm(schema, openaiInfo.strict).ok;
}

/** The form as it is sent; without its limits where the schema has no strict form, and that is a warning. */
export function jsonSchemaFormat({ name, schema }: OutputSpec, warnings: string[]): JsonSchemaFormat {
  const form = strictForm(schema, openaiInfo.strict);
  if (form.ok) return { name, schema: { ...form.schema }, strict: true };
  warnings.push(`The form of the answer is sent without strict: ${form.reason}.`);
  return { name, schema: { ...schema }, strict: false };
}
