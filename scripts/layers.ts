/**
 * The layers of `src/`, lowest first: a file imports lower ranks or its own room only. A room is a folder, or a folder of one of
 * the groups `base`, `providers`, `connectors`, `protocols` and `sources`.
 * The linter (oxlint.config.ts) and a test (test/layers.test.ts) read this one table.
 */
const layers: readonly (readonly string[])[] = [
  ["base/util"],
  ["message"],
  ["errors"],
  ["base/options"],
  ["schema", "base/stream"],
  ["transport/wire"],
  ["model", "lock"],
  ["tool"],
  ["executor"],
  ["agent"],
  ["run"],
  ["sessions"],
  ["durable"],
  ["providers/kit"],
  [
    "providers/openai",
    "providers/anthropic",
    "providers/google",
    "providers/wrappers",
    "providers/offline",
    "connectors/mcp",
    "connectors/openapi",
    "testing",
    "evals",
    "tracing",
    "code",
    "sandbox",
    "guards",
  ],
  ["skills", "connectors/toolkits"],
  // What speaks of all providers: it reads what they say of themselves.
  ["providers/resolution", "providers/ai-sdk"],
  ["protocols/kit"],
  [
    "protocols/events",
    "protocols/chat-completions",
    "protocols/responses",
    "protocols/ui-messages",
    "protocols/ag-ui",
    "protocols/a2a",
  ],
  ["protocols/encoders", "client"],
  ["server"],
  ["studio"],
  ["check"],
  ["cli"],
];

/** Rooms beside the ranks, and the rooms each may import. */
const sideRooms: Readonly<Record<string, readonly string[]>> = {
  "sources/compiler": ["base/util", "base/options", "errors", "schema"],
  "sources/reflection": ["base/util", "errors", "schema", "sources/compiler"],
  "sources/plugin": ["base/util", "base/options", "errors", "schema", "sources/compiler"],
  "sources/next": ["base/util", "base/options", "errors", "schema", "sources/compiler", "sources/plugin"],
  "sources/register": ["base/util", "errors", "schema", "sources/compiler", "sources/plugin"],
  "sources/attaching": [
    "base/util",
    "errors",
    "schema",
    "sources/compiler",
    "sources/plugin",
    "sources/reflection",
  ],
  "base/offload": ["base/util", "errors"],
  "connectors/workspace": ["base/util", "errors", "message", "schema", "tool", "executor", "sandbox"],
  "transport/node": ["base/util", "base/stream", "errors", "transport/wire"],
  "transport/web": ["errors", "transport/wire"],
};

/** All rooms. */
export const rooms: readonly string[] = [...layers.flat(), ...Object.keys(sideRooms)];

/** The room of a path within `src/`; for a file at the top its name without `.ts`. */
export function roomOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  const inGroup = `${first}/${second}`;
  return rooms.includes(inGroup) ? inGroup : first.replace(/\.ts$/, "");
}

/** The rooms (or root files, without `.ts`) that `room` may import besides itself. */
export function allowedImports(room: string): readonly string[] {
  const rank = layers.findIndex((names) => names.includes(room));
  if (rank >= 0) {
    // The top rank drives all the rest, the side rooms included.
    const beside = rank === layers.length - 1 ? Object.keys(sideRooms) : [];
    return [...layers.slice(0, rank).flat(), ...beside];
  }
  return sideRooms[room] ?? rooms;
}
