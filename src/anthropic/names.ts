import { wireName } from "../model/wire-names.ts";

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

/** Ids of calls and their results as the API takes them: in its letters, and each for one call only. */
export class ToolIds {
  readonly #used = new Set<string>();
  /** The id on the wire of the last call that had this id. */
  readonly #current = new Map<string, string>();

  /** The id for a call. Some servers number the calls of each answer anew: a second use gets an id of its own. */
  forCall(toolCallId: string): string {
    const base = wireName(toolCallId, maxIdLength);
    let id = base;
    for (let count = 2; this.#used.has(id); count += 1) id = `${base}_${count}`;
    this.#used.add(id);
    this.#current.set(toolCallId, id);
    return id;
  }

  /** The id for a result: that of the last call it can belong to. */
  forResult(toolCallId: string): string {
    return this.#current.get(toolCallId) ?? wireName(toolCallId, maxIdLength);
  }
}
