import { resultText } from "../executor/finalize.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import type { Schema, Validation } from "../schema/types.ts";
import type { ToolContext } from "../tool/tool-context.ts";
import type { Tool } from "../tool/types.ts";
import { declareTools } from "./declarations.ts";
import type { ReadOptions } from "./options.ts";
import { runProgram, type ProgramHost } from "./program.ts";
import { shapeOf } from "./shape.ts";
import type { Interpreter } from "./types.ts";

/** The longest program, in characters. */
const longestProgram = 200_000;

const instructions = `Runs a TypeScript program that calls tools, and returns what the program returns.

Write the body of an async function. Call tools as \`await tools.name({ ... })\`, those that do not depend on each other with Promise.all. Compute in the program, and \`return\` only what you need to know. A call that fails throws an Error. There are no imports, network, files or timers.`;

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
}

/** The tool that runs programs against these tools. */
export function codeTool({ options, interpreter, tools }: CodeToolParts): Tool {
  const { name, limits } = options;
  const declarations = declareTools(tools);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const host: ProgramHost = {
    interpreter,
    limits,
    tools: byName,
    search: false,
    ownCalls: new Map(),
    describeValues: (values, context) => describeShapes(name, byName, values, context),
  };
  return {
    name,
    description: `${instructions}\n\n\`\`\`ts\n${declarations.text}\`\`\``,
    inputSchema,
    annotations: {},
    // The time of computing is limited, and each call by its own tool.
    policy: { timeout: Infinity },
    execute: (input, context) => runProgram(readCode(input), context, host),
  };
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
