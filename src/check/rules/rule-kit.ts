import type { Place } from "../../base/util/place.ts";
import type { CheckedFile, CheckedTool, Finding, Level, Rule } from "../types.ts";

/** A rule that looks at one tool at a time. */
export function toolRule(
  level: Exclude<Level, "off">,
  find: (tool: CheckedTool) => Iterable<Omit<Finding, "tool">>,
): Rule {
  return {
    level,
    *find(files) {
      for (const tool of toolsOf(files)) {
        for (const finding of find(tool)) yield { tool: tool.name, ...finding };
      }
    },
  };
}

/** Every tool once, though a function that several agents have, or several files export, is met more than once. */
export function toolsOf(files: readonly CheckedFile[]): readonly CheckedTool[] {
  const toolsByName = new Map<string, CheckedTool>();
  for (const tool of files.flatMap(({ tools }) => tools)) {
    const key = `${placeKey(tool.source.place)} ${tool.name}`;
    if (!toolsByName.has(key)) toolsByName.set(key, tool);
  }
  return [...toolsByName.values()];
}

/** The same for the same place. */
export function placeKey({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

/** Where a parameter is declared; the tool itself where that is not known. */
export function parameterPlace({ source }: CheckedTool, name: string): Place {
  const all = (source.parameters ?? []).flatMap((parameter) => [parameter, ...(parameter.elements ?? [])]);
  return all.find((parameter) => parameter.name === name)?.place ?? source.place;
}

/** The words of a name or a text, in lower case: `getHTMLPage` has `get`, `html` and `page`. */
export function wordsOf(text: string): readonly string[] {
  const parted = text
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  return parted.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
