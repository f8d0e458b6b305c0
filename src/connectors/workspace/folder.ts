import { realpath, stat } from "node:fs/promises";
import { posix } from "node:path";
import { ConfigurationError } from "../../errors.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { gitAdvice, gitNameIn } from "../../sandbox/git-name.ts";
import { assertRelative, type ModelFolder } from "../../sandbox/read-within.ts";
import { WorkspaceError } from "./errors.ts";

/** The longest file that is read, in bytes. */
const mostBytes = 10_000_000;

/**
 * The folder of a workspace, by its real path.
 * @throws ConfigurationError (`workspace-folder`) where there is none, or a file.
 */
export async function workspaceFolder(root: string): Promise<ModelFolder> {
  const real = await realpath(root).catch((error: unknown) => {
    throw new ConfigurationError(
      `The root of workspace() cannot be opened: ${errorMessage(error)}. Create the folder first.`,
      { code: "workspace-folder", cause: error },
    );
  });
  if (!(await stat(real)).isDirectory())
    throw new ConfigurationError(
      `The root of workspace() is not a folder: ${root}. Name the folder it is in.`,
      {
        code: "workspace-folder",
      },
    );
  return {
    root: real,
    name: "workspace",
    example: "src/index.ts",
    mostBytes,
    error: (message, cause) => new WorkspaceError(message, cause),
  };
}

/** Reads the path of a file or a pattern of paths, as a model writes it. */
export type ReadPath = (path: string) => string;

/**
 * What reads paths of a workspace. Models know the folder by the name that it has where commands run, and write that, too.
 * @param folder - The folder on this machine.
 * @param inside - Its path where commands run.
 */
export function pathReader(folder: ModelFolder, inside: string): ReadPath {
  return (path) => {
    const names = [`${inside}/`, `${folder.root}/`].find((start) => path.startsWith(start));
    const isRoot = path === inside || path === folder.root;
    const relative = plainPath(isRoot ? "." : path.slice(names?.length ?? 0));
    assertRelative(folder, relative);
    return relative.replace(/^(?:\.\/+)+/, "") || ".";
  };
}

/** A path without the folders that it leaves again. A pattern stays: nobody knows which folder a name in it stands for. */
function plainPath(path: string): string {
  return path.split("/").includes("..") && !/[*?[]/.test(path) ? posix.normalize(path) : path;
}

/**
 * What `.git` holds runs on your machine when you call git there: its hooks, and programs that its settings name.
 * @throws WorkspaceError for a path in it.
 */
export function assertWritable(path: string): void {
  const name = gitNameIn(path);
  if (name !== undefined) throw new WorkspaceError(`${path} is in ${name}, ${gitAdvice}`);
}
