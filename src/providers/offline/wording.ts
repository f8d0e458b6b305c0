import type { ToolResult } from "../../message/messages.ts";
import type { ToolSpec } from "../../model/types.ts";
import { isPlainObject, type JsonValue } from "../../base/util/json.ts";
import { isHandoff } from "./handoffs.ts";
import type { Parameter } from "./parameters.ts";
import { identifierWords } from "./vocabulary.ts";

/** The notice in the first answer of a conversation. */
export const notice = "offline stand-in: keyword rules, not a language model";

/** How many tools an answer lists. */
const longestList = 12;

/** Lists what the tools can do, for a request that fits none of them. */
export function wordAbilities(tools: readonly ToolSpec[], opening: string): string {
  if (tools.length === 0) return `${opening} There is no tool here, and I know nothing else.`;
  const lines = tools.slice(0, longestList).map((tool) => `- ${ability(tool)}`);
  const more = tools.length > longestList ? `\n- and ${tools.length - longestList} more` : "";
  return `${opening} What I can do here:\n${lines.join("\n")}${more}`;
}

function ability(tool: ToolSpec): string {
  const name = plainName(tool.name);
  if (isHandoff(tool)) return tool.description?.trim() || name;
  const sentence = /^[^\n]*?(?:\.(?=\s|$)|$)/u.exec(tool.description?.trim() ?? "")?.[0].replace(/\.$/u, "");
  return sentence ? `${name}: ${sentence}` : name;
}

/** `refundItem` is "refund item". */
function plainName(name: string): string {
  return identifierWords(name).join(" ") || name;
}

/** Says that something is not among what follows. */
export function wordAbsence(thing: string): string {
  return `I see no "${thing}" here. This is what I found:`;
}

/** Says what could be done about a question, which was not a request to do it. */
export function wordOffer(tool: ToolSpec): string {
  return `I cannot tell, but I could do this:\n- ${ability(tool)}\nAsk for it if you want it.`;
}

/** Asks which of several tools to call. */
export function wordChoice(tools: readonly ToolSpec[]): string {
  return `More than one tool fits:\n${tools.map((tool) => `- ${ability(tool)}`).join("\n")}\nWhich one? Please use its words.`;
}

/** Asks for what is missing, in one sentence. */
export function wordQuestion(tool: ToolSpec, missing: readonly Parameter[]): string {
  const things = missing.map((parameter) => {
    const hint = hintOf(parameter);
    return hint ? `the ${plainName(parameter.name)} (${hint})` : `the ${plainName(parameter.name)}`;
  });
  return `For "${plainName(tool.name)}" I need ${listOf(things)}: please tell me.`;
}

function hintOf({ description, options, format, type }: Parameter): string {
  if (options.length > 0) return options.map(String).join(", ");
  if (description) return description.split(/[.\n]/u)[0]?.trim() ?? "";
  if (format === "date") return "as YYYY-MM-DD";
  if (format === "date-time") return "as YYYY-MM-DD HH:MM";
  return type === "boolean" ? "yes or no" : "";
}

function listOf(things: readonly string[]): string {
  return things.length < 2 ? things.join("") : `${things.slice(0, -1).join(", ")} and ${things.at(-1)}`;
}

/** An answer with the results of tools: texts unchanged, JSON as plain lines, errors marked as such. */
export function wordResults(results: readonly ToolResult[]): string {
  return results.map(wordResult).join("\n");
}

function wordResult(result: ToolResult): string {
  const text = result.content
    .map((part) => (part.type === "text" || part.type === "reasoning" ? part.text : `[${part.type}]`))
    .join("\n");
  if (result.isError) return `That did not work: ${wordError(result, text) || plainName(result.toolName)}`;
  const content = result.structuredContent;
  const value = content === undefined ? parseCollection(text) : content;
  if (typeof value === "number" || typeof value === "boolean")
    return `${sentenceCase(plainName(result.toolName))}: ${value}`;
  if (value === undefined || typeof value === "string")
    return text.trim() || `Done: ${plainName(result.toolName)}.`;
  if (value === null) return `${sentenceCase(plainName(result.toolName))}: nothing.`;
  return render(value);
}

/** The text of an error. Of a correction only the first lines, which name the problem: the rest is for models. */
function wordError({ outcome }: ToolResult, text: string): string {
  if (outcome !== "invalid-arguments") return text.trim();
  const [first = "", ...lines] = text.trim().split("\n");
  const after = lines.findIndex((line) => !line.startsWith("- "));
  return [first, ...(after < 0 ? lines : lines.slice(0, after))].join("\n");
}

/** Parses a text that is a JSON object or array; `undefined` for any other text. */
function parseCollection(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** JSON as readable lines: list entries with dashes, fields of an object by name. */
function render(value: JsonValue): string {
  if (isList(value))
    return value.length === 0 ? "There are none." : value.map((entry) => `- ${inline(entry)}`).join("\n");
  if (!isPlainObject(value)) return String(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return "There is nothing.";
  return fields
    .map(([name, field]) => {
      const label = sentenceCase(plainName(name));
      const isTable = isList(field) && field.some((entry) => typeof entry === "object" && entry !== null);
      return isTable ? `${label}:\n${render(field)}` : `${label}: ${inline(field)}`;
    })
    .join("\n");
}

function inline(value: JsonValue | undefined): string {
  if (isList(value)) return value.length === 0 ? "none" : value.map(inline).join(", ");
  if (!isPlainObject(value)) return value === null ? "none" : String(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return fields
    .map(
      ([name, field]) => `${plainName(name)} ${isPlainObject(field) ? `(${inline(field)})` : inline(field)}`,
    )
    .join(", ");
}

function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function sentenceCase(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
