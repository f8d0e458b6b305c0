import { ConfigurationError } from "../errors.ts";
import { isPlainObject } from "../base/util/json.ts";

/** What may stand before the colon of a model's name, such as `"openai:gpt-5.2"`. */
const namePrefix = /^([a-z][a-z-]*):/;

/** How a factory takes ids. */
export interface ModelIdRules {
  /** How the call is written, such as `openai`. */
  readonly factory: string;
  /** An id to show, such as `gpt-5.2`. */
  readonly example: string;
  /** The prefixes that the provider's names have. */
  readonly ownPrefixes: readonly string[];
  /** What may stand before a colon within an id, such as `ft`. */
  readonly idPrefixes?: readonly string[] | undefined;
  /** Whether the server may have ids that look like a model's name, as some gateways do. */
  readonly takesPrefix: boolean;
}

/**
 * Checks the id that a model is made with.
 * @throws ConfigurationError (`invalid-model-id`) that says what to write.
 */
export function assertModelId(
  modelId: unknown,
  { factory, example, ownPrefixes, idPrefixes = [], takesPrefix }: ModelIdRules,
): void {
  if (typeof modelId !== "string") {
    const inner = isPlainObject(modelId) ? (modelId["model"] ?? modelId["modelId"]) : undefined;
    const id = typeof inner === "string" ? inner : example;
    throw invalidModelId(
      `${factory}(...) takes the model's id as text, then the options. Write: ${factory}("${id}", { ... })`,
    );
  }
  if (modelId.trim() === "") {
    throw invalidModelId(`${factory}("${modelId}") names no model. Write its id: ${factory}("${example}")`);
  }
  const prefix = namePrefix.exec(modelId)?.[1];
  if (prefix === undefined || takesPrefix || idPrefixes.includes(prefix)) return;
  const rest = modelId.slice(prefix.length + 1) || example;
  const remedy = ownPrefixes.includes(prefix)
    ? `Write: ${factory}("${rest}")`
    : `Write: new Agent({ model: "${prefix}:${rest}", ... })`;
  throw invalidModelId(
    `"${modelId}" is a model's name, with its provider, and ${factory}(...) takes the model's id alone. ${remedy}`,
  );
}

function invalidModelId(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "invalid-model-id" });
}
