import { ConfigurationError } from "../errors.ts";
import type { JsonSchema } from "../schema/types.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { digest } from "../base/util/digest.ts";
import { isPlainObject, type JsonObject } from "../base/util/json.ts";
import { canonical, canonicalJson } from "./canonical.ts";

/** The parts of a tool that are locked. */
export interface LockableTool {
  readonly name: string;
  /** The tool's own version, if it has one. */
  readonly version?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** The annotations of the server, for a tool of a server. */
  readonly annotations?: JsonObject;
}

/** A tool as it was locked. */
export interface LockedTool extends Omit<LockableTool, "name"> {
  /** `sha256-` and the hash, in hexadecimal, of the canonical JSON of name, description, schemas and annotations. */
  readonly fingerprint: string;
}

/** The tools of one origin, by name. */
export type LockedTools = Readonly<Record<string, LockedTool>>;

/** The content of `skein.lock.json`. */
export interface Lock {
  /** The version of this format. */
  readonly lockfileVersion: 1;
  /** Tools by where they come from: a file, relative to the lock, with slashes. Those of a server are under `mcp:` and its name. */
  readonly origins: Readonly<Record<string, LockedTools>>;
}

/** A lock as text: keys sorted at every level, so that the same tools always give the same text. */
export function writeLock({ lockfileVersion, origins }: Lock): string {
  return `${JSON.stringify({ lockfileVersion, origins: canonical(origins, "") }, undefined, 2)}\n`;
}

/**
 * Reads a lock.
 * @throws ConfigurationError (`lock-file`) for text that is not a lock, or an unknown version.
 */
export function readLock(text: string, place: string): Lock {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw lockError(place, `is not JSON: ${errorMessage(error)}. Restore it, or rewrite it`, error);
  }
  if (!isPlainObject(value) || value["lockfileVersion"] !== 1) {
    throw lockError(
      place,
      "has a version that this release of skein does not support. Update skein, or rewrite it",
    );
  }
  const origins = isPlainObject(value["origins"]) ? value["origins"] : {};
  return {
    lockfileVersion: 1,
    origins: Object.fromEntries(
      Object.entries(origins).map(([origin, tools]) => [origin, lockedTools(tools, place)]),
    ),
  };
}

/** The entry of a tool. */
export async function lockTool(tool: LockableTool): Promise<LockedTool> {
  const { name, version, description, inputSchema, outputSchema, annotations } = tool;
  const facts = {
    ...(description !== undefined && { description }),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
  };
  const fingerprint = `sha256-${await digest(canonicalJson({ name, ...facts }))}`;
  return { fingerprint, ...(version !== undefined && { version }), ...facts };
}

function lockedTools(tools: unknown, place: string): LockedTools {
  if (!isPlainObject(tools)) throw lockError(place, "has an origin that is not an object. Rewrite it");
  const entries = Object.entries(tools).map(([name, tool]) => {
    if (!isLockedTool(tool)) throw lockError(place, `has an entry ${name} that is not a tool. Rewrite it`);
    return [name, tool] as const;
  });
  return Object.fromEntries(entries);
}

function isLockedTool(value: unknown): value is LockedTool {
  return (
    isPlainObject(value) && typeof value["fingerprint"] === "string" && isPlainObject(value["inputSchema"])
  );
}

function lockError(place: string, problem: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`${place} ${problem} with skein check --lock.`, { code: "lock-file", cause });
}
