/**
 * A schema of any library that follows Standard Schema version 1 (https://standardschema.dev): zod, valibot, arktype and
 * others. `Input` is what it accepts, `Output` what it makes of it.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    /** The library's name. */
    readonly vendor: string;
    /** Whether a value fits, and what is made of it. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** For the type checker alone. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The outcome of a Standard Schema's validation: `issues` is absent where the value fits. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One thing that is wrong, in the library's words. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
