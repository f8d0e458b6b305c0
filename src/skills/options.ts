import { assertKnownOptions, describeValue, invalidOption } from "../base/options/known-options.ts";
import { assertSandboxOptions, readSandboxOptions } from "../sandbox/options.ts";
import type { SandboxOptions } from "../sandbox/types.ts";
import type { ToolPolicy } from "../tool/policy.ts";

/** A call of a skill's script. */
export interface ScriptInput {
  /** The skill. */
  readonly name: string;
  /** The script, from the skill's folder on. */
  readonly path: string;
  readonly args?: readonly string[];
  readonly stdin?: string;
}

/** What scripts of skills may use. Their skill's folder is `/skill` in the box, for reading alone. */
export interface SkillScriptOptions extends SandboxOptions {
  /** Whether scripts wait for a person's approval; by default with `net`, and with folders to `write`. A function decides on calls. */
  readonly approval?: ToolPolicy<ScriptInput>["approval"];
}

/** Which skills there are, and what of them may run. */
export interface SkillsOptions {
  /** The names of the skills to use; all by default. */
  readonly only?: readonly string[];
  /**
   * Whether the functions of a `tools.ts` or `tools.js` beside a `SKILL.md` become tools, which runs that file in this process: `true` for skills
   * that you would import code from. Needed if a skill has such a file.
   */
  readonly functions?: boolean;
  /** Has scripts of skills run, in a sandbox: `true`, or what they may use. By default they can only be read. */
  readonly sandbox?: boolean | SkillScriptOptions;
}

/** Options with all their defaults. */
export interface ReadOptions {
  readonly only: readonly string[] | undefined;
  /** Absent where the program has not said. */
  readonly functions: boolean | undefined;
  /** Absent where scripts do not run. */
  readonly sandbox: SkillScriptOptions | undefined;
}

const optionNames = { only: true, functions: true, sandbox: true } satisfies Record<
  keyof SkillsOptions,
  true
>;

/** What names the options in errors. */
export const place = "skills()";

/** @throws ConfigurationError (`invalid-option`) for the first invalid option. */
export function readOptions(options: SkillsOptions): ReadOptions {
  assertKnownOptions(options, optionNames, place);
  const { only, functions, sandbox = false } = options;
  if (only !== undefined && !isTexts(only)) throw wrong("only", "a list of names of skills", only);
  if (functions !== undefined && typeof functions !== "boolean")
    throw wrong("functions", "true or false", functions);
  if (typeof sandbox === "boolean") return { only, functions, sandbox: sandbox ? {} : undefined };
  if (typeof sandbox !== "object" || sandbox === null)
    throw wrong("sandbox", "true, false or options of a sandbox", sandbox);
  const where = `sandbox of ${place}`;
  assertSandboxOptions(sandbox, { approval: true }, where);
  const { approval, ...rest } = sandbox;
  if (approval !== undefined && typeof approval !== "boolean" && typeof approval !== "function")
    throw wrong("approval", "true, false or a function", approval);
  readSandboxOptions(rest, where);
  return { only, functions, sandbox };
}

/**
 * The folders that skills are looked for in.
 * @throws ConfigurationError (`invalid-option`) for what is not a path, or a list of them.
 */
export function readFolders(folders: unknown): readonly string[] {
  const list = typeof folders === "string" ? [folders] : folders;
  if (isTexts(list) && list.length > 0 && list.every((path) => path !== "" && !path.includes("\0")))
    return list;
  throw invalidOption(
    `skills() takes a folder or a list of folders, not ${describeValue(folders)}: skills("./skills").`,
    { option: "folders" },
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function wrong(option: string, words: string, value: unknown): Error {
  return invalidOption(`${option} of ${place} must be ${words}, not ${describeValue(value)}.`, { option });
}
