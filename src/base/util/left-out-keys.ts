/** How many of the keys are named in a note, and how long each may be. */
const most = { keys: 5, length: 40 };

/** The names of a list's own properties besides its items, and its symbols: JSON has no place for either. */
export function keysBesideItems(list: readonly unknown[]): readonly string[] {
  const names = Object.keys(list);
  // Items come first.
  const last = names.at(-1);
  const others = last === undefined || isIndex(last) ? [] : names.filter((name) => !isIndex(name));
  return [...others.filter((name) => Reflect.get(list, name) !== undefined), ...symbolKeys(list)];
}

/** The symbols that are keys of an object, as text. */
export function symbolKeys(value: object): readonly string[] {
  const symbols = Object.getOwnPropertySymbols(value);
  if (symbols.length === 0) return [];
  return symbols.filter((symbol) => Object.prototype.propertyIsEnumerable.call(value, symbol)).map(String);
}

/** Keys in a sentence, not all of many, and none at length. */
export function listKeys(keys: readonly string[]): string {
  const names = keys
    .slice(0, most.keys)
    .map((key) => (key.length > most.length ? `${key.slice(0, most.length)}…` : key));
  const rest = keys.length - names.length;
  return `${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function isIndex(name: string): boolean {
  return /^\d+$/.test(name);
}
