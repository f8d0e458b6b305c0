import { bytesOf } from "../../base/stream/bytes.ts";
import { isRedirect, redirectMode } from "./redirect.ts";
import { longestWarming } from "./types.ts";
import type { WireAnswer, WireExchange } from "./types.ts";

/**
 * The answer of a `fetch` to a request.
 * @returns `undefined` where what came is no `Response`.
 */
export async function postByFetch(
  fetch: typeof globalThis.fetch,
  { url, method = "POST", headers, body, signal }: WireExchange,
): Promise<WireAnswer | undefined> {
  const response: unknown = await fetch(url, {
    method,
    redirect: redirectMode(),
    headers,
    ...(body !== undefined && { body }),
    signal,
  });
  return isResponse(response) ? answerOf(response) : undefined;
}

/** Connects to the server of a `url` by a request without a body, a key or a path. */
export async function warmByFetch(fetch: typeof globalThis.fetch, url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(longestWarming);
  const options = { method: "HEAD", redirect: "manual", signal } as const;
  return fetch(new URL("/", url), options).then(
    () => true,
    () => false,
  );
}

function answerOf(response: Response): WireAnswer {
  const headers: [name: string, value: string][] = [];
  response.headers.forEach((value, name) => void headers.push([name, value]));
  return {
    status: response.status,
    headers,
    isRedirect: isRedirect(response),
    body: response.body ? bytesOf(response.body) : undefined,
  };
}

/** Whether it is a response of any implementation of `fetch`. */
function isResponse(value: unknown): value is Response {
  return typeof Object(value).headers?.forEach === "function";
}
