import type { Usage } from "../message/messages.ts";

/** One answer of a model: which model, and its usage. */
export interface ModelCall {
  readonly provider: string;
  /** The model's id as the provider reports it. */
  readonly modelId: string;
  readonly usage: Usage;
  /** Set where the answer came from a batch, at half price. */
  readonly batch?: true;
  /** Set where this is several answers as one, whose `usage` is their sum: durable runs keep them so. */
  readonly sum?: CallSum;
}

/** What several answers of a model are as one. */
export interface CallSum {
  /** How many answers. */
  readonly calls: number;
  /** The input tokens of the shortest and of the longest request, since prices may depend on that; left out where no request reports them. */
  readonly inputTokens?: { readonly least: number; readonly most: number };
}

/** A limit in money, such as `dollars(0.5)` of `skein/models` returns. */
export interface CostLimit {
  readonly amount: number;
  /** What one answer cost; `undefined` if that is not known. */
  readonly costOf: (call: ModelCall) => number | undefined;
}
