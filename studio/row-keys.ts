import type { Key } from "./keys.tsx";

/** Keys that move the selection of a list of rows by its index. */
export function rowKeys(at: number, count: number, select: (index: number) => void): readonly Key[] {
  return [
    { on: "j", show: ["j", "k"], label: "move", run: () => select(at + 1) },
    { on: "k", label: "up", run: () => select(at - 1) },
    { on: "ArrowDown", label: "down", run: () => select(at + 1) },
    { on: "ArrowUp", label: "up", run: () => select(at - 1) },
    { on: "Home", label: "first", run: () => select(0) },
    { on: "End", label: "last", run: () => select(count - 1) },
  ];
}

/** The entry at an index, or the nearest one: the selection stops at both ends. */
export function clampedAt<T>(entries: readonly T[], index: number): T | undefined {
  return entries[Math.min(Math.max(0, index), entries.length - 1)];
}

/** Focuses the row that is selected, once the selection is drawn. */
export function focusSelected(list: () => ParentNode | null): void {
  requestAnimationFrame(() => {
    const row = list()?.querySelector<HTMLElement>("[aria-selected=true]");
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  });
}
