/**
 * The layers of `src/`, lowest first: a file imports lower ranks or its own folder only.
 * The linter (oxlint.config.ts) and a test (test/layers.test.ts) read this one table.
 */
export const layers: readonly (readonly string[])[] = [
  ["util"],
  ["message"],
  ["errors"],
  ["schema", "stream"],
  ["model"],
  ["tool"],
  ["executor"],
  ["agent"],
  ["run"],
  ["openai", "anthropic", "offline", "testing"],
  ["cli"],
];

/** Folders beside the ranks, and the folders each may import. Types from anywhere in `schema` and below. */
export const sideRooms: Readonly<Record<string, readonly string[]>> = {
  compiler: ["util", "errors", "schema"],
  reflection: ["util", "errors", "schema", "compiler"],
  resolution: ["util", "errors", "message", "model", "openai", "anthropic", "offline"],
};

/** The folders (or root files, without `.ts`) that `folder` may import besides itself. */
export function allowedImports(folder: string): readonly string[] {
  const rank = layers.findIndex((names) => names.includes(folder));
  if (rank >= 0) return layers.slice(0, rank).flat();
  return sideRooms[folder] ?? [...layers.flat(), ...Object.keys(sideRooms)];
}
