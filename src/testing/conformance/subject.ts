import type { Model, ModelRequest } from "../../model/types.ts";
import type { Fetch } from "../../model/wire-seam.ts";
import type { Captured } from "./captured.ts";
import type { AnswerReading } from "./read.ts";

/** One request to the model, and what is known of the answer. */
export interface Subject {
  readonly request: ModelRequest;
  /** The model for one reading; with a captured answer, over a `fetch` that gives it. */
  readonly model: () => Model;
  readonly baseline: AnswerReading;
  /** What came over the wire, where that can be reached and was one answer. */
  readonly captured: Captured | undefined;
  /** The model over another `fetch`. */
  readonly over: (fetch: Fetch) => Model;
}
