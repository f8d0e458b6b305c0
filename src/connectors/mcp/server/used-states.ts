import type { McpServerDefinition } from "./types.ts";

type ClaimState = NonNullable<McpServerDefinition["claimState"]>;

/** How long a client may take to answer, in milliseconds. */
export const stateLife = 600_000;

/** The most states that are remembered. */
const mostStates = 100_000;

/** What a client keeps between two halves of a request, as far as its use goes. */
export interface UsableState {
  /** Different for each state, also of one request. */
  readonly nonce: string;
  /** When it expires, in milliseconds since 1970. */
  readonly expires: number;
}

/**
 * Which states have been used: an approval that is sent twice executes a call once. States are remembered until they expire; if there
 * are too many, those that expire as early as the first of them are refused altogether.
 */
export class UsedStates {
  /** When each expires. */
  readonly #uses = new Map<string, number>();
  readonly #claim: ClaimState | undefined;
  readonly #refuse: () => Error;
  readonly #report: (error: Error) => void;
  readonly #limit: number;
  #refusedUntil = -Infinity;

  /**
   * @param claim asks other processes.
   * @param refuse makes the error for a state that has been used.
   * @param report receives what is wrong with the claim.
   */
  constructor(
    claim: ClaimState | undefined,
    refuse: () => Error,
    report: (error: Error) => void,
    limit: number = mostStates,
  ) {
    this.#claim = claim;
    this.#refuse = refuse;
    this.#report = report;
    this.#limit = limit;
  }

  /**
   * Notes that a state is used.
   * @throws the error for a state that has been used; whatever the claim throws.
   */
  async use({ nonce, expires }: UsableState): Promise<void> {
    if (this.#uses.has(nonce) || expires <= this.#refusedUntil) throw this.#refuse();
    this.#remember(nonce, expires);
    if (this.#claim && !(await this.#isFirst(this.#claim, nonce, expires))) throw this.#refuse();
  }

  /** Only `true` is: Redis answers "OK" or null, a database with a count. */
  async #isFirst(claim: ClaimState, nonce: string, expires: number): Promise<boolean> {
    const answer: unknown = await claim(nonce, Math.max(expires - Date.now(), 1));
    if (typeof answer !== "boolean") {
      const type = answer === null ? "null" : typeof answer;
      this.#report(
        new TypeError(
          `claimState must return true or false, or a promise of one, not ${type}. The call is not executed.`,
        ),
      );
    }
    return answer === true;
  }

  #remember(nonce: string, expires: number): void {
    this.#uses.set(nonce, expires);
    for (const [oldest, end] of this.#uses) {
      const isExpired = end < Date.now();
      if (oldest === nonce || (!isExpired && this.#uses.size <= this.#limit)) break;
      this.#uses.delete(oldest);
      if (!isExpired) this.#refusedUntil = Math.max(this.#refusedUntil, end);
    }
  }
}
