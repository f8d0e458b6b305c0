import { assertModel, assertSettings } from "../model/check-settings.ts";
import { streamModel } from "../model/stream-model.ts";
import type { Generation, Model, ModelEvent, ModelRequest } from "../model/types.ts";
import { noteOrigin } from "../tool/origins.ts";
import { resolveTools } from "../tool/resolve.ts";
import type { Toolset, ToolSources } from "../tool/types.ts";
import { assertOutput, type Output } from "../tool/output.ts";
import { inputMessages } from "./resume/input.ts";
import { modelNamed } from "./turn/model-of-turn.ts";
import type { InputMessage } from "./types.ts";

/** A single request: like a `ModelRequest`, but with tools as agents list them, and messages as programs write them. */
export interface GenerateRequest<O = unknown> extends Omit<ModelRequest, "messages" | "tools" | "output"> {
  readonly messages: string | readonly InputMessage[];
  /** Plain functions, `tool(...)`, toolkits. The model is told of them; nothing is executed. */
  readonly tools?: ToolSources | Toolset;
  /** The form of the answer: a JSON Schema, a Standard Schema (zod, valibot, arktype), or `output<Invoice>()`. */
  readonly output?: Output<O>;
}

/**
 * Asks a model once and waits for its whole answer. Tools that it asks for are in `toolCalls`: see `executeToolCalls`.
 * @param model a `Model`, or a name such as `"openai:gpt-5.2"`.
 * @throws ModelError if the model cannot be used and retries are exhausted; OutputError if the answer does not have the form
 * that `output` asks for.
 */
export async function generate<O = unknown>(
  model: Model | string,
  request: string | GenerateRequest<O>,
): Promise<Generation<O>> {
  if (typeof request !== "string") noteOrigin(request.tools, generate, [1, "tools"]);
  for await (const event of generateStream(model, request))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was checked against the schema of that type
    if (event.type === "finish") return event.generation as Generation<O>;
  throw new TypeError("streamModel ended without a finish event and without an error");
}

/** Asks a model once and gives its answer piece by piece; the last event, `finish`, has it whole. */
export function generateStream(
  model: Model | string,
  request: string | GenerateRequest,
): AsyncGenerator<ModelEvent, void> {
  if (typeof request !== "string") noteOrigin(request.tools, generateStream, [1, "tools"]);
  return streamAnswer(model, request);
}

async function* streamAnswer(
  model: Model | string,
  request: string | GenerateRequest,
): AsyncGenerator<ModelEvent, void> {
  assertModel(model, "generate()");
  const chosen = typeof model === "string" ? await modelNamed(model) : model;
  const { output, ...asked } = typeof request === "string" ? { messages: request } : request;
  assertOutput(output, "generate()");
  const made = await toModelRequest(asked);
  if (!output) return yield* streamModel(chosen, made);
  yield* (await import("./output/generate-output.ts")).streamWithOutput(chosen, made, output);
}

async function toModelRequest({
  messages,
  tools,
  ...rest
}: Omit<GenerateRequest, "output">): Promise<ModelRequest> {
  assertSettings(rest.settings, "generate()");
  const registry = tools && (await resolveTools(tools));
  return { ...rest, messages: inputMessages(messages), ...(registry && { tools: registry.specs }) };
}
