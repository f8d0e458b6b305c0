import { assertAtLeast } from "../../../base/options/at-least.ts";
import { assertKnownOptions, describeValue, invalidOption } from "../../../base/options/known-options.ts";
import type { UploadOptions } from "./types.ts";

const optionNames = { minBytes: true } as const satisfies Record<keyof UploadOptions, true>;

/**
 * Checks the option `uploads` of a factory.
 * @param place - The factory's call, for messages.
 * @throws ConfigurationError unless it is left out, a boolean or options.
 */
export function assertUploads(uploads: unknown, place: string): void {
  if (uploads === undefined || typeof uploads === "boolean") return;
  if (typeof uploads !== "object" || uploads === null)
    throw invalidOption(
      `uploads of ${place} is ${describeValue(uploads)}. Write uploads: true, or { minBytes }.`,
      { option: "uploads" },
    );
  assertKnownOptions(uploads, optionNames, `uploads of ${place}`);
  assertAtLeast("minBytes", Reflect.get(uploads, "minBytes"), 0);
}
