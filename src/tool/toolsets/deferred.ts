import { memoize } from "../../base/util/memoize.ts";
import type { Message } from "../../message/messages.ts";
import { originWithin, referencesOf } from "../rename-tools.ts";
import { findsIn } from "../searches.ts";
import type { ToolOriginPath } from "../table.ts";
import type { Tool, Toolset } from "../types.ts";
import { searchTool, type Searched } from "./search-tool.ts";

/** What those see of a set who list it at one path. */
interface Place {
  readonly path: ToolOriginPath;
  readonly search: Tool;
  readonly discoveryOf: (messages: readonly Message[]) => Discovery;
}

/** The tools that one conversation has discovered. */
interface Discovery {
  /** How many of its messages have been read, and the last of them. */
  read: number;
  last: Message | undefined;
  /** Where the tools come from within the set, as JSON; of older histories, their names. */
  readonly keys: Set<string>;
  /** The whole set when `listed` was made of it. */
  all: readonly Tool[];
  listed: readonly Tool[];
}

/**
 * One tool that searches all others, and those that a conversation has found with it. What was found is read from the
 * history, each message once, so it holds after a resumption, too.
 */
export function deferred(inner: Toolset, name: string, limit: number): Toolset {
  const searched: Searched = { inner, name, limit };
  const places = new Map<string, Place>();
  const listsName = memoize((all: readonly Tool[]) => all.some((tool) => tool.name === name));
  return {
    name: inner.name,
    async tools(context) {
      const all = await inner.tools(context);
      if (listsName(all))
        context.warn?.(
          `The toolset ${inner.name} lists a tool "${name}", which is left out: its search is called that. Set deferred({ name }).`,
        );
      const path = context.path ?? [inner.name];
      const key = JSON.stringify(path);
      const place = places.get(key) ?? placeOf(searched, path);
      places.set(key, place);
      const discovery = place.discoveryOf(context.messages);
      const before = discovery.keys.size;
      read(discovery, context.messages, searched, path);
      for (const tool of within(path, context.named ?? [])) discovery.keys.add(tool);
      if (discovery.keys.size !== before || (before > 0 && discovery.all !== all)) {
        const others = all.filter((tool) => tool.name !== name);
        discovery.listed = [place.search, ...discovered(others, discovery.keys)];
        discovery.all = all;
      }
      return discovery.listed;
    },
  };
}

function placeOf(searched: Searched, path: ToolOriginPath): Place {
  const search = searchTool(searched, path);
  const discoveryOf = memoize((_: readonly Message[]): Discovery => ({
    read: 0,
    last: undefined,
    keys: new Set(),
    all: [],
    listed: [search],
  }));
  return { path, search, discoveryOf };
}

function read(
  discovery: Discovery,
  messages: readonly Message[],
  { name }: Searched,
  path: ToolOriginPath,
): void {
  // A history that was made shorter has other messages at these places.
  if (discovery.read > 0 && messages[discovery.read - 1] !== discovery.last) discovery.read = 0;
  for (; discovery.read < messages.length; discovery.read++) {
    discovery.last = messages[discovery.read];
    for (const key of keysIn(discovery.last, name, path)) discovery.keys.add(key);
  }
}

/** What the message has found of the set, if it is the result of a search of it. */
function keysIn(message: Message | undefined, search: string, path: ToolOriginPath): readonly string[] {
  if (message?.role !== "tool") return [];
  const { result } = message;
  const finds = findsIn(result);
  if (!finds.path)
    return result.toolName === search ? finds.tools.map(({ name }) => JSON.stringify(name)) : [];
  const searchedPath = finds.path;
  const origins = finds.tools.map(({ origin }) => [...searchedPath, ...origin]);
  // A set that is part of this one has a search of its own.
  return within(path, origins);
}

/** Those of the tools that come from a set: where they come from within it, as JSON. */
function within(path: ToolOriginPath, origins: readonly ToolOriginPath[]): readonly string[] {
  const own = origins.filter((origin) => path.every((name, index) => origin[index] === name));
  return own.map((origin) => JSON.stringify(origin.slice(path.length)));
}

/** The tools that were found, and those that have to be called before or in their place. */
function discovered(all: readonly Tool[], keys: ReadonlySet<string>): readonly Tool[] {
  const isFound = (tool: Tool): boolean =>
    keys.has(JSON.stringify(originWithin(tool))) || keys.has(JSON.stringify(tool.name));
  const references = new Map(all.map((tool) => [tool.name, referencesOf(tool)]));
  const wanted = new Set(all.filter(isFound).map(({ name }) => name));
  // A set that grows while it is walked.
  for (const name of wanted) for (const next of references.get(name) ?? []) wanted.add(next);
  return all.filter((tool) => wanted.has(tool.name));
}
