import { isPlainObject } from "../base/util/json.ts";
import { printName } from "../schema/print-type.ts";

/** How much of a value its shape is made of. */
const deepest = 4;
const mostProperties = 30;
const mostItems = 10;
const longest = 500;

/** The type of a value, as far as it shows: `{ items: { id: number; title: string }[] }`. About 500 characters at most. */
export function shapeOf(value: unknown): string {
  const shape = shapeAt(value, 0);
  return shape.length > longest ? `${shape.slice(0, longest)}…` : shape;
}

function shapeAt(value: unknown, depth: number): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  if (depth >= deepest) return Array.isArray(value) ? "unknown[]" : "object";
  if (Array.isArray(value)) {
    const shapes = [...new Set(value.slice(0, mostItems).map((item) => shapeAt(item, depth + 1)))];
    if (shapes.length === 0) return "unknown[]";
    return shapes.length === 1 ? `${shapes[0]}[]` : `(${shapes.join(" | ")})[]`;
  }
  if (!isPlainObject(value)) return "object";
  const entries = Object.entries(value);
  const members = entries
    .slice(0, mostProperties)
    .map(([name, item]) => `${printName(name)}: ${shapeAt(item, depth + 1)}`);
  const more = entries.length > mostProperties ? ["…"] : [];
  return members.length === 0 ? "{}" : `{ ${[...members, ...more].join("; ")} }`;
}
