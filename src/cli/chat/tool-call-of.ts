import type { ToolCall } from "../../message/messages.ts";

/** A name, an equals sign, and a value, which is in quotes where it has spaces. */
const pair = /([^\s=]+)=("(?:[^"\\]|\\.)*"|'[^']*'|\S*)\s*/y;

/**
 * A call as a person writes it: `getWeather {"city":"Paris"}`, or `getWeather city=Paris days=3`. `undefined` if no tool is
 * named. What is neither goes to the tool as it is, to be answered as a model's arguments would be.
 */
export function toolCallOf(text: string): ToolCall | undefined {
  const [, toolName = "", rest = ""] = /^(\S+)\s*(.*)$/s.exec(text.trim()) ?? [];
  if (toolName === "") return undefined;
  return { toolCallId: `call_${crypto.randomUUID()}`, toolName, arguments: argumentsOf(rest) };
}

function argumentsOf(text: string): string {
  if (text === "") return "{}";
  return text.startsWith("{") ? text : (pairs(text) ?? text);
}

function pairs(text: string): string | undefined {
  const values = new Map<string, unknown>();
  pair.lastIndex = 0;
  while (pair.lastIndex < text.length) {
    const [, name = "", value = ""] = pair.exec(text) ?? [];
    if (name === "") return undefined;
    values.set(name, valueOf(value));
  }
  return JSON.stringify(Object.fromEntries(values));
}

/** JSON where it is some, else the words themselves: also of a number that JSON would write otherwise, such as `1.10` or one of many digits. */
function valueOf(text: string): unknown {
  if (/^'.*'$/s.test(text)) return text.slice(1, -1);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "number" && JSON.stringify(value) !== text ? text : value;
  } catch {
    return text;
  }
}
