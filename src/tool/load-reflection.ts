import type * as reflection from "#reflection";
import { SchemaNotFoundError } from "../errors.ts";
import { commonJsPlace, isCommonJsFailure } from "../base/util/common-js-runtime.ts";

/**
 * What looks for schemas while the program runs, loaded when it is first needed.
 * @throws SchemaNotFoundError where a program runs that cannot load it.
 */
export async function loadReflection(): Promise<typeof reflection> {
  try {
    return await import("#reflection");
  } catch (error) {
    if (!isCommonJsFailure(error)) throw error;
    const { reason, remedy } = commonJsPlace;
    throw new SchemaNotFoundError(`No schema is found: ${reason}. ${remedy}.`, { cause: error });
  }
}
