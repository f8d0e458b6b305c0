import { InvalidInputError } from "../../errors.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { closest } from "../../base/util/closest.ts";

/**
 * Checks that what a person or another program has sent has no field that would be ignored: a misspelled one may be what mattered.
 * @param thing - What has the fields, for the error: `The decision that options.approvals has for "x"`.
 * @throws InvalidInputError naming the field and the nearest right one.
 */
export function assertKnownFields(
  value: object,
  fields: Readonly<Record<string, true>>,
  thing: string,
  data: JsonObject,
): void {
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name));
  if (unknown === undefined) return;
  const names = Object.keys(fields);
  const [near] = closest(unknown, names, 1);
  const hint = near === undefined ? `Its fields are ${names.join(", ")}.` : `Did you mean "${near}"?`;
  throw new InvalidInputError(`${thing} has no field "${unknown}". ${hint}`, data);
}
