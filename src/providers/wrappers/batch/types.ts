import type { JsonObject } from "../../../base/util/json.ts";

/** One request of a batch. */
export interface BatchRequest {
  /** Letters, digits, `-` and `_`, at most 64: names the request within its batch. */
  readonly customId: string;
  /** The body as it would be sent by itself, without `stream`. */
  readonly body: JsonObject;
}

/** What became of a request: an answer of the API, or none. */
export type BatchOutcome =
  | { readonly status: number; readonly body: unknown }
  | "expired"
  /** The batch was cancelled before it was its turn. */
  | "canceled";

/** A batch that is over has no outcome of a request. */
export interface MissingOutcome {
  /** The beginnings of lines in its results that cannot be read: one of them may have been that of the request. */
  readonly unreadable: readonly string[];
}

/** The outcomes of a batch that is over, by the `customId` of the requests. */
export interface BatchOutcomes {
  readonly outcomes: Map<string, BatchOutcome>;
  /** The requests that have one: outcomes may have been taken out since. */
  readonly ids: ReadonlySet<string>;
  /** That of all others. */
  readonly rest?: BatchOutcome;
  /** The beginnings of lines that say nothing of any request. */
  readonly unreadable: readonly string[];
  /** Whether a file has nothing but such lines, not even JSON: it may be the page of a gateway. */
  readonly isDoubtful: boolean;
  /** How long they are, in characters. */
  readonly size: number;
}

/** A batch that may have been submitted: nobody has its id. */
export interface LostBatch {
  /** Names the batch, where the API lets it have a name. */
  readonly group: string;
  /** One of its requests. */
  readonly customId: string;
  /** How many requests it has at most. */
  readonly size: number;
  /** When it was submitted at the earliest, in milliseconds since 1970. */
  readonly since: number;
}

/** The batches of a provider. */
export interface BatchApi {
  /**
   * Submits a batch.
   * @param group - Names it.
   * @returns its id.
   * @throws NotSubmittedError where there is certainly no batch.
   */
  create(group: string, requests: readonly BatchRequest[]): Promise<string>;
  /** What became of its requests; `undefined` while it is under way. */
  look(id: string): Promise<BatchOutcomes | undefined>;
  /**
   * Looks for a batch.
   * @returns its id, or `"unclear"` where one that is under way may be it.
   */
  find(batch: LostBatch): Promise<string | undefined>;
  /** Ends a batch. */
  cancel(id: string): Promise<void>;
}

/** A batch that may be the one that was looked for: that shows once it is over. */
export const unclear = "unclear";

/** How much earlier than it was submitted a batch may have begun, in milliseconds: clocks differ. */
export const clockDifference = 300_000;

/** How many pages of batches are read, of a hundred each. */
export const mostPages = 10;

/** There is certainly no batch: `cause` is why. */
export class NotSubmittedError extends Error {
  override readonly name = "NotSubmittedError";

  constructor(cause: unknown) {
    super("The batch was not submitted.", { cause });
  }
}
