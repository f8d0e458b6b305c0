import { compileSchema } from "../schema/compile-schema.ts";
import type { Schema, Validation } from "../schema/types.ts";
import type { Tool } from "../tool/types.ts";
import type { ReadOptions } from "./options.ts";
import { runProgram } from "./program.ts";
import type { Interpreter } from "./types.ts";

/** The longest program, in characters. */
const longestProgram = 200_000;

const instructions = `Runs a TypeScript program that calls tools, and returns what the program returns.

Write the body of an async function. Call tools as \`await tools.name({ ... })\`, those that do not depend on each other with Promise.all. Compute in the program, and \`return\` only what you need to know. A call that fails throws an Error. There are no imports, network, files or timers.`;

const inputSchema: Schema<{ readonly code: string }> = compileSchema({
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
}

/** The tool that runs programs against these tools. */
export function codeTool({ options, interpreter, tools }: CodeToolParts): Tool {
  const { name, limits } = options;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    name,
    description: instructions,
    inputSchema,
    annotations: {},
    // The time of computing is limited, and each call by its own tool.
    policy: { timeout: Infinity },
    execute(input, context) {
      const host = {
        interpreter,
        limits,
        tools: byName,
        search: false,
        ownCalls: new Map(),
        describeValues: () => undefined,
      };
      return runProgram(readCode(input), context, host);
    },
  };
}

function readCode(input: unknown): string {
  const read: Validation<{ readonly code: string }> = inputSchema.validate(input);
  return read.ok ? read.value.code : "";
}
