/** A JSON Schema (draft 2020-12) as data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** One thing that is wrong with a value. */
export interface Issue {
  /** Keys and indexes from the root to the wrong place; empty for the root. */
  readonly path: readonly (string | number)[];
  /** A sentence, such as `"expected a number, received a string"`. */
  readonly message: string;
  /** What the schema wants there, such as `"number"` or `'"celsius" or "fahrenheit"'`. */
  readonly expected?: string;
  /** What stands there. */
  readonly received?: unknown;
}

/** The outcome of a validation: the value, or everything that is wrong with it. */
export type Validation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A JSON Schema with its validator. */
export interface Schema<T = unknown> {
  readonly jsonSchema: JsonSchema;
  /** Checks `value` as it stands: nothing is coerced. Never throws for a wrong value. */
  validate(value: unknown): Validation<T>;
  /** Present where validation may take time (asynchronous refinements): used instead of `validate`. */
  validateAsync?(value: unknown): Promise<Validation<T>>;
}
