import { printableJson } from "../text.ts";

/** Text as a block of code: editors lay text out as Markdown, and what a tool returned or gets must not pass for a part of the page. */
export function codeBlock(text: string, language = ""): string {
  const longest = [...text.matchAll(/`{3,}/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

/** A value as a block of JSON, in which every character can be seen. */
export function jsonBlock(value: unknown): string {
  return codeBlock(printableJson(value), "json");
}
