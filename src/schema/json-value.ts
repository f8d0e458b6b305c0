/** Whether `value` is what JSON calls an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two JSON values are the same: order of keys aside, own properties only. Bounded by the depth of `expected`. */
export function jsonEqual(expected: unknown, actual: unknown): boolean {
  if (expected === actual) return true;
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => jsonEqual(item, actual[index]))
    );
  }
  if (!isObject(expected) || !isObject(actual)) return false;
  const keys = Object.keys(expected);
  return (
    keys.length === Object.keys(actual).length &&
    keys.every((key) => Object.hasOwn(actual, key) && jsonEqual(expected[key], actual[key]))
  );
}

/**
 * A text that is the same for equal JSON values and different for different ones; `undefined` for what is no JSON
 * (a cycle, a function).
 */
export function canonicalText(value: unknown, ancestors: readonly unknown[] = []): string | undefined {
  if (typeof value !== "object" || value === null) {
    return typeof value === "bigint" ? undefined : JSON.stringify(value);
  }
  if (ancestors.length > 200 || ancestors.includes(value)) return undefined;
  const within = [...ancestors, value];
  if (Array.isArray(value)) {
    const items = value.map((item) => canonicalText(item, within));
    return items.includes(undefined) ? undefined : `[${items.join(",")}]`;
  }
  const members: string[] = [];
  for (const [key, member] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const text = canonicalText(member, within);
    if (text === undefined) return undefined;
    members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(",")}}`;
}

/** How many characters (Unicode code points) a text has. */
export function codePointLength(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const next = text.charCodeAt(index + 1);
    if (unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) index++;
    length++;
  }
  return length;
}
