import { InvalidInputError } from "../errors.ts";
import { closest } from "../base/util/closest.ts";
import { isObject } from "../base/util/json.ts";
import type { AssistantPart, Part } from "../message/parts.ts";
import { isPartType, type WrongField, wrongFieldOf } from "./part-fields.ts";

/** The types that a user's message and a tool's result may have, and the field that makes such a part what it is. */
const essentials: Readonly<Record<Part["type"], string>> = {
  text: "text",
  reasoning: "text",
  image: "url",
  file: "url",
};

/**
 * Checks the parts of a user's message or a tool's result: what a cast let through would be lost or break the request.
 * @param place names the message, such as "a user's message".
 * @throws InvalidInputError naming the part.
 */
export function assertParts(parts: readonly Part[], place: string): void {
  for (const part of parts) {
    const problem = problemOfPart(part);
    if (problem !== undefined) throw unsound(problem, part, parts, place);
  }
}

/**
 * The same for what a model said, which may hold more kinds of parts.
 * @throws InvalidInputError naming the part.
 */
export function assertAssistantParts(
  parts: readonly AssistantPart[],
  place: string = "an assistant's message",
): void {
  for (const part of parts) {
    const problem = problemOfAssistantPart(part);
    if (problem !== undefined) throw unsound(problem, part, parts, place);
  }
}

/** What is wrong with a part of an unknown type, or with a field of one; `undefined` if nothing is. */
export type PartProblem = "type" | WrongField;

/** What is wrong with a part of a user's message or a tool's result. */
export function problemOfPart(part: unknown): PartProblem | undefined {
  return hasType(part, essentials) ? wrongFieldOf(part) : "type";
}

/** What is wrong with a part of a model's message. */
export function problemOfAssistantPart(part: unknown): PartProblem | undefined {
  return isObject(part) && isPartType(part["type"]) ? wrongFieldOf(part) : "type";
}

function unsound(
  problem: PartProblem,
  part: unknown,
  parts: readonly unknown[],
  place: string,
): InvalidInputError {
  const where = `content[${parts.indexOf(part)}] of ${place}`;
  const type = isObject(part) ? part["type"] : undefined;
  if (problem !== "type") {
    const { name, what } = problem;
    const hint = hasType(part, essentials) && name === essentials[part.type] ? hintFor(part, name) : "";
    return new InvalidInputError(
      `${where} is a part of the type "${String(type)}" whose ${name} is not ${what}.${hint}`,
    );
  }
  const words = typeof type === "string" ? `has the type "${type.slice(0, 80)}"` : "is not a part";
  return new InvalidInputError(
    `${where} ${words}: a part is { type: "text", text }, { type: "image", url } or { type: "file", url }. ` +
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

function hasType<T extends string>(
  part: unknown,
  types: Readonly<Record<T, unknown>>,
): part is Readonly<Record<string, unknown>> & { readonly type: T } {
  return isObject(part) && typeof part["type"] === "string" && Object.hasOwn(types, part["type"]);
}
