/** What a look through a document has found. */
export interface Survey {
  /** References to other files, without what stands behind `#`. */
  readonly others: ReadonlySet<string>;
  /** What makes the document unusable, as the rest of a sentence. */
  readonly problem?: string;
}

/** How deep a document may be nested, and how many values it may have once its YAML aliases are written out. */
const deepest = 200;
const mostValues = 5_000_000;

interface Frame {
  readonly value: object;
  readonly children: readonly unknown[];
  next: number;
  /** Values in it so far, each alias counted as often as it stands there. */
  size: number;
}

/**
 * Looks through a document without recursion. Aliases of YAML may contain themselves, and a few hundred characters of them
 * can stand for any number of values; what comes later copies and recurses.
 */
export function survey(document: object): Survey {
  const others = new Set<string>();
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  const stack: Frame[] = [];
  const enter = (value: object): void => {
    open.add(value);
    stack.push({ value, children: Array.isArray(value) ? value : Object.values(value), next: 0, size: 1 });
    const reference: unknown = Object.hasOwn(value, "$ref") ? Reflect.get(value, "$ref") : undefined;
    if (typeof reference === "string" && !reference.startsWith("#"))
      others.add(reference.split("#", 1)[0] ?? "");
  };
  enter(document);
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    if (frame.size > mostValues) return { others, problem: `stands for more than ${mostValues} values.` };
    const child = frame.children[frame.next++];
    if (frame.next > frame.children.length) {
      sizes.set(frame.value, frame.size);
      open.delete(frame.value);
      stack.pop();
      const parent = stack.at(-1);
      if (parent) parent.size += frame.size;
    } else if (typeof child !== "object" || child === null) frame.size++;
    else if (open.has(child))
      return {
        others,
        problem: "contains itself, by a YAML alias or as an object. Pass it with its references.",
      };
    else if (sizes.has(child)) frame.size += sizes.get(child) ?? 0;
    else if (stack.length >= deepest)
      return { others, problem: `is nested more than ${deepest} levels deep.` };
    else enter(child);
  }
  return { others };
}
