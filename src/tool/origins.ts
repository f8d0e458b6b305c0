import { hasAttachedSchema } from "../schema/attach/schemas.ts";
import { captureFrames } from "../base/util/frames.ts";
import type { CallSite, ToolOrigin, ToolSource, ToolSources, Toolset } from "./types.ts";

/** A list or record of tools as a call passed it on. */
export interface SourcesOrigin {
  readonly calledAt: CallSite;
  readonly path: ToolOrigin["path"];
}

type Origins = WeakMap<object, SourcesOrigin>;

/** Registered, so that two copies of the package in one program know the same origins. */
const originsKey: symbol = Symbol.for("skein.origins");

function sharedOrigins(): Origins {
  const shared: unknown = Reflect.get(globalThis, originsKey);
  if (shared instanceof WeakMap) return shared;
  const created: Origins = new WeakMap();
  Reflect.set(globalThis, originsKey, created);
  return created;
}

/**
 * Notes which call passed a list or record of tools on, for the case that a schema is looked for: what TypeScript says of the
 * expression there counts more than the function's own code, or what another call said. Nothing is noted where a build has
 * attached the schema of every function.
 * @param hidden - The function that was called: the place is the one that called it.
 * @param path - Where the tools stand among the call's arguments.
 */
export function noteOrigin(
  sources: ToolSources | Toolset | undefined,
  hidden: Function,
  path: SourcesOrigin["path"],
): void {
  if (typeof sources !== "object" || sources === null || originOf(sources)) return;
  keepOrigin(sources, originOfSources(sources, hidden, path));
}

/** The same for those who keep it themselves. A class without a constructor of its own is one of the `frames`, too. */
export function originOfSources(
  sources: ToolSources | Toolset | undefined,
  hidden: Function,
  path: SourcesOrigin["path"],
  frames = 1,
): SourcesOrigin | undefined {
  if (typeof sources !== "object" || sources === null || !Object.values(sources).some(lacksSchema))
    return undefined;
  const calledAt = captureCall(hidden, frames);
  return calledAt && { calledAt, path };
}

/** Keeps the origin of a list or record of tools, or of an agent's tools. */
export function keepOrigin(owner: object, origin: SourcesOrigin | undefined): void {
  if (origin) sharedOrigins().set(owner, origin);
  else sharedOrigins().delete(owner);
}

/** The call that passed on a list or record of tools, or an agent's tools. */
export function originOf(owner: object): SourcesOrigin | undefined {
  return sharedOrigins().get(owner);
}

/** The origin of a function that is an argument of a call, the first by default, unless a build has attached its schema. */
export function originOfArgument(fn: object, hidden: Function, index = 0): ToolOrigin | undefined {
  const calledAt = hasAttachedSchema(fn) ? undefined : captureCall(hidden);
  return calledAt && { calledAt, path: [index] };
}

function lacksSchema(source: ToolSource): boolean {
  return typeof source === "function" && !hasAttachedSchema(source);
}

/** Where a function was called; its stack is text only once it is read. `undefined` where that cannot be captured. */
export function captureCall(hidden: Function, frames = 1): CallSite | undefined {
  return captureFrames(hidden, frames);
}
