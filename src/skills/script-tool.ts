import { posix, relative } from "node:path";
import { hasNetwork } from "../sandbox/domains.ts";
import { execOutput, execReturn, toolTimeout } from "../sandbox/exec-output.ts";
import { readSandboxOptions, type ReadOptions } from "../sandbox/options.ts";
import type { SandboxOptions } from "../sandbox/types.ts";
import { tool } from "../tool/define.ts";
import type { Tool } from "../tool/types.ts";
import { allowsScript, interpreterOf } from "./allowed-tools.ts";
import { SkillError } from "./errors.ts";
import { inputOf, namedSkill, text } from "./named-skill.ts";
import { place, type ScriptInput, type SkillScriptOptions } from "./options.ts";
import { resolveWithin } from "./read-within.ts";
import type { Skill } from "./skill.ts";

/** Where a script has the folder of its skill. */
const skillFolder = "/skill";

/** The most arguments of a script. */
const mostArguments = 1_000;

/** Whether a file of a skill is a script: it lies in a folder of that name. */
export function isScript(path: string): boolean {
  return /(?:^|\/)scripts\//.test(path);
}

/** Runs a script of a skill in a sandbox of its own. */
export function scriptTool(skills: readonly Skill[], { approval, ...sandbox }: SkillScriptOptions): Tool {
  const { options } = readSandboxOptions(sandbox, `sandbox of ${place}`);
  const isHarmless = !options.net && options.folders.every(({ isWritable }) => !isWritable);
  return tool<ScriptInput>({
    name: "run_skill_script",
    description: `Run a script of a skill, in a sandbox that has the skill's folder to read as ${skillFolder}, where it starts.${options.net ? "" : " There is no network."}`,
    input: inputOf(
      {
        name: text("The skill."),
        path: text("The script, from the skill's folder on: scripts/report.py."),
        args: {
          type: "array",
          items: { type: "string" },
          maxItems: mostArguments,
          description: "Its arguments, one item each. No shell reads them.",
        },
        stdin: { type: "string", description: "What it reads from its standard input." },
      },
      ["name", "path"],
    ),
    output: execOutput,
    tags: ["execute"],
    destructiveHint: !isHarmless,
    openWorldHint: hasNetwork(options),
    timeout: toolTimeout(options),
    approval: approval ?? !isHarmless,
    execute: async ({ name, path, args = [], stdin }, { signal }) => {
      const skill = namedSkill(skills, name);
      const argv = [...(await commandOf(skill, path, args)), ...args];
      const box = openBox(skill, sandbox);
      try {
        const outcome = await box.exec(argv, { signal, stdin });
        return execReturn(outcome, outcome.exitCode !== 0);
      } finally {
        await box.close();
      }
    },
  });
}

/**
 * Makes sure that scripts can run here.
 * @throws ConfigurationError (`sandbox-unavailable`) where there can be no sandbox, or `invalid-option` for folders that do not go together.
 */
export async function tryScripts(
  skills: readonly Skill[],
  { approval: _, ...sandbox }: SkillScriptOptions,
): Promise<void> {
  // A folder to write that has one of the skills in it is a mistake that shows before a model is called.
  const [first] = skills.map((skill) => openBox(skill, sandbox));
  await first?.exec(["true"]);
}

function openBox(skill: Skill, sandbox: SandboxOptions): ReturnType<ReadOptions["tier"]> {
  const root = { source: skill.folder, target: skillFolder, isWritable: false };
  const { tier, options } = readSandboxOptions(sandbox, `sandbox of ${place}`, root);
  return tier(options);
}

/** The program and the script, as they are in the box. */
async function commandOf(skill: Skill, path: string, args: readonly string[]): Promise<readonly string[]> {
  if (args.some((each) => each.includes("\0"))) throw new SkillError("An argument has the character U+0000.");
  const real = await resolveWithin(skill.folder, path);
  const script = relative(skill.folder, real).replaceAll("\\", "/");
  if (!isScript(script))
    throw new SkillError(
      `${path} is not a script of the skill ${skill.name}: they are in its folder scripts.`,
    );
  if (!allowsScript(skill.allowedTools, script, args))
    throw new SkillError(
      `allowed-tools of the skill ${skill.name} does not allow ${script} with these arguments.`,
    );
  const interpreter = interpreterOf(script);
  const file = posix.join(skillFolder, script);
  return interpreter === undefined ? [file] : [interpreter, file];
}
