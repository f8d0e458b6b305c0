import { ChildProcess } from "node:child_process";
import { openSync } from "node:fs";
import type * as Syntax from "typescript/unstable/ast";
import type * as TypeScript from "typescript/unstable/sync";
import { SchemaNotFoundError } from "../../errors.ts";
import { isObject } from "../../base/util/json.ts";

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
  const channel = channelOf(api);
  if (process.versions["deno"] !== undefined && process.platform !== "win32") reopenPipes(channel);
  translateCrashes(channel);
  endAtOnce(channel);
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
function reopenPipes(channel: Channel): void {
  const { readFd, writeFd } = channel ?? {};
  if (channel === undefined || typeof readFd !== "number" || typeof writeFd !== "number") {
    throw new TypeError("TypeScript's process cannot be reached from Deno");
  }
  channel["readFd"] = openSync(`/dev/fd/${readFd}`, "r");
  channel["writeFd"] = openSync(`/dev/fd/${writeFd}`, "w");
}

/** What requests go through to TypeScript's process. */
type Channel = Record<string, unknown> | undefined;

function channelOf(api: TypeScript.API): Channel {
  const client: unknown = Reflect.get(api, "client");
  const channel: unknown = isObject(client) ? client["channel"] : undefined;
  return isObject(channel) ? channel : undefined;
}

/** Asked to end (SIGTERM), TypeScript's process may print "context canceled", or wait for its next request: it has nothing to save. */
function endAtOnce(channel: Channel): void {
  const child: unknown = channel?.["child"];
  if (!(child instanceof ChildProcess)) return;
  const kill = child.kill.bind(child);
  child.kill = (signal = "SIGKILL") => kill(signal);
}

/** TypeScript survives a request that crashes it, and answers with the stack of its own code: nothing that a program's author could use. */
function translateCrashes(channel: Channel): void {
  if (channel === undefined) return;
  for (const name of ["requestSync", "requestBinarySync"]) {
    const request: unknown = channel[name];
    if (typeof request !== "function") continue;
    channel[name] = (method: string, payload: unknown): unknown => {
      try {
        return Reflect.apply(request, channel, [method, payload]);
      } catch (error) {
        throw isCrash(error) ? new TypeScriptCrash(method) : error;
      }
    };
  }
}

function isCrash(error: unknown): boolean {
  return error instanceof Error && /^panic:|\bgoroutine \d+ \[/.test(error.message);
}

/** TypeScript cannot answer a request, which is a mistake of its own. */
export class TypeScriptCrash extends SchemaNotFoundError {
  static override readonly name: string = "SchemaNotFoundError";

  constructor(request: string) {
    super(
      `TypeScript crashes on this code (at its request ${request}). ` +
        "Write the types here out, or write the tool as tool({ name, input, execute }).",
      { data: { request } },
    );
  }
}
