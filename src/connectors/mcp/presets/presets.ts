import { mcpServer } from "../client/mcp-server.ts";
import type { McpToolset } from "../client/toolset.ts";
import { type PresetOptions, presetSettings } from "./settings.ts";
import type { PresetName } from "./table.ts";

/** Starts one server. */
export type Preset = (options?: PresetOptions) => McpToolset;

/** One function for each preset; that of `filesystem` takes the folders that its tools may use. */
export interface Presets extends Readonly<Record<Exclude<PresetName, "filesystem">, Preset>> {
  /** Starts a server of files, which may use these folders. */
  readonly filesystem: (...folders: readonly string[]) => McpToolset;
}

/**
 * A known server as a set of tools, checked for what it needs now and started when it is first used.
 * ```ts
 * await using browser = preset("playwright", { args: ["--headless"] });
 * ```
 * @throws ConfigurationError (`missing-variable`, `missing-command`, `missing-file`, `missing-argument`) for the first thing
 * that it needs and does not have, and for unknown options.
 */
export function preset(name: PresetName, options: PresetOptions = {}): McpToolset {
  return mcpServer(presetSettings(name, options), `presets.${name}`);
}

const make =
  (name: PresetName): Preset =>
  (options) =>
    preset(name, options);

/** Known servers, each started with one line: `presets.filesystem("./notes")`, `presets.playwright()`. */
export const presets: Presets = {
  filesystem: (...folders) => preset("filesystem", { args: folders }),
  memory: make("memory"),
  everything: make("everything"),
  playwright: make("playwright"),
  notion: make("notion"),
  googleDrive: make("googleDrive"),
  minimax: make("minimax"),
  github: make("github"),
  aci: make("aci"),
};
