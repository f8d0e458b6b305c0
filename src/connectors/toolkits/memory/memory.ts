import { assertFunction } from "../../../base/options/assert-function.ts";
import { assertKnownOptions, describeValue, invalidOption } from "../../../base/options/known-options.ts";
import { absolutePath } from "../../../base/util/absolute-path.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import { toolset, type WrappedToolset } from "../../../tool/toolset.ts";
import type { Tool } from "../../../tool/types.ts";
import { MemoryError } from "./errors.ts";
import type { MemoryStore } from "./memory-store.ts";
import type { LoadStore } from "./memory-tools.ts";

/** Where memories are: a SQLite database, a folder, or a store of your own. */
export type MemoryPlace = { readonly sqlite: string } | { readonly folder: string } | MemoryStore;

/** Whose memory a model has. */
export interface MemoryOptions<C = unknown> {
  /**
   * Whose memory it is, from the context of the run: a user, say. If it returns nothing, calls are refused. Without this option, all runs
   * share one memory.
   */
  readonly owner?: (context: C) => string | undefined | Promise<string | undefined>;
}

const optionNames = { owner: true } satisfies Record<keyof MemoryOptions, true>;

const example = 'memory({ sqlite: "memory.db" })';

/**
 * A memory that outlives conversations, as a toolset: `memory`, with the commands of Anthropic's memory tool (view, create, str_replace,
 * insert, delete, rename of files in `/memories`), and `search_memory`.
 * ```ts
 * new Agent({ name: "Clerk", tools: [memory({ sqlite: "memory.db" }, { owner: (context) => context.userId })] })
 * ```
 * @throws ConfigurationError for an invalid option.
 */
export function memory<C = unknown>(place: MemoryPlace, options: MemoryOptions<C> = {}): WrappedToolset {
  assertKnownOptions(options, optionNames, "memory()");
  const { owner } = options;
  assertFunction("owner", owner, "memory()", "owner: (context) => context.userId");
  const store = storeOf(place);
  const ownerOf = async ({ context }: ToolContext): Promise<string> => {
    if (!owner) return "";
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the run's caller gave the context its type
    return checkedOwner(await owner(context as C));
  };
  let tools: Promise<readonly Tool[]> | undefined;
  const kit = {
    name: "memory",
    tools: () =>
      (tools ??= import("./memory-tools.ts").then(({ memoryTools }) => memoryTools(store, ownerOf))),
    close: async () => {
      await (await store()).close?.();
    },
  };
  return toolset([kit], "memory");
}

/** What loads a store when it is first used. */
function storeOf(place: MemoryPlace): LoadStore {
  const value: unknown = place;
  if (typeof value !== "object" || value === null) throw wrongPlace(value);
  if ("list" in place) {
    for (const method of ["list", "read", "change"] as const)
      if (typeof place[method] !== "function") throw wrongPlace(place);
    return async () => place;
  }
  assertKnownOptions(place, { sqlite: true, folder: true }, "the place of memory()");
  const [name, ...others] = Object.keys(place);
  const path: unknown = "sqlite" in place ? place.sqlite : place.folder;
  if (others.length > 0 || typeof path !== "string" || path === "" || path.includes("\0"))
    throw wrongPlace(place);
  // SQLite's name for a database that is in no file.
  const file = path === ":memory:" ? path : absolutePath(path);
  let store: Promise<MemoryStore> | undefined;
  const load =
    name === "sqlite"
      ? async () => (await import("./sqlite-memory.ts")).sqliteMemory(file)
      : async () => (await import("./folder-memory.ts")).folderMemory(file);
  return () => (store ??= load());
}

function wrongPlace(value: unknown): Error {
  return invalidOption(
    `memory() takes a place, not ${describeValue(value)}. Write ${example}, memory({ folder: "./memory" }), or pass a store with list, read and change.`,
    { option: "place" },
  );
}

/** @throws MemoryError where it is not known whose memory it is: one of all runs would be that of others. */
function checkedOwner(owner: unknown): string {
  if (
    typeof owner === "string" &&
    owner !== "" &&
    owner.length <= 1_000 &&
    owner.isWellFormed() &&
    !owner.includes("\0")
  )
    return owner;
  throw new MemoryError("Memory is not available: this run does not say whose it is. Continue without it.");
}
