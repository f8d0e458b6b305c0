/** Stands for any text that is not empty, where its wording is nobody's business: the `pattern` of a template literal. */
export const someText: unique symbol = Symbol("some text");

/** The first difference between two values, in words; `undefined` if they are alike, kinds of object included. */
export function difference(actual: unknown, expected: unknown, path = "$"): string | undefined {
  if (expected === someText) {
    return typeof actual === "string" && actual !== "" ? undefined : unlike(actual, "some text", path);
  }
  if (Object.is(actual, expected)) return undefined;
  const kind = kindOf(expected);
  if (kind !== kindOf(actual) || !isObject(actual) || !isObject(expected)) {
    return unlike(actual, show(expected), path);
  }
  if (expected instanceof Date || expected instanceof URL) {
    return JSON.stringify(actual) === JSON.stringify(expected)
      ? undefined
      : unlike(actual, show(expected), path);
  }
  if (kind !== "Object") return listDifference(listOf(actual), listOf(expected), path);
  return objectDifference(new Map(Object.entries(actual)), new Map(Object.entries(expected)), path);
}

function listDifference(
  actual: readonly unknown[],
  expected: readonly unknown[],
  path: string,
): string | undefined {
  for (const [index, item] of expected.entries()) {
    if (index >= actual.length) return `${path}[${index}] is missing, expected ${show(item)}`;
    const found = difference(actual[index], item, `${path}[${index}]`);
    if (found !== undefined) return found;
  }
  if (actual.length <= expected.length) return undefined;
  return `${path}[${expected.length}] is unexpected: ${show(actual[expected.length])}`;
}

function objectDifference(
  actual: ReadonlyMap<string, unknown>,
  expected: ReadonlyMap<string, unknown>,
  path: string,
): string | undefined {
  for (const [key, value] of expected) {
    if (!actual.has(key)) return `${path}.${key} is missing, expected ${show(value)}`;
    const found = difference(actual.get(key), value, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  for (const [key, value] of actual) {
    if (!expected.has(key)) return `${path}.${key} is unexpected: ${show(value)}`;
  }
  // A model reads properties in order, so theirs is part of a schema.
  const order = path.endsWith(".properties") ? [...actual.keys()] : [...expected.keys()];
  return order.join() === [...expected.keys()].join() ? undefined : `${path} has the order ${order.join()}`;
}

function listOf(value: object): readonly unknown[] {
  if (Array.isArray(value) || value instanceof Map || value instanceof Set || value instanceof Uint8Array) {
    return [...value];
  }
  return value instanceof Error ? [value.name, value.message] : [];
}

function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function unlike(actual: unknown, expected: string, path: string): string {
  return `${path} is ${show(actual)}, expected ${expected}`;
}

function show(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Map || value instanceof Set) return `${kindOf(value)} ${show([...value])}`;
  if (!isObject(value)) return typeof value === "string" ? JSON.stringify(value) : String(value);
  const text = JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "bigint" || typeof item === "symbol" ? String(item) : item,
  );
  return kindOf(value) === "Object" || Array.isArray(value) ? text : `${kindOf(value)} ${text}`;
}
