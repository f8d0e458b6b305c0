/** Puts other items in a list in place of its own, however many: as arguments of a call, 100,000 are too many. */
export function replaceItems<T>(list: T[], items: Iterable<T>): void {
  const all = Array.from(items);
  list.length = 0;
  for (const item of all) list.push(item);
}
