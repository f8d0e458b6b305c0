/** How many members of a value, at all its levels, are looked at: what has more is read by nobody at a time. */
const mostMembers = 100_000;

/**
 * Sees to the promises in a value that nobody will await: one that rejects would end the process. Looks into objects, arrays, sets and
 * maps, and calls no getter. Never throws.
 */
export function ignoreRejections(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const objects = new Set<object>([value]);
  let count = 0;
  try {
    for (const object of objects) {
      if (object instanceof Promise) object.catch(() => {});
      else
        for (const member of membersOf(object)) {
          if (++count > mostMembers) return;
          if (typeof member === "object" && member !== null) objects.add(member);
        }
    }
  } catch {
    // A proxy, or an iterator of a class's own, may throw.
  }
}

function* membersOf(object: object): Generator<unknown> {
  if (ArrayBuffer.isView(object)) return;
  if (object instanceof Map) for (const entry of object) yield* entry;
  else if (object instanceof Set) yield* object;
  else if (Array.isArray(object)) for (let index = 0; index < object.length; index++) yield object[index];
  else {
    if (object instanceof Error)
      // Neither is found by a loop over the properties.
      for (const name of ["cause", "errors"]) yield Object.getOwnPropertyDescriptor(object, name)?.value;
    for (const name in object) yield Object.getOwnPropertyDescriptor(object, name)?.value;
  }
}
