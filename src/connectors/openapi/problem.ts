import { ConfigurationError } from "../../errors.ts";

/** The error of a document that cannot be used. `source` names it, such as a file or an address. */
export function documentError(source: string, problem: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`The OpenAPI document ${source} ${problem}`, {
    code: "invalid-openapi",
    data: { source },
    cause,
  });
}
