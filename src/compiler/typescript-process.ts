import { openSync } from "node:fs";
import type * as Syntax from "typescript/unstable/ast";
import type * as TypeScript from "typescript/unstable/sync";

/** TypeScript itself: the checker's API and the syntax tree's vocabulary. */
export interface TypeScriptModules {
  readonly typescript: typeof TypeScript;
  readonly syntax: typeof Syntax;
}

/** Loads TypeScript. Nothing of it is loaded before. Throws what `import()` throws where it is not installed. */
export async function loadTypeScript(): Promise<TypeScriptModules> {
  const [typescript, syntax] = await Promise.all([
    import("typescript/unstable/sync"),
    import("typescript/unstable/ast"),
  ]);
  return { typescript, syntax };
}

/**
 * Starts TypeScript's process.
 * @param readFile - The text of files that are not on disk; `undefined` for all others.
 */
export function openApi(
  { typescript }: TypeScriptModules,
  cwd: string,
  readFile: (path: string) => string | undefined,
): TypeScript.API {
  const api = withRareCollections(() => new typescript.API({ cwd, fs: { readFile } }));
  if (process.versions["deno"] !== undefined && process.platform !== "win32") reopenPipes(api);
  return api;
}

/**
 * Go clears its memory away whenever it has doubled: four times before TypeScript has read its own libraries, which costs a
 * sixth of the time. The process that `start` starts waits until it has grown five times, unless the environment says else.
 */
function withRareCollections<Started>(start: () => Started): Started {
  const { env } = process;
  if (env["GOGC"] !== undefined) return start();
  env["GOGC"] = "400";
  try {
    return start();
  } finally {
    delete env["GOGC"];
  }
}

/**
 * Deno reads and writes only those pipes by their number that it has opened as files; TypeScript takes the numbers of
 * its child's. `/dev/fd` opens them again. (On Windows, TypeScript opens a named pipe as a file.)
 */
function reopenPipes(api: TypeScript.API): void {
  const client: unknown = Reflect.get(api, "client");
  const channel: unknown = isRecord(client) ? client["channel"] : undefined;
  const { readFd, writeFd } = isRecord(channel) ? channel : {};
  if (!isRecord(channel) || typeof readFd !== "number" || typeof writeFd !== "number") {
    throw new TypeError("TypeScript's process cannot be reached from Deno");
  }
  Object.assign(channel, {
    readFd: openSync(`/dev/fd/${readFd}`, "r"),
    writeFd: openSync(`/dev/fd/${writeFd}`, "w"),
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
