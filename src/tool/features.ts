/**
 * What a program that only defines tools does without: nothing else in this room is loaded on demand. Runs import how tools
 * are derived statically.
 */
import type * as Derive from "./derive.ts";
import type * as ModuleTools from "./module-tools.ts";
import type * as RegisterTools from "./register-tools.ts";
import type * as Search from "./search.ts";
import type * as Toolsets from "./toolsets/index.ts";

/** Tools of functions. */
export function loadDerive(): Promise<typeof Derive> {
  return import("./derive.ts");
}

/** Tools of any source, ready to be called. */
export function loadRegisterTools(): Promise<typeof RegisterTools> {
  return import("./register-tools.ts");
}

/** Toolsets that are renamed, filtered, deferred or held to policies. */
export function loadToolsets(): Promise<typeof Toolsets> {
  return import("./toolsets/index.ts");
}

/** The search of tools. */
export function loadSearch(): Promise<typeof Search> {
  return import("./search.ts");
}

/** Tools that a module exports. */
export function loadModuleTools(): Promise<typeof ModuleTools> {
  return import("./module-tools.ts");
}
