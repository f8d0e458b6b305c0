/** The page that says what one gets where: made of the places, which the tests hold to what they say. */
import { groups } from "./places/index.ts";
import type { Outcome, Place } from "./place.ts";

const introduction = `# Where it runs

One table of functions is built and run in every place below: defaults, constraints, nested and generic types, toolkits,
closures, contexts. "Schemas" means that each of them has the schema that it has in development, to the letter. Elsewhere
each tool is refused with an error that says what to do there; nowhere does a tool get a schema that was guessed. In every
place a hostile model tries to fill in the contexts of the tools, under every name: none reaches a tool.
`;

/** The text of `docs/where-it-runs.md`. */
export function pageText(): string {
  const rows = groups.flatMap(({ places }) => places.map(rowOf));
  const table = ["| place | what to write | what you get |", "| --- | --- | --- |", ...rows].join("\n");
  return `${introduction}\n${table}\n`;
}

function rowOf({ name, write, gets }: Place): string {
  return `| ${name} | ${write} | ${outcomeText(gets)} |`;
}

const declaredSchemas = "schemas without defaults for what is declared";

function outcomeText(gets: Outcome): string {
  if (gets === "schemas") return "schemas";
  if (gets === "declared schemas") return declaredSchemas;
  if ("untried" in gets) return `not tried: ${gets.untried}`;
  if ("warning" in gets)
    return `schemas, with the warning "${gets.warning}"; without null for ${gets.withoutNull.join(", ")}`;
  const { atBuild, declared, only, refusal, where = only?.join(", ") } = gets;
  const errors = [refusal].flat().map((words) => `"${words}"`);
  const error = `an error${atBuild ? " of the build" : ""}: ${only ? errors.join(" or ") : errors[0]}`;
  const schemas = declared ? declaredSchemas : "schemas";
  if (only) return `${schemas}; for ${where} ${error}`;
  return declared ? `${schemas}, else ${error}` : error;
}
