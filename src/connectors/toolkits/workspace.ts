import { assertKnownOptions, describeValue, invalidOption } from "../../base/options/known-options.ts";
import type { SandboxOptions } from "../../sandbox/types.ts";
import type { ToolPolicy } from "../../tool/policy.ts";
import { toolset, type WrappedToolset } from "../../tool/toolset.ts";
import type { Toolset } from "../../tool/types.ts";
import { absolutePath } from "../../base/util/absolute-path.ts";
import { isPath, rootFor, type WorkspaceRoot } from "./workspace-root.ts";

/** A folder that a model works in. */
export interface WorkspaceOptions<C = unknown> {
  /**
   * The folder, or a function that finds it in the context of the run: `({ context }) => context.editor.cwd`. No file outside of it is
   * read or written.
   */
  readonly root: WorkspaceRoot<C>;
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

/** How many folders stay open. One more, and the one that was not used for longest is opened again when a run needs it. */
const mostRoots = 1_000;

/**
 * The files of a folder as a toolset: `read`, `write`, `edit`, `glob` and `grep`, and with a `sandbox` also `bash`, which waits for an
 * approval. Models read what the project's `AGENTS.md` says.
 * ```ts
 * new Agent({ name: "Coder", tools: [workspace({ root: "./project", sandbox: true })] })
 * ```
 * @throws ConfigurationError for an invalid option; in a run for one of the sandbox, `workspace-root` where a function finds no folder,
 *   `workspace-folder` for a folder that is not there, and `sandbox-unavailable` where there can be no sandbox.
 */
export function workspace<C = unknown>(options: WorkspaceOptions<C>): WrappedToolset {
  assertKnownOptions(options, optionNames, place);
  const { root, sandbox = false, approval = true, agentsFile = true } = options;
  if (typeof root !== "function" && !isPath(root))
    throw wrong("root", 'a path, such as "./project", or a function of the context', root);
  if (typeof sandbox !== "boolean" && (typeof sandbox !== "object" || sandbox === null))
    throw wrong("sandbox", "true, false or options of a sandbox", sandbox);
  if (typeof approval !== "boolean" && typeof approval !== "function")
    throw wrong("approval", "true, false or a function", approval);
  if (typeof agentsFile !== "boolean") throw wrong("agentsFile", "true or false", agentsFile);
  // Where the process is when this is called counts.
  const start = typeof root === "function" ? root : absolutePath(root);
  const others = {
    sandbox: typeof sandbox === "boolean" ? (sandbox ? {} : undefined) : sandbox,
    approval,
    agentsFile,
  };
  const opened = new Map<string, Promise<Toolset>>();
  const open = (folder: string): Promise<Toolset> => {
    const toolset =
      opened.get(folder) ??
      import("#workspace").then(({ openWorkspace }) => openWorkspace({ ...others, root: folder }));
    // The last one is the one that was used last.
    opened.delete(folder);
    opened.set(folder, toolset);
    const [oldest = folder] = opened.keys();
    if (opened.size > mostRoots) opened.delete(oldest);
    // What is missing may be there in the next run.
    toolset.catch(() => opened.delete(folder));
    return toolset;
  };
  const kit: Toolset = {
    name: "workspace",
    async tools(context) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the run's caller gave the context its type
      const folder = await rootFor(start, context.context as C);
      return (await open(folder)).tools(context);
    },
    close: async () => {
      const all = await Promise.allSettled(opened.values());
      await Promise.all(all.map(async (each) => each.status === "fulfilled" && each.value.close?.()));
    },
  };
  return toolset([kit], "workspace");
}

function wrong(option: string, words: string, value: unknown): Error {
  return invalidOption(`${option} of ${place} must be ${words}, not ${describeValue(value)}.`, { option });
}
