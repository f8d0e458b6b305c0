import { isDeeperThan } from "../base/util/is-deeper-than.ts";
import type { ToolSpec } from "../model/types.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import { readDocument } from "../schema/lenient/read-document.ts";
import { maxDepth } from "../schema/parse-json.ts";
import { parseArguments } from "../schema/parse-arguments.ts";
import type { Validation } from "../schema/types.ts";
import type { ArgumentsView } from "./records.ts";

/** Arguments as a model wrote them beside what the executor makes of them: as they were read, what is wrong where, and what the tool gets. */
export async function inspectArguments(text: string, tool: ToolSpec | undefined): Promise<ArgumentsView> {
  const plain = parsed(text);
  const document = plain ?? readDocument(text);
  const read = document.ok ? document.value : undefined;
  const about = {
    text,
    isMended: !plain && document.ok && text.trim() !== "",
    ...(document.ok && { read }),
    ...(tool && { schema: tool.inputSchema }),
    ...(tool?.description !== undefined && { description: tool.description }),
  };
  if (!tool) return { ...about, issues: [] };
  const outcome = await validated(text, tool);
  if (outcome.ok) return { ...about, value: outcome.value, issues: [] };
  return { ...about, issues: outcome.issues.map(({ path, message }) => ({ path, message })) };
}

/** What the schema says; a schema that cannot be used is an issue of its own. */
async function validated(text: string, { inputSchema }: ToolSpec): Promise<Validation<unknown>> {
  try {
    return await parseArguments(text, compileSchema(inputSchema));
  } catch {
    return { ok: false, issues: [{ path: [], message: "the schema of the tool cannot be used" }] };
  }
}

function parsed(text: string): { readonly ok: true; readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // What is deeper is neither read by the executor nor could it be sent.
    return isDeeperThan(value, maxDepth) ? undefined : { ok: true, value };
  } catch {
    return undefined;
  }
}
