import type { JsonSchema } from "../schema/types.ts";

/** One difference between two versions of a schema. */
export interface SchemaChange {
  /** Such as `unit`, `address.street` or `tags[]`; empty for the whole. */
  readonly path: string;
  /** A sentence without its subject, such as `is required now`. */
  readonly message: string;
  /**
   * Whether fewer values fit than before, or more. What is `removed` may be missed by its users; `added` is
   * harmless; `wording` is what a model reads, and no validator.
   */
  readonly kind: "narrowed" | "widened" | "removed" | "added" | "wording";
}

/** Two versions of a schema, or of a part of it. */
export interface Versions {
  readonly before: JsonSchema;
  readonly after: JsonSchema;
}

/** What a comparison needs at every depth. */
export interface SchemaComparison {
  readonly roots: Versions;
  /** Pairs of `$ref`s that are being compared. */
  readonly open: ReadonlySet<string>;
  compare(before: unknown, after: unknown, path: string, comparison: SchemaComparison): SchemaChange[];
}
