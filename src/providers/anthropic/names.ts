import { wireName } from "../../model/wire-names.ts";

/** Tool names as the program has them, and as the API takes them. */
export interface ToolNames {
  toWire(name: string): string;
  fromWire(name: string): string;
}

/** The API's errors cite `^[a-zA-Z0-9_-]{1,128}$`. */
const maxNameLength = 128;

/** Maps `names` to names that the API takes, no two alike. What it takes stays as it is. */
export function toolNames(names: Iterable<string>): ToolNames {
  const all = new Set(names);
  const toWire = new Map<string, string>();
  const fromWire = new Map<string, string>();
  for (const name of all) {
    let wire = wireName(name, maxNameLength);
    // A substitute may be the name of another tool, by chance or by design.
    for (let salt = 1; wire !== name && (all.has(wire) || fromWire.has(wire)); salt += 1) {
      wire = wireName(`${name}\0${salt}`, maxNameLength);
    }
    toWire.set(name, wire);
    fromWire.set(wire, name);
  }
  return {
    toWire: (name) => toWire.get(name) ?? name,
    fromWire: (name) => fromWire.get(name) ?? name,
  };
}

/** The API cites `^[a-zA-Z0-9_-]+$`, without a length. */
const maxIdLength = 256;

/** The id of a call and its result as the API takes it. */
export function wireId(toolCallId: string): string {
  return wireName(toolCallId, maxIdLength);
}
