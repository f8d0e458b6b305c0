import { boundary } from "../base/util/cut-text.ts";
import type { JsonSchema } from "../schema/types.ts";
import { tool } from "../tool/define.ts";
import type { ToolPolicy } from "../tool/policy.ts";
import type { Tool } from "../tool/types.ts";
import { SandboxError } from "./errors.ts";
import { execOutput, execReturn, toolTimeout } from "./exec-output.ts";
import { findFiles, searchFiles } from "./find-files.ts";
import type { Turns } from "./turns.ts";
import type { Sandbox, TierOptions } from "./types.ts";

/** The input of `bash`. */
interface BashInput {
  readonly command: string;
}

/** Which calls wait for a decision. */
interface Approvals {
  readonly bash: NonNullable<ToolPolicy<BashInput>["approval"]>;
  readonly write: boolean;
}

/** The longest line of a command, and the longest text of a file, in characters. */
const longestCommand = 100_000;
const longestText = 2_000_000;

/** Lines of a file that are read at once, unless a call says otherwise. */
const usualLines = 2_000;

const text = (description: string, maxLength = 4_096): JsonSchema => ({
  type: "string",
  description,
  minLength: 1,
  maxLength,
});
const content = (description: string): JsonSchema => ({
  type: "string",
  description,
  maxLength: longestText,
});
const path = text("The path of the file, relative to where bash starts, or absolute.");

function inputOf(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema {
  return { type: "object", properties, required: [...required], additionalProperties: false };
}

/** The tools of a shell. Files are read and written by programs in the sandbox, as all else. */
export function shellTools(
  box: Sandbox,
  options: TierOptions,
  approvals: Approvals,
  turns: Turns,
): readonly Tool[] {
  const timeout = toolTimeout(options);
  const reads = { timeout, readOnlyHint: true };
  // Files have many paths: of two changes of one at once, one would be lost. Those of other shells take turns with these.
  const writes = { timeout, approval: approvals.write, concurrency: { limit: 1 } };
  return [
    bashTool(box, options, { timeout, approval: approvals.bash }),
    readTool(box, options, reads),
    writeTool(box, turns, writes),
    editTool(box, turns, writes),
    globTool(box, reads),
    grepTool(box, reads),
  ];
}

function bashTool(box: Sandbox, { cwd, net, domains }: TierOptions, policy: ToolPolicy<BashInput>): Tool {
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
    ...policy,
    execute: async ({ command }, { signal }) =>
      execReturn(await box.exec(["bash", "-c", command], { signal }), false),
  });
}

function readTool(box: Sandbox, { outputBytes }: TierOptions, policy: object): Tool {
  return tool<{ readonly path: string; readonly from?: number; readonly lines?: number }>({
    name: "read",
    description: "Read a text file.",
    input: inputOf(
      {
        path,
        from: { type: "integer", minimum: 1, default: 1, description: "The first line." },
        lines: { type: "integer", minimum: 1, default: usualLines, description: "How many lines." },
      },
      ["path"],
    ),
    ...policy,
    execute: async ({ path, from = 1, lines = usualLines }, { signal }) => {
      const all = (await readText(box, path, signal)).split("\n");
      const end = from - 1 + lines;
      const part = all.slice(from - 1, end).join("\n");
      const visible = part.slice(0, boundary(part, outputBytes));
      if (visible.length < part.length) return `${visible}\n[cut after ${outputBytes} characters]`;
      return end < all.length ? `${visible}\n[${all.length - end} more lines]` : visible;
    },
  });
}

function writeTool(box: Sandbox, turns: Turns, policy: ToolPolicy): Tool {
  return tool<{ readonly path: string; readonly content: string }>({
    name: "write",
    description: "Write a text file. One that exists is replaced; missing folders are made.",
    input: inputOf({ path, content: content("The whole text of the file.") }, ["path", "content"]),
    ...policy,
    execute: async ({ path, content }, { signal }) => {
      await turns(() => box.write(path, content, { signal }), signal);
      return `Wrote ${path}.`;
    },
  });
}

function editTool(box: Sandbox, turns: Turns, policy: ToolPolicy): Tool {
  return tool<{
    readonly path: string;
    readonly oldText: string;
    readonly newText: string;
    readonly replaceAll?: boolean;
  }>({
    name: "edit",
    description: "Replace a text in a file. It must occur once, unless replaceAll is set.",
    input: inputOf(
      {
        path,
        oldText: text("The text to replace, exactly as it is in the file.", longestText),
        newText: content("What to put in its place."),
        replaceAll: { type: "boolean", default: false },
      },
      ["path", "oldText", "newText"],
    ),
    ...policy,
    execute: async ({ path, oldText, newText, replaceAll = false }, { signal }) => {
      const count = await turns(async () => {
        const pieces = (await readText(box, path, signal)).split(oldText);
        assertCount(path, pieces.length - 1, replaceAll);
        await box.write(path, pieces.join(newText), { signal });
        return pieces.length - 1;
      }, signal);
      return `Replaced ${count === 1 ? "it once" : `it ${count} times`} in ${path}.`;
    },
  });
}

function assertCount(path: string, count: number, replaceAll: boolean): void {
  if (count === 0) throw new SandboxError(`${path} does not contain oldText. Read the file again.`);
  if (count > 1 && !replaceAll)
    throw new SandboxError(
      `${path} contains oldText ${count} times. Add lines around it, or set replaceAll.`,
    );
}

function globTool(box: Sandbox, policy: object): Tool {
  return tool<{ readonly pattern: string }>({
    name: "glob",
    description: "List files and folders by a pattern of paths, such as src/**/*.ts.",
    input: inputOf({ pattern: text("The pattern: *, **, ? and [abc].") }, ["pattern"]),
    ...policy,
    execute: async ({ pattern }, { signal }) => (await findFiles(box, pattern, signal)) || "No file matches.",
  });
}

function grepTool(box: Sandbox, policy: object): Tool {
  return tool<{ readonly pattern: string; readonly path?: string; readonly ignoreCase?: boolean }>({
    name: "grep",
    description: "Search texts of files, in all folders below a path but .git. Lines come as file:line:text.",
    input: inputOf(
      {
        pattern: text("A POSIX extended regular expression, as of grep -E: [0-9], not \\d."),
        path: text("The file or folder; where bash starts by default."),
        ignoreCase: { type: "boolean", default: false },
      },
      ["pattern"],
    ),
    ...policy,
    execute: async ({ pattern, path = ".", ignoreCase = false }, { signal }) =>
      (await searchFiles(box, { pattern, path, ignoreCase }, signal)) || "No line matches.",
  });
}

/** @throws SandboxError for a file that is not text. */
async function readText(box: Sandbox, path: string, signal: AbortSignal): Promise<string> {
  const bytes = await box.read(path, { signal });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new SandboxError(`${path} is not a text file.`, error);
  }
}
