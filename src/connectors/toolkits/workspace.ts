import { absolutePath } from "../../base/util/absolute-path.ts";
import { assertKnownOptions, describeValue, invalidOption } from "../../base/options/known-options.ts";
import type { SandboxOptions } from "../../sandbox/types.ts";
import type { ToolPolicy } from "../../tool/policy.ts";
import { toolset, type WrappedToolset } from "../../tool/toolset.ts";
import type { Toolset } from "../../tool/types.ts";

/** A folder that a model works in. */
export interface WorkspaceOptions {
  /** The folder. No file outside of it is read or written. */
  readonly root: string;
  /**
   * Has the model run commands, in a sandbox: `true`, or the options of one. Files are read and written there, too. Without it, nothing
   * runs.
   */
  readonly sandbox?: boolean | SandboxOptions | undefined;
  /** Whether `bash` waits for a person's approval; `true` by default. A function decides on commands. */
  readonly approval?: ToolPolicy<{ readonly command: string }>["approval"];
  /** Whether models read the `AGENTS.md` of the folder, and of folders in it; `true` by default. */
  readonly agentsFile?: boolean | undefined;
}

const optionNames = {
  root: true,
  sandbox: true,
  approval: true,
  agentsFile: true,
} satisfies Record<keyof WorkspaceOptions, true>;

const place = "workspace()";

/**
 * The files of a folder as a toolset: `read`, `write`, `edit`, `glob` and `grep`, and with a `sandbox` also `bash`, which waits for an
 * approval. Models read what the project's `AGENTS.md` says.
 * ```ts
 * new Agent({ name: "Coder", tools: [workspace({ root: "./project", sandbox: true })] })
 * ```
 * @throws ConfigurationError for an invalid option; in the first run for one of the sandbox, `workspace-folder` for a folder that is not
 *   there, and `sandbox-unavailable` where there can be no sandbox.
 */
export function workspace(options: WorkspaceOptions): WrappedToolset {
  assertKnownOptions(options, optionNames, place);
  const { root, sandbox = false, approval = true, agentsFile = true } = options;
  if (typeof root !== "string" || root === "" || root.includes("\0"))
    throw wrong("root", 'a path, such as "./project"', root);
  if (typeof sandbox !== "boolean" && (typeof sandbox !== "object" || sandbox === null))
    throw wrong("sandbox", "true, false or options of a sandbox", sandbox);
  if (typeof approval !== "boolean" && typeof approval !== "function")
    throw wrong("approval", "true, false or a function", approval);
  if (typeof agentsFile !== "boolean") throw wrong("agentsFile", "true or false", agentsFile);
  const complete = {
    root: absolutePath(root),
    sandbox: typeof sandbox === "boolean" ? (sandbox ? {} : undefined) : sandbox,
    approval,
    agentsFile,
  };
  let opened: Promise<Toolset> | undefined;
  const kit: Toolset = {
    name: "workspace",
    async tools(context) {
      opened ??= import("#workspace").then(({ openWorkspace }) => openWorkspace(complete));
      // What is missing may be there in the next run.
      opened.catch(() => (opened = undefined));
      return (await opened).tools(context);
    },
    close: async () => {
      const last = await opened?.catch(() => undefined);
      await last?.close?.();
    },
  };
  return toolset([kit], "workspace");
}

function wrong(option: string, words: string, value: unknown): Error {
  return invalidOption(`${option} of ${place} must be ${words}, not ${describeValue(value)}.`, { option });
}
