import type { ToolSpec } from "../../model/types.ts";
import { readParameters } from "./parameters.ts";
import { identifierWords, stem } from "./vocabulary.ts";

const verbs: ReadonlySet<string> = new Set(
  "transfer handoff hand delegate escalate switch connect forward route".split(" "),
);

/** Whether a word is a verb with which the names of handoffs start. */
export function isHandoffVerb(word: string): boolean {
  return verbs.has(word);
}

/** Whether a tool name is that of a handoff: such a verb, and later `to`. */
export function isHandoffName(name: string): boolean {
  const [first = "", ...rest] = identifierWords(name);
  return isHandoffVerb(first) && rest.includes("to");
}

/** Whether a tool hands the conversation off to another agent: `transfer_to_sales`, `handOffToSales` and the like. */
export function isHandoff(tool: ToolSpec): boolean {
  return isHandoffName(tool.name) && readParameters(tool.inputSchema).every(({ required }) => !required);
}

/** The target of a handoff, as stems: `transfer_to_first_aid` goes to "first aid". */
export function handoffTarget(name: string): string {
  const words = identifierWords(name);
  return stems(words.slice(words.indexOf("to") + 1));
}

/** An agent's name in the form of `handoffTarget`. */
export function agentTarget(agent: string): string {
  return stems(identifierWords(agent));
}

function stems(words: readonly string[]): string {
  return words.map(stem).join(" ");
}

/** Whether the user only asks for a person or a department: "transfer me to sales", "can I talk to a person?" */
export function asksForPerson(text: string): boolean {
  return /\b(?:talk|speak|(?:transfer|connect|switch|hand|put)(?: me| us)(?: over| back| through)?)\s+(?:to|with)\b(?! me\b| us\b)/iu.test(
    text,
  );
}

/** Whether a tool hands off to an agent for general requests. */
export function isGeneralHandoff(tool: ToolSpec): boolean {
  return (
    isHandoff(tool) &&
    /\b(?:else|others?|general|anything|triage)\b/iu.test(`${tool.description} ${tool.name}`)
  );
}
