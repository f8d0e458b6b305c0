import { describeValue, invalidOption } from "../base/options/known-options.ts";
import { ConfigurationError } from "../errors.ts";
import type { StandardSchema } from "../schema/standard-schema.ts";
import type { JsonSchema } from "../schema/types.ts";
import { functionToolOptions, defineTool } from "../tool/define.ts";
import type { ToolPolicy } from "../tool/policy.ts";
import type { Tool, ToolAnnotations, ToolInput } from "../tool/types.ts";
import { execOutput, execReturn, toolTimeout } from "./exec-output.ts";
import { hasNetwork } from "./domains.ts";
import { assertSandboxOptions, readSandboxOptions } from "./options.ts";
import { SandboxError } from "./errors.ts";
import type { SandboxOptions } from "./types.ts";

/** The input of a command whose arguments the model writes itself. */
export interface CommandInput {
  readonly args?: readonly string[];
  readonly stdin?: string;
}

/** What a program as a tool may use, and the policies of a tool. `timeout` is the program's. */
export interface CommandOptions<I = CommandInput, C = unknown>
  extends SandboxOptions, Omit<ToolPolicy<I, C>, "timeout">, ToolAnnotations {
  /** The name of the tool; the program's name by default. */
  readonly name?: string;
  readonly description?: string;
}

/** The same with an input of its own. */
export interface TypedCommandOptions<I, S, C = unknown> extends CommandOptions<I, C> {
  /** The input that the model gives: a JSON Schema, or one of zod, valibot, arktype. */
  readonly input: S;
  /** The arguments of the program for an input. */
  readonly args: (input: I) => readonly string[];
}

const argumentsSchema: JsonSchema = {
  type: "object",
  properties: {
    args: {
      type: "array",
      items: { type: "string" },
      description: "The arguments of the program, one item each. No shell reads them.",
      maxItems: 1_000,
    },
    stdin: { type: "string", description: "What the program reads from its standard input." },
  },
  additionalProperties: false,
};

/** A program as a tool with an input of its own, as a JSON Schema, of which `args` makes the arguments. */
export function command<I = Record<string, unknown>, C = unknown>(
  program: string,
  options: TypedCommandOptions<I, JsonSchema, C>,
): Tool<I, unknown, C>;
/** The same with an input of its own, as a schema of zod, valibot, arktype or any other Standard Schema. */
export function command<I, C = unknown>(
  program: string,
  options: TypedCommandOptions<I, StandardSchema<unknown, I>, C>,
): Tool<I, unknown, C>;
/** The same without one: the model writes the arguments, a list, which no shell reads. */
export function command<I extends CommandInput = CommandInput, C = unknown>(
  program: string,
  options?: CommandOptions<I, C>,
): Tool<I, unknown, C>;
/**
 * A program as a tool, in a sandbox of its own. With `net`, calls wait for an approval, unless `approval` says otherwise.
 * @param program - Its name on the sandbox's PATH, or its path.
 * @throws ConfigurationError for an invalid option.
 */
export function command(
  program: string,
  options: Partial<TypedCommandOptions<unknown, ToolInput>> = {},
): Tool {
  if (typeof program !== "string" || program === "" || program.startsWith("-"))
    throw new ConfigurationError(
      `The first argument of sandbox.command() must be a program, not ${describeValue(program)}.`,
      { code: "invalid-tool" },
    );
  const place = `sandbox.command("${program}")`;
  assertSandboxOptions(options, commandOptions, place);
  const { read, write, net, env, via, memoryMb, processes, fileMb, outputBytes, timeout, ...rest } = options;
  const limits = { memoryMb, processes, fileMb, outputBytes, timeout };
  const { tier, options: complete } = readSandboxOptions({ read, write, net, env, via, ...limits }, place);
  const { input, args, name = program.replace(/^.*\//, ""), ...described } = rest;
  if ((input === undefined) !== (args === undefined))
    throw invalidOption(`${place} needs both input and args, or neither.`, { option: "args" });
  return defineTool({
    approval: hasNetwork(complete),
    ...described,
    name,
    input: input ?? argumentsSchema,
    output: execOutput,
    timeout: toolTimeout(complete),
    execute: async (value, { signal }) => {
      const call = args ? { args: args(value) } : readInput(value);
      const box = tier(complete);
      try {
        const outcome = await box.exec([program, ...texts(call.args)], { signal, stdin: call.stdin });
        return execReturn(outcome, outcome.exitCode !== 0);
      } finally {
        await box.close();
      }
    },
  });
}

const { offload: _, ...toolOptions } = functionToolOptions;
const commandOptions = { ...toolOptions, args: true };

/** What the schema has let through. */
function readInput(value: unknown): CommandInput {
  const { args = [], stdin }: { readonly args?: unknown; readonly stdin?: unknown } = Object(value);
  return { args: texts(args), ...(typeof stdin === "string" && { stdin }) };
}

/** @throws SandboxError for what is not a list of texts, or has a character that no argument can have. */
function texts(values: unknown): readonly string[] {
  if (!Array.isArray(values)) throw new SandboxError("The arguments must be a list of texts.");
  return values.map((value: unknown) => {
    if (typeof value === "string" && !value.includes("\0")) return value;
    throw new SandboxError("The arguments must be texts without the character U+0000.");
  });
}
