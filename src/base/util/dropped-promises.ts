/** How many members of a value are looked at: what holds more is read by nobody at a time. */
const mostMembers = 100_000;

/**
 * Sees to the promises in a value that nobody will await: one that rejects would end the process. Looks into objects, arrays, sets and
 * maps, at the first 100,000 members of all, and calls no getter and no iterator of the value's own. Never throws.
 */
export function ignoreRejections(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const search = new Search();
  search.add(value);
  // A set that grows while it is walked.
  for (const object of search.objects) {
    if (object instanceof Promise) object.catch(() => {});
    else search.addMembers(object);
  }
}

class Search {
  readonly objects = new Set<object>();
  #room = mostMembers;

  add(value: unknown): void {
    this.#room--;
    if (typeof value === "object" && value !== null) this.objects.add(value);
  }

  addMembers(object: object): void {
    if (ArrayBuffer.isView(object)) return;
    try {
      if (object instanceof Set) this.#addAll(Set.prototype.values.call(object));
      else if (object instanceof Map) {
        this.#addAll(Map.prototype.keys.call(object));
        this.#addAll(Map.prototype.values.call(object));
      } else if (Array.isArray(object)) this.#addIndexes(object);
      else this.#addProperties(object);
    } catch {
      // A proxy may refuse.
    }
  }

  #addAll(members: Iterable<unknown>): void {
    for (const member of members) {
      if (this.#room <= 0) return;
      this.add(member);
    }
  }

  #addIndexes(list: readonly unknown[]): void {
    for (let index = 0; index < list.length && this.#room > 0; index++)
      this.add(Object.getOwnPropertyDescriptor(list, index)?.value);
  }

  #addProperties(object: object): void {
    for (const name of Reflect.ownKeys(object)) {
      if (this.#room <= 0) return;
      this.add(Object.getOwnPropertyDescriptor(object, name)?.value);
    }
  }
}
