import type { Generation, Model, ModelEvent } from "../model/types.ts";
import { noteOrigin } from "../tool/origins.ts";
import type { GenerateRequest } from "./types.ts";
import { assertKnownOptions } from "../base/options/known-options.ts";

const optionNames = {
  messages: true,
  instructions: true,
  tools: true,
  toolChoice: true,
  parallelToolCalls: true,
  output: true,
  settings: true,
  signal: true,
  onFailure: true,
} satisfies Record<keyof GenerateRequest, true>;

/**
 * Calls a model once and waits for its whole answer. Its tool calls are in `toolCalls`, not executed: see `executeToolCalls`.
 * @param model a `Model`, or a name such as `"openai:gpt-5.2"`.
 * @throws ModelError if the model cannot be used and retries are exhausted; OutputError if the answer does not match
 * the `output` schema.
 */
export async function generate<O = unknown>(
  model: Model | string,
  request: string | GenerateRequest<O>,
): Promise<Generation<O>> {
  if (typeof request !== "string") noteOrigin(request?.tools, generate, [1, "tools"]);
  for await (const event of load(model, request, "generate()"))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was checked against the schema of that type
    if (event.type === "finish") return event.generation as Generation<O>;
  throw new TypeError("streamModel ended without a finish event and without an error");
}

/** Asks a model once and gives its answer piece by piece; the last event, `finish`, has it whole. */
export function generateStream(
  model: Model | string,
  request: string | GenerateRequest,
): AsyncGenerator<ModelEvent, void> {
  if (typeof request !== "string") noteOrigin(request?.tools, generateStream, [1, "tools"]);
  return load(model, request, "generateStream()");
}

async function* load(
  model: Model | string,
  request: string | GenerateRequest,
  caller: string,
): AsyncGenerator<ModelEvent, void> {
  if (typeof request === "object" && request !== null) assertKnownOptions(request, optionNames, caller);
  const { streamAnswer } = await import("./runner.ts");
  yield* streamAnswer(model, request, caller);
}
