import { OutputError } from "../../errors.ts";
import type { Generation, Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { mayActOn } from "../../model/may-act.ts";
import { streamModel } from "../../model/stream-model.ts";
import { formatPath } from "../../schema/format-path.ts";
import type { Output } from "../../tool/output.ts";
import { areEqual, outputFormat, type OutputFormat, withOutput } from "./output-format.ts";

/**
 * Asks a model once for an answer of a form.
 * @throws OutputError instead of the last event, if the answer does not have it; SchemaNotFoundError, ConfigurationError
 */
export async function* streamWithOutput(
  model: Model,
  request: ModelRequest,
  output: Output,
): AsyncGenerator<ModelEvent, void> {
  const names = new Set(request.tools?.map(({ name }) => name));
  const format = await outputFormat(output, "the output of generate()", (name) => names.has(name));
  for await (const event of streamModel(model, withOutput(model, request, format)))
    yield event.type === "finish"
      ? { ...event, generation: await withParsedOutput(event.generation, format) }
      : event;
}

async function withParsedOutput(answer: Generation, format: OutputFormat): Promise<Generation> {
  const generation = { ...answer, warnings: [...format.warnings, ...answer.warnings] };
  const { finishReason, toolCalls, text, refusal } = generation;
  // Cut or withheld: what there is of it is not what was meant.
  const texts = toolCalls.length > 0 ? toolCalls.map((call) => call.arguments) : [text];
  if (!mayActOn(finishReason, texts) || refusal !== undefined) return generation;
  const isFinal = (name: string): boolean => name === format.tool.name;
  const others = toolCalls.filter(({ toolName }) => !isFinal(toolName));
  if (others.length > 0) return { ...generation, toolCalls: others };
  const raw = toolCalls[0]?.arguments ?? text;
  if (!areEqual(toolCalls)) throw new OutputError(raw, [`the model gave ${toolCalls.length} answers`]);
  const parsed = await format.parse(raw);
  if (parsed.ok) return { ...generation, text: raw, toolCalls: [], output: parsed.value };
  const issues = parsed.issues.map(({ path, message }) => `${formatPath(path)} ${message}`);
  throw new OutputError(raw, issues);
}
