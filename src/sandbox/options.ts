import { resolve } from "node:path";
import { assertAtLeast } from "../base/options/at-least.ts";
import { assertKnownOptions, describeValue, invalidOption } from "../base/options/known-options.ts";
import { readNetwork } from "./domains.ts";
import { inMountOrder, isWithin, noteWritable } from "./folders.ts";
import { tierOf } from "./tiers.ts";
import type {
  CompleteLimits,
  SandboxFolder,
  SandboxLimits,
  SandboxOptions,
  SandboxTier,
  TierOptions,
} from "./types.ts";

const defaultLimits: CompleteLimits = {
  memoryMb: 512,
  processes: 256,
  fileMb: 256,
  outputBytes: 100_000,
  timeout: 60_000,
};

/** Names of all options of a sandbox. */
const sandboxOptions: Readonly<Record<keyof SandboxOptions, true>> = {
  memoryMb: true,
  processes: true,
  fileMb: true,
  outputBytes: true,
  timeout: true,
  read: true,
  write: true,
  net: true,
  env: true,
  via: true,
};

/** Folders that belong to the sandbox itself. */
const ownFolders = ["/proc", "/dev", "/sys"];

/** What the sandbox has in memory, and counts. */
const memoryFolders = new Set(["/tmp", "/var/tmp"]);

/** What a sandbox is made of, and by what. */
export interface ReadOptions {
  readonly tier: SandboxTier;
  readonly options: TierOptions;
}

/**
 * Checks all options, and completes them.
 * @param root - A folder that programs may write.
 * @param cwd - Where programs start: in that folder, or where the process is.
 * @throws ConfigurationError (`invalid-option`) for the first invalid option.
 */
export function readSandboxOptions(
  options: SandboxOptions,
  place: string,
  root?: SandboxFolder,
  cwd: string = root?.target ?? process.cwd(),
): ReadOptions {
  const { read = [], write = [], net = false, env = {}, via, ...limits } = options;
  const network = readNetwork(net, place);
  for (const limit of limitNames(limits)) assertFinite(`${limit} of ${place}`, limits[limit]);
  const folders = [
    ...(root ? [root] : []),
    ...foldersOf("write", write, place, true),
    ...foldersOf("read", read, place, false),
  ];
  assertApart(folders, place);
  noteWritable(folders);
  return {
    tier: tierOf(via, network, place),
    options: Object.freeze({
      ...withDefaults(limits),
      folders: inMountOrder(folders),
      cwd,
      ...network,
      env: readEnvironment(env, place),
    }),
  };
}

function limitNames(limits: SandboxLimits): readonly (keyof SandboxLimits)[] {
  const names: readonly (keyof SandboxLimits)[] = [
    "memoryMb",
    "processes",
    "fileMb",
    "outputBytes",
    "timeout",
  ];
  return names.filter((name) => limits[name] !== undefined);
}

function withDefaults(limits: SandboxLimits): CompleteLimits {
  const { memoryMb, processes, fileMb, outputBytes, timeout } = limits;
  return {
    memoryMb: memoryMb ?? defaultLimits.memoryMb,
    processes: processes ?? defaultLimits.processes,
    fileMb: fileMb ?? defaultLimits.fileMb,
    outputBytes: outputBytes ?? defaultLimits.outputBytes,
    timeout: timeout ?? defaultLimits.timeout,
  };
}

function assertFinite(option: string, value: unknown): void {
  assertAtLeast(option, value, 1);
  if (value === Infinity)
    throw invalidOption(`${option} must be a limit, not Infinity.`, { option: option.split(" ")[0] ?? "" });
}

/**
 * A file or folder under a path of its own.
 * @throws ConfigurationError for a path that cannot be one.
 */
export function folderAt(option: string, path: unknown, place: string): string {
  if (typeof path !== "string" || path === "" || path.includes("\0"))
    throw invalidOption(`${option} of ${place} must be a path, not ${describeValue(path)}.`, { option });
  return resolve(path);
}

function foldersOf(
  option: "read" | "write",
  paths: unknown,
  place: string,
  isWritable: boolean,
): SandboxFolder[] {
  if (!Array.isArray(paths))
    throw invalidOption(`${option} of ${place} must be a list of paths, not ${describeValue(paths)}.`, {
      option,
    });
  return paths.map((each: unknown) => {
    const path = folderAt(option, each, place);
    assertOfHost(option, path, place);
    if (memoryFolders.has(path))
      throw invalidOption(
        `${option} of ${place} names ${path}, which is memory in the sandbox. Name a folder within it.`,
        { option },
      );
    return { source: path, target: path, isWritable };
  });
}

/** What is a link into `/usr` on most systems, and in the sandbox: nothing can take its place. */
const systemFolders = new Set(["/", "/bin", "/lib", "/lib32", "/lib64", "/sbin"]);

/** @throws ConfigurationError for a folder that belongs to the sandbox itself. */
export function assertOfHost(option: string, path: string, place: string): void {
  if (systemFolders.has(path) || ownFolders.some((own) => isWithin(path, own)))
    throw invalidOption(`${option} of ${place} names ${path}, which the sandbox has its own of.`, { option });
}

/** What a program may write, it may also rename, with all that is in it: a part of it cannot be for reading alone. */
function assertApart(folders: readonly SandboxFolder[], place: string): void {
  const writable = folders.filter(({ isWritable }) => isWritable);
  for (const { source } of folders.filter(({ isWritable }) => !isWritable)) {
    const outer = writable.find((each) => isWithin(source, each.source));
    if (outer)
      throw invalidOption(
        `read of ${place} names ${source}, which is a part of ${outer.source}, and programs may write that.`,
        { option: "read" },
      );
  }
}

function readEnvironment(env: unknown, place: string): Readonly<Record<string, string>> {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(Object(env));
  const wrong = entries.find(
    ([name, value]) => typeof value !== "string" || /[=\0]|^$/.test(name) || value.includes("\0"),
  );
  if (typeof env !== "object" || env === null || wrong)
    throw invalidOption(`env of ${place} must be a record of texts${wrong ? `; ${wrong[0]} is not` : ""}.`, {
      option: "env",
    });
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/** @throws ConfigurationError (`invalid-option`) for an unknown option. */
export function assertSandboxOptions(
  options: object,
  further: Readonly<Record<string, unknown>>,
  place: string,
): void {
  assertKnownOptions(options, { ...sandboxOptions, ...further }, place);
}
