/** About how many characters a part has: its texts, names and bytes. Cycles count once. */
export function sizeOf(part: unknown): number {
  const visited = new Set<object>();
  const open: unknown[] = [part];
  let size = 0;
  while (open.length > 0) {
    const value = open.pop();
    size += typeof value === "string" ? value.length + 2 : 2;
    if (typeof value !== "object" || value === null || visited.has(value)) continue;
    visited.add(value);
    if (value instanceof URL) size += value.href.length;
    else if (ArrayBuffer.isView(value)) size += value.byteLength;
    else for (const [name, field] of Object.entries(value)) open.push(name, field);
  }
  return size;
}
