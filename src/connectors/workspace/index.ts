/**
 * Workspaces on a machine with files: what `workspace()` of `skein/toolkits` loads at its first use.
 * @module
 */
import { memoize } from "../../base/util/memoize.ts";
import { onceTried, openRoot } from "../../sandbox/shell.ts";
import { bashTool, grepWords } from "../../sandbox/shell-tools.ts";
import { assertSandboxOptions } from "../../sandbox/options.ts";
import { toolTimeout } from "../../sandbox/exec-output.ts";
import type { SandboxOptions } from "../../sandbox/types.ts";
import { turnsIn, writableIn } from "../../sandbox/turns.ts";
import type { ToolPolicy } from "../../tool/policy.ts";
import type { Tool, Toolset } from "../../tool/types.ts";
import { rootAgentsFile } from "./agents-file.ts";
import { boxFiles } from "./box-files.ts";
import { pathReader, workspaceFolder } from "./folder.ts";
import { hostFiles } from "./host-files.ts";
import { fileTools, type Workspace } from "./tools.ts";

/** Milliseconds that a call without a box may take. */
const hostTimeout = 60_000;

const hostGrepWords = { pattern: "A regular expression, as in JavaScript.", start: "the workspace" } as const;

/** The options of a workspace, complete. */
export interface OpenOptions {
  /** An absolute path. */
  readonly root: string;
  /** Absent where nothing runs. */
  readonly sandbox: SandboxOptions | undefined;
  readonly approval: NonNullable<ToolPolicy<{ readonly command: string }>["approval"]>;
  readonly agentsFile: boolean;
}

/**
 * Opens a workspace.
 * @throws ConfigurationError for an invalid option of the sandbox, `workspace-folder` for a folder that is not there,
 *   `sandbox-unavailable` where there can be no sandbox.
 */
export async function openWorkspace(options: OpenOptions): Promise<Toolset> {
  const folder = await workspaceFolder(options.root);
  const opened = options.sandbox ? openBox(options.root, options.sandbox) : undefined;
  await opened?.tried();
  const workspace: Workspace = {
    folder,
    root: options.root,
    files: opened ? boxFiles(opened.box) : hostFiles(folder),
    readPath: pathReader(folder, opened?.options.cwd ?? folder.root),
    turns: turnsIn(opened ? writableIn(opened.options.folders) : [folder.root]),
    hasAgentsFile: options.agentsFile,
    grepWords: opened ? grepWords : hostGrepWords,
    timeout: opened ? toolTimeout(opened.options) : hostTimeout,
  };
  const bash = opened
    ? [
        bashTool(opened.box, opened.options, {
          timeout: workspace.timeout,
          approval: options.approval,
          interrupted: "tell",
        }),
      ]
    : [];
  const tools = [...bash, ...fileTools(workspace)];
  const withText = memoizeLast((words) => instructed(tools, words));
  // Read once in a run: its requests begin alike, whatever is written meanwhile.
  const ofRun = memoize(async (_messages: object) =>
    withText(options.agentsFile ? await rootAgentsFile(folder) : ""),
  );
  return {
    name: "workspace",
    tools: ({ messages }) => ofRun(messages),
    close: async () => opened?.box.close(),
  };
}

function openBox(root: string, sandbox: SandboxOptions) {
  const place = "sandbox of workspace()";
  assertSandboxOptions(sandbox, {}, place);
  const opened = openRoot(root, sandbox, place);
  return { ...opened, tried: onceTried(opened.box) };
}

/** Every agent that works on files reads them. */
function instructed(tools: readonly Tool[], instructions: string): readonly Tool[] {
  if (instructions === "") return tools;
  return tools.map((each) => (each.name === "read" ? Object.freeze({ ...each, instructions }) : each));
}

/** The same list as long as the text is the same. */
function memoizeLast(make: (text: string) => readonly Tool[]): (text: string) => readonly Tool[] {
  let last: { readonly text: string; readonly list: readonly Tool[] } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, list: make(text) };
    return last.list;
  };
}
