import { InvalidInputError } from "../errors.ts";
import { closest } from "../base/util/closest.ts";
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
export function assertAssistantParts(
  parts: readonly AssistantPart[],
  place: string = "an assistant's message",
): void {
  for (const part of parts)
    if (!others.has(typeOf(part)) && !isSound(part)) throw unsound(part, parts, place);
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
      `${where} is a part of the type "${type}" whose ${essentials[type]} is not text.${hintFor(Object(part), essentials[type])}`,
    );
  const problem = typeof type === "string" ? `has the type "${type.slice(0, 80)}"` : "is not a part";
  return new InvalidInputError(
    `${where} ${problem}: a part is { type: "text", text }, { type: "image", url } or { type: "file", url }. ` +
      "Messages in the form of OpenAI's API are read by fromChatMessages of skein/openai.",
  );
}

/** What other libraries call the essential field, where that is not like its name. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  url: ["image", "data", "file", "source", "src", "href"],
  text: ["content", "value"],
};

/** Which field of a part is probably meant to be the essential one. */
function hintFor(part: object, essential: string): string {
  const name = Object.keys(part).find(
    (each) =>
      each !== essential &&
      (otherNames[essential]?.includes(each) === true || closest(each, [essential]).length > 0),
  );
  return name === undefined ? "" : ` It has no field "${name}". Did you mean "${essential}"?`;
}

function typeOf(part: unknown): unknown {
  return typeof part === "object" && part !== null && "type" in part ? part.type : undefined;
}

function isPartType(type: unknown): type is Part["type"] {
  return typeof type === "string" && Object.hasOwn(essentials, type);
}
