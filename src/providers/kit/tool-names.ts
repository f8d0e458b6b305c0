/** Tool names as the program has them, and as an API takes them. */
export interface ToolNames {
  toWire(name: string): string;
  fromWire(name: string): string;
}

/**
 * Maps `names` to names that an API takes, no two alike. What it takes stays as it is.
 * @param wireNameOf - Gives a name that the API takes; the same one for the same name.
 */
export function toolNames(names: Iterable<string>, wireNameOf: (name: string) => string): ToolNames {
  const all = new Set(names);
  const toWire = new Map<string, string>();
  const fromWire = new Map<string, string>();
  for (const name of all) {
    let wire = wireNameOf(name);
    // A substitute may be the name of another tool, by chance or by design.
    for (let salt = 1; wire !== name && (all.has(wire) || fromWire.has(wire)); salt += 1) {
      wire = wireNameOf(`${name}\0${salt}`);
    }
    toWire.set(name, wire);
    fromWire.set(wire, name);
  }
  return {
    toWire: (name) => toWire.get(name) ?? name,
    fromWire: (name) => fromWire.get(name) ?? name,
  };
}
