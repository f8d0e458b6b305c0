import { ConfigurationError } from "../../../errors.ts";
import { invalidOption } from "../../../base/options/known-options.ts";
import { closest } from "../../../base/util/closest.ts";
import type { McpCommandOptions, McpCommonOptions, McpUrlOptions } from "../client/types.ts";
import { installers, type McpPreset, type PresetName, presetTable } from "./table.ts";

/** How a preset's server is started, beside what the preset says. */
export interface PresetOptions extends McpCommonOptions {
  /** Further arguments for the program. */
  readonly args?: readonly string[];
  /** Values of the preset's variables, before those of the environment, and other variables that the program needs. */
  readonly env?: Readonly<Record<string, string>>;
  /** The program's working directory. */
  readonly cwd?: string;
}

/** Something that a preset needs and does not have. */
export interface Missing {
  readonly code: "missing-variable" | "missing-command" | "missing-file" | "missing-argument";
  /** The variable, the command, the file or the argument. */
  readonly what: string;
  /** The variable that names the file. */
  readonly variable?: string;
  /** A sentence with the fix. */
  readonly message: string;
}

/**
 * What a preset's server is reached with.
 * @throws ConfigurationError (`missing-variable`, `missing-command`, `missing-file`, `missing-argument`) for the first thing
 * that it needs and does not have.
 */
export function presetSettings(
  name: PresetName,
  options: PresetOptions = {},
): McpCommandOptions | McpUrlOptions {
  const preset = presetOf(name);
  const [missing] = missingOf(preset, options);
  if (missing) {
    const { code, what, message } = missing;
    throw new ConfigurationError(`presets.${name}: ${message} See ${preset.docs}`, {
      code,
      data: { preset: name, [code.replace("missing-", "")]: what },
    });
  }
  const { args = [], env = {}, cwd, ...common } = options;
  const { command, url, headers = {}, args: own = [] } = preset;
  const values = valuesOf(preset, env);
  const fill = (text: string): string =>
    text.replaceAll(placeholder, (_, name: string) => values[name] ?? "");
  if (url !== undefined) {
    if (args.length > 0 || cwd !== undefined) {
      const option = cwd === undefined ? "args" : "cwd";
      throw invalidOption(`presets.${name} starts no program: it takes no ${option}.`, { option });
    }
    const filled = Object.entries(headers).map(([header, text]) => [header, fill(text)]);
    return { name, ...common, url, headers: Object.fromEntries(filled) };
  }
  const placeholders = placeholdersIn(own);
  const environment = Object.entries(values).filter(([name]) => !placeholders.has(name));
  const further = preset.folders === undefined ? args : args.map((folder) => path().resolve(folder));
  return {
    name,
    ...common,
    command: command ?? "",
    args: [...own.map(fill), ...further],
    env: { ...networkOf(command), ...env, ...Object.fromEntries(environment) },
    ...(cwd !== undefined && { cwd }),
  };
}

/** All that a preset needs and does not have, as far as can be seen from here. */
export function missingOf(
  preset: McpPreset,
  { args = [], env = {} }: PresetOptions = {},
): readonly Missing[] {
  const missing: Missing[] = [];
  const { command, folders, variables = {} } = preset;
  if (command !== undefined && !isCommand(command)) {
    const message = `the command ${command} is not there: ${installers[command]?.from ?? "install it"}.`;
    missing.push({ code: "missing-command", what: command, message });
  }
  if (folders !== undefined) missing.push(...missingFolders(args));
  const values = valuesOf(preset, env);
  for (const [variable, { about, isRequired, from, file }] of Object.entries(variables)) {
    const value = values[variable];
    const hint = from === undefined ? "" : ` (${from})`;
    if (value === undefined && isRequired) {
      const message = `${variable} is not set: ${about}${hint}.`;
      missing.push({ code: "missing-variable", what: variable, message });
    } else if (value !== undefined && file === "existing" && !exists(value)) {
      const message = `${variable} names no file, ${value}${hint}.`;
      missing.push({ code: "missing-file", what: value, variable, message });
    }
  }
  return missing;
}

/**
 * A preset by its name.
 * @throws ConfigurationError for a name that none has, with the nearest that one has.
 */
function presetOf(name: string): McpPreset {
  const preset = Object.entries(presetTable).find(([presetName]) => presetName === name);
  if (preset) return preset[1];
  const names = Object.keys(presetTable);
  const [near] = closest(name, names, 1);
  const hint = near === undefined ? `There are: ${names.join(", ")}.` : `Did you mean "${near}"?`;
  throw new ConfigurationError(`There is no preset "${name}". ${hint}`, {
    code: "invalid-option",
    data: { preset: name },
  });
}

const placeholder = /\$\{(\w+)\}/g;

function placeholdersIn(texts: readonly string[]): ReadonlySet<string | undefined> {
  return new Set(texts.flatMap((text) => [...text.matchAll(placeholder)].map(([, name]) => name)));
}

/** The values that a preset's variables have; an empty one is none. */
function valuesOf(
  { variables = {} }: McpPreset,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const values = Object.entries(variables).flatMap(([name, { file }]) => {
    const value = env[name] || process.env[name];
    return value ? [[name, file === undefined ? value : path().resolve(value)] as const] : [];
  });
  return Object.fromEntries(values);
}

/** What the program that fetches the server needs to reach the network from here. */
function networkOf(command = ""): Readonly<Record<string, string>> {
  const pairs = (installers[command]?.network ?? []).map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(pairs.filter((pair): pair is readonly [string, string] => Boolean(pair[1])));
}

function missingFolders(args: readonly string[]): readonly Missing[] {
  if (args.length === 0) {
    const message = "it needs the folders that it may use: presets.filesystem(folder, ...).";
    return [{ code: "missing-argument", what: "folder", message }];
  }
  const missing = args.filter((folder) => !exists(folder));
  return missing.map((what) => ({
    code: "missing-file",
    what,
    message: `the folder ${what} does not exist.`,
  }));
}

/** Whether a program is where the system looks for it. */
function isCommand(command: string): boolean {
  const { PATH = "", PATHEXT = "" } = process.env;
  const endings = process.platform === "win32" ? PATHEXT.split(";") : [""];
  const system = path();
  return PATH.split(system.delimiter).some((folder) =>
    endings.some((ending) => canAccess(system.join(folder, command + ending), fs().constants.X_OK)),
  );
}

function exists(file: string): boolean {
  return canAccess(file, fs().constants.F_OK);
}

function canAccess(file: string, mode: number): boolean {
  try {
    fs().accessSync(file, mode);
    return true;
  } catch {
    // Not there, or not for us: either way it cannot be used.
    return false;
  }
}

/** Asked for at run time: servers at addresses are reached from runtimes without files, too. */
function fs(): ReturnType<typeof process.getBuiltinModule<"node:fs">> {
  return process.getBuiltinModule("node:fs");
}

function path(): ReturnType<typeof process.getBuiltinModule<"node:path">> {
  return process.getBuiltinModule("node:path");
}
