import type { OutputSpec } from "../../model/types.ts";
import { strictForm } from "../../schema/strict.ts";
import { openaiInfo } from "./info.ts";
import { isOpenAIEndpoint, type OpenAIOptions } from "./options.ts";

/** Matches OpenAI's older models, which cannot enforce a schema. */
const oldModels = /^(?:ft:)?(?:gpt-3|gpt-4(?:-|$)|gpt-4o-2024-05|o1-(?:mini|preview)|chatgpt-)/;

/** An output schema, in the form of both protocols. */
export interface JsonSchemaFormat {
  readonly name: string;
  readonly schema: Record<string, unknown>;
  readonly strict: boolean;
}

/**
 * Whether an output schema can be enforced: by OpenAI for this model, or by another server whose options say so. The schema must
 * have a strict form.
 */
export function supportsOutput({ schema }: OutputSpec, modelId: string, options: OpenAIOptions): boolean {
  const isSupported = options.structuredOutput ?? (isOpenAIEndpoint(options) && !oldModels.test(modelId));
  return isSupported && strictForm(schema, openaiInfo.strict).ok;
}

/** The output schema as it is sent. A schema without a strict form is sent without `strict`, with a warning. */
export function jsonSchemaFormat({ name, schema }: OutputSpec, warnings: string[]): JsonSchemaFormat {
  const form = strictForm(schema, openaiInfo.strict);
  if (form.ok) return { name, schema: { ...form.schema }, strict: true };
  warnings.push(`The output schema is sent without strict: ${form.reason}.`);
  return { name, schema: { ...schema }, strict: false };
}
