/** A JSON Schema (draft 2020-12, or draft 7 where its `$schema` says so) as data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** How a JSON Schema is compiled. */
export interface CompileOptions {
  /**
   * Further documents by their absolute URIs: what `$ref` may name beyond the schema itself, and metaschemas of its own
   * vocabularies. Nothing is ever fetched.
   */
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  /**
   * Whether a text must have the `format` that is wanted ("assert", the default), or the format only tells the reader
   * ("annotate", what draft 2020-12 says of schemas that do not ask for more).
   */
  readonly formats?: "assert" | "annotate";
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
