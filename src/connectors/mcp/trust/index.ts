import type { Tool as RemoteTool } from "@modelcontextprotocol/client";
import { ConfigurationError } from "../../../errors.ts";
import { canonicalJson } from "../../../lock/canonical.ts";
import type * as lockFileRoom from "../../../lock/lock-file.ts";
import { lockTool, type LockedTool, type LockedTools } from "../../../lock/lock.ts";
import type { JsonObject } from "../../../base/util/json.ts";
import { cleanName } from "../../../base/util/clean-text.ts";
import type { ServerScope } from "../client/scope.ts";
import type { TrustOptions } from "./types.ts";

/** A tool of a server, and what was found of it. */
export interface JudgedTool {
  readonly tool: RemoteTool;
  /** Whether its calls wait for a person's decision. */
  readonly approval?: boolean;
}

/** How the tools of servers that are in no lock were when they were first listed. */
const firstSeen = new WeakMap<ServerScope, LockedTools>();

/**
 * Looks at what a server lists, exactly as it says it, before anything of it is used. Reports through `scope.warn`.
 * @param listed all that it lists, where `tools` are only some of them.
 * @throws ConfigurationError for a lock that cannot be read (`lock-file`), and for an entry that another server has taken
 * (`mcp-name`).
 */
export async function judgeTools(
  tools: readonly RemoteTool[],
  { trust = "warn", lockFile }: TrustOptions,
  scope: ServerScope,
  listed: readonly RemoteTool[] = tools,
): Promise<readonly JudgedTool[]> {
  if (trust === "off") return tools.map((tool) => ({ tool }));
  const readable = await readableTools(tools, scope);
  const now = entriesOf(readable);
  const inLock = await lockedOf(lockFile, scope);
  if (!inLock && lockFile !== undefined && trust === "warn") await writeTools(lockFile, scope, now);
  const isStrict = trust === "strict";
  if (isStrict && !inLock) {
    scope.warn(
      `The tools of the MCP server "${scope.server}" are in no lock: each call waits for a person. Lock them with lock().`,
    );
  }
  if (inLock) reportGone(inLock, listed, scope);
  const before = inLock ?? firstSeen.get(scope) ?? now;
  if (!inLock) firstSeen.set(scope, before);
  return readable.map(({ tool, locked }) => {
    const change = changeOf(own(before, tool.name), locked);
    if (change !== undefined) scope.warn(report(tool.name, change, scope, isStrict));
    return { tool, approval: isStrict && (change !== undefined || !inLock) };
  });
}

/**
 * Replaces a server's entries in a lock by its current tools, and returns the lock's path.
 * @throws ConfigurationError (`lock-file`) for a lock that cannot be read; the system's error.
 */
export async function lockTools(
  tools: readonly RemoteTool[],
  { lockFile }: TrustOptions,
  scope: ServerScope,
): Promise<string> {
  const readable = await readableTools(tools, scope);
  const path = lockFile ?? (await lockFiles()).lockPath();
  await writeTools(path, scope, entriesOf(readable));
  firstSeen.delete(scope);
  return path;
}

/** Loaded where it is needed: not every runtime has files. */
function lockFiles(): Promise<typeof lockFileRoom> {
  return import("../../../lock/lock-file.ts");
}

function entriesOf(readable: readonly ReadableTool[]): LockedTools {
  return Object.fromEntries(readable.map(({ tool, locked }) => [tool.name, locked]));
}

function originOf(server: string): string {
  return `mcp:${server}`;
}

async function lockedOf(lockFile: string | undefined, scope: ServerScope): Promise<LockedTools | undefined> {
  if (lockFile === undefined && typeof globalThis.process?.cwd !== "function") return undefined;
  const { lockPath, readLockFile } = await lockFiles();
  const path = lockFile ?? lockPath();
  const origins = (await readLockFile(path))?.lock.origins;
  const locked = origins && own(origins, originOf(scope.server));
  if (locked) holdEntry(path, scope);
  return locked;
}

async function writeTools(path: string, scope: ServerScope, tools: LockedTools): Promise<void> {
  holdEntry(path, scope);
  const { changeLockFile } = await lockFiles();
  await changeLockFile(path, (origins) => ({ ...origins, [originOf(scope.server)]: tools }));
}

/** Where each server is whose name was made for it, by its lock and that name. */
const holders = new Map<string, string>();

/** Two servers without a `name` may both be called after their host: what one lists is not a change of the other. */
function holdEntry(path: string, { server, whereabouts }: ServerScope): void {
  if (whereabouts === undefined) return;
  const entry = `${path}\n${server}`;
  const holder = holders.get(entry) ?? whereabouts;
  holders.set(entry, holder);
  if (holder === whereabouts) return;
  throw new ConfigurationError(
    `Two MCP servers are both called "${server}" and would share one entry of ${path}. Set a name for each.`,
    { code: "mcp-name", data: { server } },
  );
}

interface ReadableTool {
  readonly tool: RemoteTool;
  readonly locked: LockedTool;
}

/** Tools that cannot be written down cannot be compared, either: they are left out. */
async function readableTools(
  tools: readonly RemoteTool[],
  { server, warn }: ServerScope,
): Promise<readonly ReadableTool[]> {
  const read = await Promise.all(
    tools.map(async (tool): Promise<readonly ReadableTool[]> => {
      try {
        return [{ tool, locked: await lockTool(lockable(tool)) }];
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        warn(
          `The tool "${cleanName(tool.name)}" of the MCP server "${server}" is nested too deeply: it is left out.`,
        );
        return [];
      }
    }),
  );
  return read.flat();
}

function lockable(tool: RemoteTool): Parameters<typeof lockTool>[0] {
  const { name, description, inputSchema, outputSchema, annotations } = tool;
  return {
    name,
    inputSchema,
    ...(description !== undefined && { description }),
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations: toJson(annotations) }),
  };
}

function toJson(annotations: NonNullable<RemoteTool["annotations"]>): JsonObject {
  return Object.fromEntries(Object.entries(annotations).map(([name, value]) => [name, value]));
}

/** The parts of a tool that are told apart, in the words of a report. */
const parts = {
  description: "description",
  inputSchema: "input schema",
  outputSchema: "output schema",
  annotations: "annotations",
} as const satisfies Partial<Record<keyof LockedTool, string>>;

/** What is other than it was, in words. */
function changeOf(before: LockedTool | undefined, now: LockedTool): string | undefined {
  if (!before) return "is new";
  if (before.fingerprint === now.fingerprint) return undefined;
  const changed = (["description", "inputSchema", "outputSchema", "annotations"] as const).filter(
    (part) => canonicalJson(before[part]) !== canonicalJson(now[part]),
  );
  const names = changed.map((part) => `its ${parts[part]}`).join(" and ");
  return `has changed${names === "" ? "" : ` (${names})`}`;
}

function reportGone(before: LockedTools, listed: readonly RemoteTool[], { server, warn }: ServerScope): void {
  const names = new Set(listed.map(({ name }) => name));
  for (const name of Object.keys(before)) {
    if (names.has(name)) continue;
    warn(
      `The MCP server "${server}" has no tool "${cleanName(name)}" any more, which is in its lock. If that is meant, lock() the server.`,
    );
  }
}

function report(name: string, change: string, { server }: ServerScope, isStrict: boolean): string {
  const outcome = isStrict ? " Its calls wait for a person." : "";
  return `The tool "${cleanName(name)}" of the MCP server "${server}" ${change} since it was first trusted.${outcome} If that is meant, lock() the server.`;
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
