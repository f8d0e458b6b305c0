import { ConfigurationError } from "../errors.ts";
import { isPlainObject } from "../base/util/json.ts";

/** What stands before the colon in a model's name, such as `"openai:gpt-5.2"`, and in no model id. */
const namePrefix = /^(?:openai(?:-chat|-responses)?|anthropic|google|ollama):/;

/**
 * Checks the id that a model is made with.
 * @param factory how the call is written, such as `openai`.
 * @param example an id to show, such as `gpt-5.2`.
 * @param takesPrefix whether the server may have ids that look like a model's name, as some gateways do.
 * @throws ConfigurationError (`invalid-model-id`) that says what to write.
 */
export function assertModelId(
  modelId: unknown,
  { factory, example, takesPrefix }: { factory: string; example: string; takesPrefix: boolean },
): void {
  if (typeof modelId !== "string") {
    const meant = isPlainObject(modelId) ? (modelId["model"] ?? modelId["modelId"]) : undefined;
    const id = typeof meant === "string" ? meant : example;
    throw invalidModelId(
      `${factory}(...) takes the model's id as text, then the options. Write: ${factory}("${id}", { ... })`,
    );
  }
  if (modelId.trim() === "") {
    throw invalidModelId(`${factory}("${modelId}") names no model. Write its id: ${factory}("${example}")`);
  }
  const prefix = namePrefix.exec(modelId)?.[0];
  if (prefix === undefined || takesPrefix) return;
  const rest = modelId.slice(prefix.length) || example;
  const provider = prefix.slice(0, prefix.search(/[-:]/));
  const remedy =
    provider === factory.split(".")[0]
      ? `Write: ${factory}("${rest}")`
      : `Write: new Agent({ model: "${prefix}${rest}", ... })`;
  throw invalidModelId(
    `"${modelId}" is a model's name, with its provider, and ${factory}(...) takes the model's id alone. ${remedy}`,
  );
}

function invalidModelId(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "invalid-model-id" });
}
