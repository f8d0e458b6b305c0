import { isObject } from "../base/util/json.ts";

/**
 * What a reference within a document names: `#` or `#/` and a JSON Pointer (RFC 6901), percent-encoded as a fragment.
 * `undefined` if there is nothing.
 */
export function resolvePointer(root: unknown, reference: string): unknown {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const segment of reference.split("/").slice(1)) {
    const key = decoded(segment).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(target)) target = /^(?:0|[1-9]\d*)$/.test(key) ? target[Number(key)] : undefined;
    else target = isObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return target;
}

/** Percent signs that spell no UTF-8 stand for themselves. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
