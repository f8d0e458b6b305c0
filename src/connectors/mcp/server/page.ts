import type { Sdk } from "./sdk.ts";

/** The number of items in one page of a list. */
const pageSize = 500;

/**
 * The part of a list that a cursor names, and the cursor of the next one if there is one.
 * @throws ProtocolError for a cursor that this never gave.
 */
export function page<T>(
  sdk: Sdk,
  all: readonly T[],
  cursor: string | undefined,
): { readonly items: T[]; readonly nextCursor?: string } {
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(from) || from < 0 || from % pageSize > 0) {
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, "There is no such cursor.");
  }
  const to = from + pageSize;
  return { items: all.slice(from, to), ...(to < all.length && { nextCursor: String(to) }) };
}
