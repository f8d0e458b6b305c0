import type { Key } from "./keys.tsx";

/** The keys of the bar: each once, those of the page before those that work everywhere. */
export function uniqueKeys(keys: readonly Key[]): readonly Key[] {
  const labels = new Set<string>();
  return keys.filter(({ label }) => {
    if (labels.has(label)) return false;
    labels.add(label);
    return true;
  });
}
