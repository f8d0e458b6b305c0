/** Compares what schemas take with what TypeScript takes: values for types of packages, judged by both. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FunctionSchema } from "../../src/sources/compiler/index.ts";
import { openWorkspace } from "../../src/sources/compiler/project.ts";
import { compileSchema } from "../../src/schema/compile-schema.ts";
import type { Described } from "./describe-packages.ts";
import { samplesOf } from "./sample-values.ts";

/** A value on which a schema and TypeScript do not agree. */
export interface Difference {
  /** `wide` where the schema takes what the type does not have; `narrow` where it refuses what the type has. */
  readonly kind: "wide" | "narrow";
  readonly package: string;
  readonly name: string;
  readonly change: string;
  readonly text: string;
  /** What TypeScript says against the value. */
  readonly error: string;
  readonly schema: FunctionSchema;
}

/** What came of all values. */
export interface Judgement {
  readonly types: number;
  readonly values: number;
  readonly differences: readonly Difference[];
}

/** Longer values are likelier of one kind over and over. */
const longest = 20_000;

interface Case extends Omit<Difference, "kind" | "error"> {
  readonly isTaken: boolean;
}

/** Judges values for the first parameters of functions. */
export async function judgeValues(described: readonly Described[], folder: string): Promise<Judgement> {
  const workspace = await openWorkspace(folder);
  const groups = Map.groupBy(described, ({ package: name }) => name);
  let values = 0;
  let types = 0;
  const differences: Difference[] = [];
  try {
    for (const [name, functions] of groups) {
      const slug = name.replaceAll(/\W+/g, "-").replace(/^-/, "");
      const all = functions.map((each) => casesOf(each));
      const cases = all.flat();
      types += all.filter((each) => each.length > 0).length;
      values += cases.length;
      const lines = cases.map(
        ({ name: tool, text }) =>
          `{ const value: Parameters<typeof tools.${tool}>[0] = ${text}; void value; }\n`,
      );
      const file = join(folder, `values-${slug}.ts`);
      await writeFile(file, `import type * as tools from "./tools-${slug}.ts";\n${lines.join("")}`);
      workspace.open([file]);
      const host = workspace.hostFor(file);
      const source = host.sourceFile(file);
      const errors = new Map<number, string>();
      for (const { start, text } of host.typeErrors(file)) {
        const line = source?.getLineAndCharacterOfPosition(start).line ?? 0;
        if (!errors.has(line)) errors.set(line, text);
      }
      for (const [index, { isTaken, ...each }] of cases.entries()) {
        const error = errors.get(index + 1);
        if (isTaken === (error === undefined)) continue;
        differences.push({ ...each, kind: isTaken ? "wide" : "narrow", error: error ?? "" });
      }
    }
  } finally {
    workspace.close();
  }
  return { types, values, differences };
}

function casesOf({ package: packageName, name, description }: Described): readonly Case[] {
  if (description instanceof Error) return [];
  const schema = compileSchema(description.inputSchema);
  const { fitting, mutants } = samplesOf(description);
  const all = [...fitting.map((sample) => ({ ...sample, change: "" })), ...mutants];
  return all.flatMap(({ json, text, change }): readonly Case[] => {
    const isTaken = schema.validate({ input: json }).ok;
    // A text for a pattern is not always found.
    if (text.length > longest || (change === "" && !isTaken)) return [];
    return [{ package: packageName, name, change, text, isTaken, schema: description }];
  });
}
