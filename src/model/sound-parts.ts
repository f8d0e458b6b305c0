import { isObject } from "../base/util/json.ts";
import type { Message } from "../message/messages.ts";
import type { TextPart } from "../message/parts.ts";
import { type PartProblem, problemOfAssistantPart, problemOfPart } from "./assert-parts.ts";

/**
 * A message that is stored, with a note in place of each part that no model can be sent: an earlier version may have taken it, and it must
 * not end every later run. The same object if all parts are sound.
 */
export function withSoundParts(message: Message): Message {
  switch (message.role) {
    case "system":
      return message;
    case "user": {
      if (typeof message.content === "string") return message;
      const content = soundParts(message.content, problemOfPart);
      return content === message.content ? message : { ...message, content };
    }
    case "assistant": {
      const content = soundParts(message.content, problemOfAssistantPart);
      return content === message.content ? message : { ...message, content };
    }
    case "tool": {
      const { result } = message;
      const content = soundParts(result.content, problemOfPart);
      return content === result.content ? message : { ...message, result: { ...result, content } };
    }
  }
}

function soundParts<P>(
  parts: readonly P[],
  problemOf: (part: P) => PartProblem | undefined,
): readonly (P | TextPart)[] {
  const problems = parts.map(problemOf);
  if (problems.every((problem) => problem === undefined)) return parts;
  return parts.map((part, index) => {
    const problem = problems[index];
    return problem === undefined
      ? part
      : { type: "text", text: `[${describe(part, problem)}, which cannot be shown]` };
  });
}

function describe(part: unknown, problem: PartProblem): string {
  if (problem === "type" || !isObject(part)) return "something that is not a part";
  return `a part of the type "${String(part["type"])}" whose ${problem.name} is not ${problem.what}`;
}
