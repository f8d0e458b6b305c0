/** Translates tool names between the program and an API. */
export interface ToolNames {
  toWire(name: string): string;
  fromWire(name: string): string;
}

/**
 * Maps `names` to distinct names that an API accepts. A name that it accepts stays as it is.
 * @param wireNameOf - Returns a name that the API accepts, always the same for the same name.
 */
export function mapToolNames(names: Iterable<string>, wireNameOf: (name: string) => string): ToolNames {
  const all = new Set(names);
  const toWire = new Map<string, string>();
  const fromWire = new Map<string, string>();
  for (const name of all) {
    let wire = wireNameOf(name);
    // A substitute may equal the name of another tool, by chance or by design.
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
