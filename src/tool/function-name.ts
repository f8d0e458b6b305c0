import type { ToolFunction } from "./tool-function.ts";

/** A function's own name, without the marks that runtimes add; `undefined` for an anonymous one. */
export function functionName(fn: ToolFunction): string | undefined {
  const name = fn.name.replace(/^(?:bound |get |set )+/, "");
  // Default exports have no name of their own: "default", or vite's "__vite_ssr_export_default__".
  return name === "" || name === "default" || name.startsWith("__vite_ssr") ? undefined : name;
}

/** How to point at a function in a message: its name, or the beginning of its source. */
export function describeFunction(fn: ToolFunction): string {
  const name = functionName(fn);
  if (name !== undefined) return name;
  const source = Function.prototype.toString.call(fn).replaceAll(/\s+/g, " ");
  return source.length > 60 ? `${source.slice(0, 60)}…` : source;
}
