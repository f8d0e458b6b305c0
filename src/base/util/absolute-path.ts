import { builtinModule } from "./builtin-module.ts";

/**
 * The path that a program means when it passes it: a tool may change the working directory later. Unchanged on a runtime
 * without files.
 */
export function absolutePath(path: string): string {
  return builtinModule("node:path")?.resolve(path) ?? path;
}
