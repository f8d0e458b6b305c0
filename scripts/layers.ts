/**
 * The layers of `src/`, lowest first: a file imports lower ranks or its own folder only.
 * The linter (oxlint.config.ts) and a test (test/layers.test.ts) read this one table.
 */
export const layers: readonly (readonly string[])[] = [
  ["util"],
  ["message"],
  ["errors"],
  ["options"],
  ["schema", "stream"],
  ["model", "attach", "lock"],
  ["tool"],
  ["executor"],
  ["agent"],
  ["run"],
  [
    "openai",
    "anthropic",
    "ai-sdk",
    "models",
    "offline",
    "testing",
    "check",
    "sessions",
    "mcp",
    "openapi",
    "evals",
    "toolkits",
  ],
  ["cli"],
];

/** Folders beside the ranks, and the folders each may import. Types from anywhere in `schema` and below. */
export const sideRooms: Readonly<Record<string, readonly string[]>> = {
  compiler: ["util", "errors", "schema"],
  reflection: ["util", "errors", "schema", "compiler"],
  plugin: ["util", "errors", "schema", "compiler"],
  next: ["util", "errors", "schema", "compiler", "plugin"],
  register: ["util", "errors", "schema", "compiler", "plugin"],
  attaching: ["util", "errors", "schema", "compiler", "plugin", "reflection"],
  offload: ["util", "errors"],
  resolution: ["util", "errors", "message", "model", "openai", "anthropic", "offline"],
};

/** The folders (or root files, without `.ts`) that `folder` may import besides itself. */
export function allowedImports(folder: string): readonly string[] {
  const rank = layers.findIndex((names) => names.includes(folder));
  if (rank >= 0) {
    // The top rank drives all the rest, the side rooms included.
    const rooms = rank === layers.length - 1 ? Object.keys(sideRooms) : [];
    return [...layers.slice(0, rank).flat(), ...rooms];
  }
  return sideRooms[folder] ?? [...layers.flat(), ...Object.keys(sideRooms)];
}
