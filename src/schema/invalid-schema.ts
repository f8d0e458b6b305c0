import { ConfigurationError } from "../errors.ts";

/** Throws a `ConfigurationError` (code `"invalid-schema"`). `at` is the place of the mistake, such as `"#/properties/city"`. */
export function invalidSchema(at: string, problem: string): never {
  throw new ConfigurationError(`The JSON Schema is not valid at ${at}: ${problem}.`, {
    code: "invalid-schema",
    data: { at },
  });
}
