/** What a person decides on the call that waits. */
export type Verdict = "approve" | "deny" | { readonly edited: Readonly<Record<string, unknown>> };

/** What is asked. */
export interface Question {
  readonly text: string;
  /** Base64 of a PNG, which goes along. */
  readonly image?: string;
  /** The answer to a call that waits for a person. */
  readonly verdict?: Verdict;
  /** The schema of the answer, where the client names it. */
  readonly output?: Readonly<Record<string, unknown>>;
}

/** An official client in use, with an agent that is served as "desk". */
export interface Talk {
  /**
   * Asks, decides on what waits, and reads to the end.
   * @returns the last text, as the client has put it together.
   * @throws what the client makes of a run that fails.
   */
  readonly ask: (question: Question) => Promise<string>;
  /** The same over a connection that is lost behind the first text; `goOn` lets the agent say the rest. Left out where the protocol has no way back. */
  readonly askAndLoseConnection?: (question: Question, goOn: () => void) => Promise<string>;
  /** Asks, and stops the answer once the agent has begun to speak, as the protocol has it. */
  readonly askAndStop: (question: Question, spoken: Promise<void>) => Promise<void>;
}

/** How a client is opened. */
export interface OfficialClient {
  readonly name: string;
  /** What of the table the protocol, or the client, has no words for. */
  readonly lacks: readonly ("edit" | "decision" | "image" | "resume" | "typed output")[];
  readonly connect: (url: string) => Promise<Talk> | Talk;
}
