import { canonicalJson } from "../../base/util/canonical-json.ts";
import { isPlainObject } from "../../base/util/json.ts";

/** How many are told apart; what is older than the oldest of them counts as forgotten, which is never wrong. */
const capacity = 1_000;

/** A result of arguments of this canonical JSON, with the number of invalidations before it (unknown if `undefined`). */
export interface Dated {
  readonly args: string | undefined;
  since: number;
}

/** Some arguments by name, each as canonical JSON. */
type Pattern = ReadonlyMap<string, string>;

/**
 * What was invalidated of one tool, in order. Results are not looked up to be removed, wherever they are kept: each is
 * asked when it is about to be used whether it has been invalidated since it was made.
 */
export class Invalidations {
  readonly #patterns: Pattern[] = [];
  #dropped = 0;

  /** How many there have been. */
  get count(): number {
    return this.#dropped + this.#patterns.length;
  }

  /** Invalidates the results of all calls that were made with these arguments, whatever their others were. */
  add(args: Readonly<Record<string, unknown>> = {}): void {
    const pattern = Object.entries(args).map(([name, value]) => [name, canonicalJson(value)] as const);
    if (pattern.length === 0) {
      this.#dropped = this.count + 1;
      this.#patterns.length = 0;
      return;
    }
    this.#patterns.push(new Map(pattern));
    // Dropping half at a time keeps the cost of one constant.
    if (this.#patterns.length > capacity) this.#dropped += this.#patterns.splice(0, capacity / 2).length;
  }

  /** Whether something was invalidated since it was made; what was not is looked at only once. */
  reach(entry: Dated): boolean {
    if (entry.since < this.#dropped) return true;
    const since = this.#patterns.slice(entry.since - this.#dropped);
    if (since.some((pattern) => matches(entry.args, pattern))) return true;
    entry.since = this.count;
    return false;
  }
}

function matches(args: string | undefined, pattern: Pattern): boolean {
  const values: unknown = args === undefined ? undefined : JSON.parse(args);
  if (!isPlainObject(values)) return true;
  const own = (name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined);
  return [...pattern].every(([name, value]) => canonicalJson(own(name)) === value);
}
