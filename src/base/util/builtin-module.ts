/** Those of Node's own modules that are used where they are there. */
type Builtins =
  | "node:async_hooks"
  | "node:crypto"
  | "node:diagnostics_channel"
  | "node:fs"
  | "node:http"
  | "node:os"
  | "node:path"
  | "node:sqlite"
  | "node:stream"
  | "node:zlib";

/** A module of Node's own; `undefined` where there is none. The Edge runtime of Next.js has the function, and throws when it is called. */
export function builtinModule<Name extends Builtins>(
  name: Name,
): ReturnType<typeof process.getBuiltinModule<Name>> | undefined {
  try {
    return globalThis.process?.getBuiltinModule?.(name);
  } catch {
    return undefined;
  }
}
