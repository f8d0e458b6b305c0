import { wireName } from "../../model/wire-names.ts";
import type { CheckedFile, CheckedTool, Finding, Rule } from "../types.ts";
import { placeKey, toolRule, wordsOf } from "./rule-kit.ts";

/** A name that a provider does not take (OpenAI: `^[a-zA-Z0-9_-]{1,64}$`, Anthropic: 128 of the same), so that models see another. */
export const providerName: Rule = toolRule("warn", ({ name, source }) => {
  const nameOnWire = wireName(name);
  if (nameOnWire === name) return [];
  const reason = /^[\w-]*$/.test(name)
    ? `has ${name.length} characters, and OpenAI takes 64`
    : "has characters that no provider takes";
  return [
    {
      place: source.place,
      message: `The name ${JSON.stringify(name)} ${reason}: models see ${nameOnWire}.`,
      help: "Use up to 64 letters, digits, _ and -.",
    },
  ];
});

/** Two tools of one name, or of names that only case and separators tell apart. */
export const nameClash: Rule = {
  level: "error",
  *find(files) {
    for (const tools of groups(files)) {
      yield* clashes(tools, (tool) => tool.name, "error");
      yield* clashes(tools, (tool) => wordsOf(tool.name).join(" "), "warn");
    }
  },
};

/** What a model sees side by side: what a file exports, and what an agent has. */
function groups(files: readonly CheckedFile[]): readonly (readonly CheckedTool[])[] {
  return files.flatMap(({ exported, agents }) => [exported, ...agents.map(({ tools }) => tools)]);
}

function* clashes(
  tools: readonly CheckedTool[],
  keyOf: (tool: CheckedTool) => string,
  level: "warn" | "error",
): Generator<Finding> {
  const first = new Map<string, CheckedTool>();
  for (const tool of tools) {
    const other = first.get(keyOf(tool));
    if (other === undefined) first.set(keyOf(tool), tool);
    else if (other !== tool && (other.name === tool.name) === (level === "error"))
      yield clash(tool, other, level);
  }
}

function clash(tool: CheckedTool, other: CheckedTool, level: "warn" | "error"): Finding {
  const { place } = other.source;
  const sameFile = place.file === tool.source.place.file;
  const where = sameFile ? `on line ${place.line}` : `in ${placeKey(place)}`;
  return {
    tool: tool.name,
    place: tool.source.place,
    level,
    message:
      level === "error"
        ? `Two tools are called ${tool.name}: the other one is ${where}.`
        : `${tool.name} is easily taken for ${other.name} ${where}.`,
    help: 'Give one another name: tool(fn, { name: "..." }).',
  };
}
