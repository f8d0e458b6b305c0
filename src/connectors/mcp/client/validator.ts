import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from "@modelcontextprotocol/client";
import { compileWithMatcher } from "../../../schema/compile-with-matcher.ts";
import { formatPath } from "../../../schema/format-path.ts";
import type { JsonSchema, Schema } from "../../../schema/types.ts";

/** Our own validation of schemas for the SDK, so that it loads none. Schemas that cannot be used accept everything. */
export const schemaValidator: jsonSchemaValidator = {
  getValidator<T>(jsonSchema: JsonSchemaType): JsonSchemaValidator<T> {
    const schema = usableSchema<T>(jsonSchema);
    return (input) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema that cannot be used describes nothing
      if (!schema) return { valid: true, data: input as T, errorMessage: undefined };
      const outcome = schema.validate(input);
      if (outcome.ok) return { valid: true, data: outcome.value, errorMessage: undefined };
      const issues = outcome.issues.slice(0, 5).map(({ path, message }) => `${formatPath(path)}: ${message}`);
      return { valid: false, data: undefined, errorMessage: issues.join("; ") };
    };
  },
};

/** The compiled schema, or `undefined` for one that cannot be used. */
export function usableSchema<T>(jsonSchema: JsonSchema): Schema<T> | undefined {
  try {
    const schema = compileWithMatcher<T>(jsonSchema, { formats: "annotate" });
    schema.validate({});
    return schema;
  } catch {
    return undefined;
  }
}
