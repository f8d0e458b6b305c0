import { isError } from "./is-error.ts";

/** How deep the causes of an error are followed. */
const deepestCause = 8;

/**
 * The code of what went wrong in the end, such as `ECONNREFUSED`: of the last of an error's causes that has one. The words beside it may
 * hold an address, and that a key.
 */
export function systemCode(error: unknown): string | undefined {
  let code: string | undefined;
  let depth = 0;
  for (let link = error; isError(link) && depth < deepestCause; link = link.cause, depth++) {
    if ("code" in link && typeof link.code === "string") code = link.code;
  }
  return code;
}
