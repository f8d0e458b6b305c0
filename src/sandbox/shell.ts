import { resolve } from "node:path";
import { invalidOption } from "../base/options/known-options.ts";
import { toolset, type WrappedToolset } from "../tool/toolset.ts";
import type { ToolPolicy } from "../tool/policy.ts";
import { hasNetwork } from "./domains.ts";
import { assertOfHost, assertSandboxOptions, folderAt, readSandboxOptions } from "./options.ts";
import { shellTools } from "./shell-tools.ts";
import { turnsIn, writableIn } from "./turns.ts";
import type { Sandbox, SandboxFolder, SandboxOptions, TierOptions } from "./types.ts";

/** A shell over a folder. */
export interface ShellOptions extends SandboxOptions {
  /** The folder that the shell has as `/work`, where it starts. With `via: "memory"` it may be left out: `/work` is in memory then. */
  readonly root?: string | undefined;
  /** Whether `bash`, `write` and `edit` wait for a person's approval. A function decides on commands of `bash`. */
  readonly approval?: ToolPolicy<{ readonly command: string }>["approval"];
}

/** Where programs have the root folder: the first one that no other folder of theirs is in, which would be made there. */
const workFolders = ["/work", "/workspace", "/project"] as const;
const [workFolder] = workFolders;

/**
 * A shell over a folder, as a toolkit: `bash`, `read`, `write`, `edit`, `glob` and `grep`. All of them run in the sandbox. `bash` waits for
 * an approval with `net`, and so do all that write if there are folders to `write` beside the root, unless `approval` says otherwise.
 * ```ts
 * new Agent({ name: "Coder", tools: [sandbox.shell({ root: "./work" })] })
 * ```
 * @throws ConfigurationError for an invalid option; `sandbox-unavailable`, in the first run, where there can be no sandbox.
 */
export function shell(options: ShellOptions): WrappedToolset {
  const place = "sandbox.shell()";
  assertSandboxOptions(options, { root: true, approval: true }, place);
  const { root, approval, ...rest } = options;
  const { box, options: complete, work } = openRoot(root, rest, place);
  const isWritingElsewhere = complete.folders.some((folder) => folder.isWritable && folder !== work);
  const approvals = {
    bash: approval ?? (hasNetwork(complete) || isWritingElsewhere),
    write: typeof approval === "boolean" ? approval : isWritingElsewhere,
  };
  const tools = shellTools(box, complete, approvals, turnsIn(writableIn(complete.folders)));
  const tried = onceTried(box);
  const kit = {
    name: "shell",
    tools: async () => {
      await tried();
      return tools;
    },
    close: () => box.close(),
  };
  return toolset([kit], "shell");
}

/** Tries a sandbox at its first use: a machine without one ends the run before a model is called. */
export function onceTried(box: Sandbox): () => Promise<unknown> {
  let trial: Promise<unknown> | undefined;
  return async () => {
    trial ??= box.exec(["true"]);
    trial.catch(() => (trial = undefined));
    return trial;
  };
}

/** A sandbox with a folder to work in. */
export interface RootSandbox {
  readonly box: Sandbox;
  readonly options: TierOptions;
  /** The folder; absent where it is in memory. */
  readonly work: SandboxFolder | undefined;
}

/**
 * Opens a sandbox that starts in a folder.
 * @throws ConfigurationError for an invalid option.
 */
export function openRoot(root: string | undefined, options: SandboxOptions, place: string): RootSandbox {
  const work = root === undefined && options.via === "memory" ? undefined : rootFolder(root, options, place);
  const read = readSandboxOptions(options, place, work, work?.target ?? workFolder);
  return { box: read.tier(read.options), options: read.options, work };
}

function isNamedWithin(folder: string, { read, write }: SandboxOptions): boolean {
  const named = [read, write].flatMap((paths: unknown) => (Array.isArray(paths) ? paths : []));
  return named.some((path) => typeof path === "string" && `${resolve(path)}/`.startsWith(`${folder}/`));
}

/** The folder under its name in the shell. One tier shows folders under their own paths alone. */
function rootFolder(root: unknown, options: SandboxOptions, place: string): SandboxFolder {
  const { via, net } = options;
  const source = folderAt("root", root, place);
  assertOfHost("root", source, place);
  const isInPlace = via === "sandbox-runtime" || (via === undefined && Array.isArray(net));
  if (isInPlace) return { source, target: source, isWritable: true };
  const target = workFolders.find((folder) => !isNamedWithin(folder, options));
  if (target === undefined)
    throw invalidOption(
      `read and write of ${place} name folders within each of ${workFolders.join(", ")}: the shell needs one of them for its root.`,
      { option: "read" },
    );
  return { source, target, isWritable: true };
}
