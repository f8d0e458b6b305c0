import { resultText } from "../executor/finalize.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import type { Schema, Validation } from "../schema/types.ts";
import { instructionsOf } from "../tool/table.ts";
import type { ToolContext } from "../tool/tool-context.ts";
import type { Tool } from "../tool/types.ts";
import type { CheckProgram } from "./check-program.ts";
import { declared, declareTools, type Declarations } from "./declarations.ts";
import { isSearched, namesForPrograms, searchCalls, searchMembers } from "./find-tools.ts";
import type { ReadOptions } from "./options.ts";
import { runProgram, type ProgramHost } from "./program.ts";
import { shapeOf } from "./shape.ts";
import type { Interpreter } from "./types.ts";

/** The longest program, in characters. */
const longestProgram = 200_000;

const instructions = `Runs a TypeScript program that calls tools, and returns what the program returns.

Write the body of an async function. Call tools as \`await tools.name({ ... })\`, those that do not depend on each other with Promise.all. Compute in the program, and \`return\` only what you need to know. A call that fails throws an Error. There are no imports, network, files or timers.`;

const searchInstructions =
  'Find the tools first: run a program that returns `await tools.search("what you need")`, then write one that calls what it has found.';

/** The arguments of a call. */
interface CodeInput {
  readonly code: string;
}

const inputSchema: Schema<CodeInput> = compileSchema({
  type: "object",
  properties: {
    code: {
      type: "string",
      description: "The program: the body of an async function, which ends with return.",
      minLength: 1,
      maxLength: longestProgram,
    },
  },
  required: ["code"],
  additionalProperties: false,
});

/** What the tool is made of. */
export interface CodeToolParts {
  readonly options: ReadOptions;
  readonly interpreter: Interpreter;
  /** The tools that programs have. */
  readonly tools: readonly Tool[];
  /** Checks programs before they run, where it is there. */
  readonly check: CheckProgram | undefined;
}

/** The tool that runs programs against these tools. */
export function codeTool({ options, interpreter, tools, check }: CodeToolParts): Tool {
  const { name, limits } = options;
  const search = isSearched(tools, options.search);
  const byName = namesForPrograms(tools, search);
  const named = [...byName].map(([ownName, tool]) =>
    ownName === tool.name ? tool : { ...tool, name: ownName },
  );
  const declarations = declareTools(named.map(declared), search ? searchMembers : []);
  // TypeScript starts, and reads the declarations, while the model writes its first program.
  void check?.("", declarations);
  const host: ProgramHost = {
    interpreter,
    limits,
    tools: byName,
    search,
    ownCalls: search ? searchCalls(named, declarations) : new Map(),
    describeValues: (values, context) => describeShapes(name, byName, values, context),
  };
  const ofTools = instructionsOf(tools);
  return {
    name,
    description: describeTool(declarations, search),
    ...(ofTools !== "" && { instructions: ofTools }),
    inputSchema: check ? checkedSchema(check, declarations) : inputSchema,
    annotations: { tags: ["execute"] },
    // The time of computing is limited, and each call by its own tool.
    policy: { timeout: Infinity },
    execute: (input, context) => runProgram(readCode(input), context, host),
  };
}

/** A program with a mistake is an argument with a mistake: the model corrects it, and no tool is called. */
function checkedSchema(check: CheckProgram, declarations: Declarations): Schema<CodeInput> {
  return {
    jsonSchema: inputSchema.jsonSchema,
    validate: (value) => inputSchema.validate(value),
    async validateAsync(value) {
      const read = inputSchema.validate(value);
      if (!read.ok) return read;
      const issues = await check(read.value.code, declarations);
      return issues.length === 0 ? read : { ok: false, issues };
    },
  };
}

/** Where programs look for tools, the text is the same whichever there are: the start of a model's prompt stays as it is. */
function describeTool({ text }: Declarations, search: boolean): string {
  const declared = search
    ? `declare const tools: {\n${searchMembers.map((each) => `  ${each}\n`).join("")}  [name: string]: (input) => Promise<unknown>;\n};\n`
    : text;
  return [instructions, ...(search ? [searchInstructions] : []), `\`\`\`ts\n${declared}\`\`\``].join("\n\n");
}

function readCode(input: unknown): string {
  const read: Validation<CodeInput> = inputSchema.validate(input);
  return read.ok ? read.value.code : "";
}

/** The shapes of results that no declaration has, unless an earlier answer has them: the tool's description stays as it is. */
function describeShapes(
  codeName: string,
  tools: ReadonlyMap<string, Tool>,
  values: ReadonlyMap<string, unknown>,
  { messages }: ToolContext,
): string | undefined {
  const lines = [...values].flatMap(([name, value]) =>
    tools.get(name)?.outputSchema || typeof value !== "object" || value === null
      ? []
      : [[name, `${name}: ${shapeOf(value)}`] as const],
  );
  if (lines.length === 0) return undefined;
  const earlier = messages.flatMap((message) =>
    message.role === "tool" && message.result.toolName === codeName
      ? resultText(message.result).split(shapesTitle).slice(1)
      : [],
  );
  const fresh = lines.filter(([name]) => !earlier.some((text) => text.includes(`\n${name}: `)));
  return fresh.length === 0 ? undefined : [shapesTitle, ...fresh.map(([, line]) => line)].join("\n");
}

const shapesTitle = "Types of what tools returned, which have none declared:";
