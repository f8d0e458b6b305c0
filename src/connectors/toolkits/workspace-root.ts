import { describeValue } from "../../base/options/known-options.ts";
import { absolutePath } from "../../base/util/absolute-path.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { ConfigurationError } from "../../errors.ts";

/** The folder of a workspace, or what finds it for a run. */
export type WorkspaceRoot<C> =
  | string
  | ((run: { readonly context: C }) => string | undefined | Promise<string | undefined>);

/** Whether a value can be the path of a folder. */
export function isPath(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !value.includes("\0");
}

/**
 * The folder for a run, as an absolute path.
 * @throws ConfigurationError (`workspace-root`) where the function throws, or returns no path.
 */
export async function rootFor<C>(root: WorkspaceRoot<C>, context: C): Promise<string> {
  const path: unknown = typeof root === "string" ? root : await called(root, context);
  if (isPath(path)) return absolutePath(path);
  throw noRoot(`returned ${describeValue(path)}, and no path`);
}

async function called<C>(root: Exclude<WorkspaceRoot<C>, string>, context: C): Promise<unknown> {
  try {
    return await root({ context });
  } catch (error) {
    throw noRoot(`threw: ${errorMessage(error)}`, error);
  }
}

function noRoot(words: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(
    `root of workspace() ${words}. It is called with the context of the run: pass what it reads, as in run(agent, input, { context: { editor: { cwd: "./project" } } }) for root: ({ context }) => context.editor.cwd. In an editor, skein acp sets context.editor.`,
    { code: "workspace-root", cause },
  );
}
