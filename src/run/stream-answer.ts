import { InvalidInputError } from "../errors.ts";
import { assertModel, assertSettings } from "../model/check-settings.ts";
import { streamModel } from "../model/stream-model.ts";
import type { Model, ModelEvent, ModelRequest } from "../model/types.ts";
import { assertOutput } from "../tool/output.ts";
import { resolveTools } from "../tool/register-tools.ts";
import { loadGeneratedOutput } from "./features.ts";
import type { GenerateRequest } from "./types.ts";
import { inputMessages } from "./resume/input.ts";
import { modelNamed } from "./turn/named-model.ts";

/**
 * Asks a model once, as `generate` and `generateStream` do.
 * @param caller - The one that was called, for errors.
 */
export async function* streamAnswer(
  model: Model | string,
  request: string | GenerateRequest,
  caller: string,
): AsyncGenerator<ModelEvent, void> {
  assertModel(model, caller);
  const chosen = typeof model === "string" ? await modelNamed(model) : model;
  const { output, ...rest } = typeof request === "string" ? { messages: request } : (request ?? {});
  if (rest.messages === undefined)
    throw new InvalidInputError(`${caller} requires messages. Pass { messages: "Hello" }.`);
  assertOutput(output, caller);
  const plain = await toModelRequest(rest, caller);
  if (!output) return yield* streamModel(chosen, plain);
  const { streamWithOutput } = await loadGeneratedOutput();
  yield* streamWithOutput(chosen, plain, output);
}

async function toModelRequest(
  { messages, tools, ...rest }: Omit<GenerateRequest, "output">,
  caller: string,
): Promise<ModelRequest> {
  assertSettings(rest.settings, caller);
  const toolTable = tools && (await resolveTools(tools));
  return { ...rest, messages: inputMessages(messages), ...(toolTable && { tools: toolTable.specs }) };
}
