import type { ToolSpec } from "../../model/types.ts";
import { strictForm } from "../../schema/strict.ts";
import { openaiInfo } from "./info.ts";

/** The schema of a tool as it is sent: in its strict form, if that is requested and exists. */
export interface StrictFields {
  readonly parameters: Record<string, unknown>;
  readonly strict: boolean | undefined;
}

/** The fields that depend on `strict`. A tool whose schema has no strict form is sent without `strict`, with a warning. */
export function strictFields({ name, inputSchema, strict }: ToolSpec, warnings: string[]): StrictFields {
  const form = strict ? strictForm(inputSchema, openaiInfo.strict) : undefined;
  if (form?.ok) return { parameters: { ...form.schema }, strict: true };
  if (form) warnings.push(`The tool ${name} is sent without strict: ${form.reason}.`);
  return { parameters: { ...inputSchema }, strict: form ? false : strict };
}
