/**
 * A name or id in the letters that providers accept (`[A-Za-z0-9_-]`) and no longer than `maxLength`. What fits is left
 * as it is; else a digest of the whole is added, so that different names stay different. The same name always gives
 * the same answer, so that histories stay equal from one request to the next.
 */
export function wireName(name: string, maxLength = 64): string {
  if (name.length > 0 && name.length <= maxLength && /^[\w-]+$/.test(name)) return name;
  const suffix = `_${digest(name)}`;
  return name.replaceAll(/[^\w-]/g, "_").slice(0, maxLength - suffix.length) + suffix;
}

/** A digest of 53 bits in the letters and digits of base 36 (two rounds of multiplication and mixing; no cryptography). */
export function digest(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return ((low & 0x1fffff) * 2 ** 32 + (high >>> 0)).toString(36).padStart(11, "0");
}

/** The names of a request's tools, as the provider writes them and as the program does. */
export class WireNames {
  readonly #names: readonly string[];
  #original: ReadonlyMap<string, string> | undefined;

  constructor(names: Iterable<string>) {
    this.#names = [...names];
  }

  /** The program's name for what the provider calls `name`; a name nobody has is left as it is. */
  original(name: string): string {
    // Most names are the same on the wire.
    if (this.#names.includes(name)) return name;
    this.#original ??= new Map(this.#names.map((ownName) => [wireName(ownName), ownName]));
    return this.#original.get(name) ?? name;
  }
}
