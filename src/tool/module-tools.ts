import { ConfigurationError } from "../errors.ts";
import { tool } from "./define.ts";
import { isToolset, isToolSource } from "./is-source.ts";
import type { ToolFunction } from "./tool-function.ts";
import type { FunctionTool, Tool } from "./types.ts";

/**
 * Every tool that a module exports.
 * @param module a module, or the URL of one.
 * @throws ConfigurationError if it exports none, or the address is a relative path.
 */
export async function toolsOfModule(
  module: object | string,
): Promise<readonly (ToolFunction | FunctionTool | Tool)[]> {
  const exported =
    typeof module === "object" && !(module instanceof URL) ? module : await importModule(module);
  const sources = Object.entries(exported).flatMap(([name, value]) => {
    if (!isToolSource(value) || isToolset(value)) return [];
    return [typeof value === "function" && value.name === "" ? tool(value, { name }) : value];
  });
  if (sources.length > 0) return sources;
  throw invalidTool(`The module exports no tools, only: ${Object.keys(exported).join(", ") || "nothing"}.`);
}

async function importModule(address: string | URL): Promise<object> {
  const text = String(address);
  if (/^\.{0,2}\//.test(text)) {
    throw invalidTool(
      `load("${text}") cannot determine the folder of a relative path. Pass new URL("${text}", import.meta.url), or the module itself.`,
    );
  }
  return import(/* @vite-ignore */ /* webpackIgnore: true */ text);
}

function invalidTool(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "invalid-tool" });
}
