/** A call as a model makes it. */
export interface AnswerCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** What a model says, whatever the protocol. */
export interface Answer {
  /** Tells this answer's ids from those of others. */
  readonly id: string;
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly AnswerCall[];
  /** Why it ends, if not for its calls or its end. */
  readonly finish?: "length";
}

/** An event of a stream. */
export type WireEvent = Readonly<Record<string, unknown>>;
