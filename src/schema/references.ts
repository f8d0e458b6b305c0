import { isObject } from "./json-value.ts";

/**
 * What a reference within a document names: `#` or `#/` and a JSON Pointer (RFC 6901), percent-encoded as a fragment.
 * `undefined` if there is nothing.
 */
export function resolvePointer(root: unknown, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const segment of reference.slice(2).split("/")) {
    const key = unescapeSegment(segment);
    if (Array.isArray(target)) target = /^(?:0|[1-9]\d*)$/.test(key) ? target[Number(key)] : undefined;
    else target = isObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return target;
}

function unescapeSegment(segment: string): string {
  const decoded = /%(?![\da-f]{2})/i.test(segment) ? segment : decodeOrKeep(segment);
  return decoded.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Percent signs that spell no UTF-8 stand for themselves. */
function decodeOrKeep(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
