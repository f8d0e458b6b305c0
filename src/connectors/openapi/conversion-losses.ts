import { cleanName } from "../../base/util/clean-text.ts";

/** The most losses of one kind that are listed. */
const mostListed = 10;

/** The most characters of one. */
const longest = 200;

/** Keywords that limit what a call may send: without one, more is accepted than the document says. */
const constraint = /^(?:pattern|enum|min|max|multiple|exclusive|unique|dependent)/;

/** What of a document's schemas could not be taken over. */
export class ConversionLosses {
  /** References that name nothing. */
  readonly references: Set<string> = new Set();
  /** Whether something had characters that nobody sees. */
  hasInvisible: boolean = false;
  readonly #constraints = new Set<string>();

  /** Notes a keyword whose value cannot be used, if it is one that limits calls. */
  addConstraint(keyword: string, value: unknown): void {
    const isSaid = value !== undefined && value !== null && value !== false;
    if (isSaid && constraint.test(keyword)) this.#constraints.add(`${keyword} ${JSON.stringify(value)}`);
  }

  /** A sentence for each kind. */
  get notes(): readonly string[] {
    return [
      ...listed("Schemas have references that name nothing; any value is accepted there", this.references),
      ...listed("Constraints that cannot be checked are left out of schemas", this.#constraints),
      ...(this.hasInvisible ? ["Names and values with invisible characters are left out of schemas."] : []),
    ];
  }
}

function listed(what: string, losses: ReadonlySet<string>): readonly string[] {
  if (losses.size === 0) return [];
  const first = [...losses].slice(0, mostListed).map((loss) => cleanName(loss, longest));
  const more = losses.size > mostListed ? ` and ${losses.size - mostListed} more` : "";
  return [`${what}: ${first.join(", ")}${more}.`];
}
