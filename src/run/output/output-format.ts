import { safeMessage } from "../../base/util/error-message.ts";
import { memoize } from "../../base/util/memoize.ts";
import { isPromiseLike } from "../../base/util/promise-like.ts";
import { ModelError } from "../../errors.ts";
import type { ToolCall } from "../../message/messages.ts";
import { withoutSecrets } from "../../model/secrets.ts";
import type { Model, ModelRequest, OutputSpec, ToolSpec } from "../../model/types.ts";
import { isPlainObjectSchema, parseOutput, wrapped } from "../../schema/parse-output.ts";
import type { Validation } from "../../schema/types.ts";
import type { Output } from "../../tool/output.ts";
import { type ResolvedOutput, outputSchema } from "../../tool/output-schema.ts";

/** How an answer in the output schema is requested. */
export interface OutputFormat {
  readonly spec: OutputSpec;
  /** The tool that takes the answer of a model which cannot be held to the form otherwise. */
  readonly tool: ToolSpec;
  /** Whether the answer is not an object, and so a property of one. */
  readonly isWrapped: boolean;
  /** What the form says only in part, one sentence each. */
  readonly warnings: readonly string[];
  /** Reads what a model wrote. */
  parse(raw: string): Promise<Validation<unknown>>;
}

const toolName = "final_answer";

/**
 * Finds the form of an answer.
 * @param isTaken whether there is a tool of that name.
 * @throws SchemaNotFoundError, ConfigurationError
 */
export async function outputFormat(
  output: Output,
  place: string,
  isTaken: (toolName: string) => boolean,
): Promise<OutputFormat> {
  const resolved = await outputSchema(output, place);
  // The same objects each time: adapters remember what they have written by them.
  const format = formatOf(resolved);
  let name = toolName;
  while (isTaken(name)) name += "_";
  return name === toolName ? format : { ...format, tool: { ...format.tool, name } };
}

const formatOf = memoize(({ schema, warnings }: ResolvedOutput): OutputFormat => {
  const { jsonSchema } = schema;
  const isWrapped = !isPlainObjectSchema(jsonSchema);
  const inputSchema = isWrapped ? wrapped(jsonSchema) : jsonSchema;
  return {
    spec: { name: toolName, schema: inputSchema },
    tool: {
      name: toolName,
      description:
        "Takes your final answer. Answer by calling it, alone, once you have all that the answer needs.",
      inputSchema,
    },
    isWrapped,
    warnings,
    parse: (raw) => parseOutput(raw, schema, isWrapped),
  };
});

/**
 * Whether the model itself can be held to the form.
 * @throws ModelError if its own `supportsOutput` throws, or returns a promise.
 */
export function isNative(model: Model, { spec }: OutputFormat): boolean {
  const { provider, modelId } = model;
  const failed = (problem: string, cause?: unknown): ModelError =>
    new ModelError(`supportsOutput of ${provider}:${modelId} ${problem}`, "model-failed", {
      provider,
      modelId,
      cause: withoutSecrets(cause),
    });
  let isSupported: unknown;
  try {
    isSupported = model.supportsOutput?.(spec);
  } catch (error) {
    throw failed(`failed: ${safeMessage(error)}`, error);
  }
  if (!isPromiseLike(isSupported)) return isSupported === true;
  // Its rejection, which nobody waits for, must not end the process.
  isSupported.then(undefined, () => {});
  throw failed("returned a promise. Return true or false.");
}

/** The request, asking for the form: as the model takes it, or with a tool that takes the answer. */
export function withOutput(model: Model, request: ModelRequest, format: OutputFormat): ModelRequest {
  if (isNative(model, format)) return { ...request, output: format.spec };
  const { tools = [], toolChoice } = request;
  // Another tool is to be called first; the answer comes after that.
  if (tools.length > 0 && (toolChoice === "required" || typeof toolChoice === "object")) return request;
  const isOnly = tools.length === 0 || toolChoice === "none";
  const { tool } = format;
  return { ...request, tools: [...tools, tool], toolChoice: isOnly ? { tool: tool.name } : "required" };
}

/** Whether calls that give an answer all give the same: which of several is meant would be a guess. */
export function areEqual([first, ...others]: readonly ToolCall[]): boolean {
  return others.every((call) => call.arguments === first?.arguments);
}
