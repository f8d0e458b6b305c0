import { memoize } from "../../base/util/memoize.ts";
import { frozenCopy } from "../../base/util/snapshot.ts";

const copies = memoize((value: object): object => frozenCopy(value));

/** What listeners see of a call, a result or a message: a frozen copy, since what they change must not reach the history. */
export function frozenView<T extends object>(value: T): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a copy is of the type of what it copies
  return copies(value) as T;
}
