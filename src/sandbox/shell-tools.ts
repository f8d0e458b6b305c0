import { tool } from "../tool/define.ts";
import type { ToolPolicy } from "../tool/policy.ts";
import type { Tool } from "../tool/types.ts";
import { hasNetwork } from "./domains.ts";
import { execOutput, execReturn, toolTimeout } from "./exec-output.ts";
import {
  type FilePolicy,
  globTool,
  grepTool,
  inputOf,
  partOf,
  type Replacement,
  readText,
  readTool,
  replacementInput,
  replaceText,
  text,
  textOutput,
  writeHints,
  writeTool,
} from "./file-tools.ts";
import { expandBraces } from "./expand-braces.ts";
import { findFiles, searchFiles } from "./find-files.ts";
import type { Turns } from "./turns.ts";
import type { Sandbox, TierOptions } from "./types.ts";

/** The input of `bash`. */
export interface BashInput {
  readonly command: string;
}

/** Which calls wait for a decision. */
interface Approvals {
  readonly bash: NonNullable<ToolPolicy<BashInput>["approval"]>;
  readonly write: boolean;
}

/** The longest line of a command, in characters. */
const longestCommand = 100_000;

const path = text("The path of the file, relative to where bash starts, or absolute.");

/** How `grep` describes its arguments, where GNU's searches. */
export const grepWords = {
  pattern: "A POSIX extended regular expression, as of grep -E: [0-9], not \\d.",
  start: "where bash starts",
} as const;

/** The tools of a shell. Files are read and written by programs in the sandbox, as all else. */
export function shellTools(
  box: Sandbox,
  options: TierOptions,
  approvals: Approvals,
  turns: Turns,
): readonly Tool[] {
  const timeout = toolTimeout(options);
  const reads = { timeout };
  // Files have many paths: of two changes of one at once, one would be lost. Those of other shells take turns with these.
  const writes = { timeout, approval: approvals.write, concurrency: { limit: 1 } };
  return [
    bashTool(box, options, { timeout, approval: approvals.bash }),
    readTool(
      path,
      reads,
      async (request, { signal }) =>
        partOf(await readText(box, request.path, signal), request, options.outputBytes).text,
    ),
    writeTool(path, writes, async ({ path, content }, { signal }) => {
      await turns(() => box.write(path, content, { signal }), signal);
      return `Wrote ${path}.`;
    }),
    editTool(box, turns, writes),
    globTool(reads, (pattern, { signal }) => findFiles(box, expandBraces(pattern), signal)),
    grepTool(grepWords, reads, (request, { signal }) => searchFiles(box, request, signal)),
  ];
}

/** Runs commands in a sandbox. */
export function bashTool(box: Sandbox, options: TierOptions, policy: ToolPolicy<BashInput>): Tool {
  const { cwd, net, domains } = options;
  const network = net
    ? ""
    : domains.length > 0
      ? ` The network has ${domains.join(", ")} only.`
      : " There is no network.";
  return tool<BashInput>({
    name: "bash",
    description: `Run a command with bash in ${cwd}, in a sandbox.${network} Each command starts in a new shell; nothing runs on after it. Keep files in ${cwd}: /tmp may be empty in the next one.`,
    input: inputOf({ command: text("The command.", longestCommand) }, ["command"]),
    output: execOutput,
    tags: ["execute"],
    destructiveHint: true,
    openWorldHint: hasNetwork(options),
    ...policy,
    execute: async ({ command }, { signal }) =>
      execReturn(await box.exec(["bash", "-c", command], { signal }), false),
  });
}

function editTool(box: Sandbox, turns: Turns, policy: FilePolicy): Tool {
  return tool<Replacement & { readonly path: string }>({
    name: "edit",
    description: "Replace a text in a file. It must occur once, unless replaceAll is set.",
    input: inputOf({ path, ...replacementInput }, ["path", "oldText", "newText"]),
    output: textOutput,
    ...writeHints,
    ...policy,
    execute: async ({ path, ...replacement }, { signal }) => {
      const count = await turns(async () => {
        const edited = replaceText(await readText(box, path, signal), replacement, path);
        await box.write(path, edited.text, { signal });
        return edited.count;
      }, signal);
      return `Replaced ${count === 1 ? "it once" : `it ${count} times`} in ${path}.`;
    },
  });
}
