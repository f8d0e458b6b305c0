import { memoize } from "../base/util/memoize.ts";
import { canonicalText } from "./json-value.ts";

/** The members of an `enum`, found without comparing a value with each of them: lists and values may both be long. */
class EnumMembers {
  readonly #scalars: ReadonlySet<unknown>;
  readonly #members: readonly unknown[];
  #structures: ReadonlySet<string | undefined> | undefined;
  #byPlainText: ReadonlyMap<string, string | undefined> | undefined;

  constructor(members: readonly unknown[]) {
    this.#members = members;
    this.#scalars = new Set(members.filter((member) => !isStructure(member)));
  }

  /** Whether a value equals a member. */
  has(value: unknown): boolean {
    if (!isStructure(value)) return this.#scalars.has(value);
    if (this.#members.length === this.#scalars.size) return false;
    this.#structures ??= new Set(this.#members.filter(isStructure).map(canonicalText));
    const text = canonicalText(value);
    return text !== undefined && this.#structures.has(text);
  }

  /** The only member that is this text but for its case and the spaces around it. */
  like(text: string): string | undefined {
    this.#byPlainText ??= this.#plainTexts();
    return this.#byPlainText.get(plain(text));
  }

  #plainTexts(): ReadonlyMap<string, string | undefined> {
    const texts = new Map<string, string | undefined>();
    for (const member of this.#members) {
      if (typeof member !== "string") continue;
      const key = plain(member);
      texts.set(key, texts.has(key) ? undefined : member);
    }
    return texts;
  }
}

/** The members of a list, which must not change. */
export const enumMembersOf: (members: readonly unknown[]) => EnumMembers = memoize(
  (members: readonly unknown[]) => new EnumMembers(members),
);

function isStructure(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function plain(text: string): string {
  return text.trim().toLowerCase();
}
