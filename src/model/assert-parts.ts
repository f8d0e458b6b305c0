import { InvalidInputError } from "../errors.ts";
import type { AssistantPart, Part } from "../message/parts.ts";

/** The field, always text, that a part of each type has. */
const essentials: Readonly<Record<Part["type"], string>> = {
  text: "text",
  reasoning: "text",
  image: "url",
  file: "url",
};

const others: ReadonlySet<unknown> = new Set<Exclude<AssistantPart["type"], Part["type"]>>([
  "tool-call",
  "provider",
]);

/**
 * Checks the parts of a user's message or a tool's result: what a cast let through would be lost or break the request.
 * @param place names the message, such as "a user's message".
 * @throws InvalidInputError naming the part.
 */
export function assertParts(parts: readonly Part[], place: string): void {
  for (const part of parts) if (!isSound(part)) throw unsound(part, parts, place);
}

/**
 * The same for what a model said, which may hold more kinds of parts.
 * @throws InvalidInputError naming the part.
 */
export function assertAssistantParts(parts: readonly AssistantPart[]): void {
  for (const part of parts)
    if (!others.has(typeOf(part)) && !isSound(part)) throw unsound(part, parts, "an assistant's message");
}

function isSound(part: unknown): boolean {
  const type = typeOf(part);
  return isPartType(type) && typeof Reflect.get(Object(part), essentials[type]) === "string";
}

function unsound(part: unknown, parts: readonly unknown[], place: string): InvalidInputError {
  const type = typeOf(part);
  const where = `content[${parts.indexOf(part)}] of ${place}`;
  if (isPartType(type))
    return new InvalidInputError(
      `${where} is a part of the type "${type}" whose ${essentials[type]} is not text.`,
    );
  const problem = typeof type === "string" ? `has the type "${type.slice(0, 80)}"` : "is not a part";
  return new InvalidInputError(
    `${where} ${problem}: a part is { type: "text", text }, { type: "image", url } or { type: "file", url }. ` +
      "Messages in the form of OpenAI's API are read by fromChatMessages of skein/openai.",
  );
}

function typeOf(part: unknown): unknown {
  return typeof part === "object" && part !== null && "type" in part ? part.type : undefined;
}

function isPartType(type: unknown): type is Part["type"] {
  return typeof type === "string" && Object.hasOwn(essentials, type);
}
