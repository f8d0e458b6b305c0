import { systemCode } from "../../base/util/system-code.ts";
import { isPrivateHost, resolvesToPrivate } from "../../base/util/private-address.ts";

/** Which addresses requests may go to. */
export interface NetworkPolicy {
  /** The application's own `fetch`, which decides itself what names resolve to. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Also addresses of this machine and of private networks. */
  readonly allowPrivate: boolean;
  /** Origins that the program has named itself, which may be private. */
  readonly trusted: ReadonlySet<string>;
}

/** How many redirects are followed. */
const mostRedirects = 5;

/** A step of a redirect. */
export interface Redirect {
  readonly from: URL;
  readonly to: URL;
  /** What the redirected request would be sent with. */
  readonly method: string;
}

/**
 * Sends a request, and follows its redirects where `mayGo` allows them: to another origin without `secretHeaders`.
 * @throws Error in words for a model, without the query of any address.
 */
export async function send(
  url: string,
  init: RequestInit & { readonly headers: Headers },
  policy: NetworkPolicy,
  mayGo: (redirect: Redirect) => boolean,
): Promise<Response> {
  let target = new URL(url);
  let request: RequestInit = init;
  const requested = new Set<string>();
  for (;;) {
    requested.add(requestKey(request, target));
    await assertPublic(target, policy, init.signal);
    const response = await fetchOnce(target, request, policy);
    if (response.redirected)
      await assertFollowable(response, { from: target, to: new URL(response.url) }, request, mayGo);
    const location = response.headers.get("location");
    if (response.type === "opaqueredirect")
      throw new Error("the server redirects, and this runtime does not say where to");
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
    const next = URL.parse(location, target);
    if (!next) throw new Error("the server redirects to an address that is none: not followed");
    if (request.method === "POST" && response.status < 303)
      throw new Error(
        `the server redirects a POST with ${response.status}, after which it would be a GET without a body: not followed`,
      );
    const following = redirected(request, init.headers, response.status, next.origin !== target.origin);
    await assertFollowable(response, { from: target, to: next }, following, mayGo);
    await response.body?.cancel();
    // What the first request did, the same one would do again.
    if (requested.has(requestKey(following, next)))
      throw new Error("the server redirects in a circle: not followed");
    if (requested.size > mostRedirects)
      throw new Error(`the server redirects more than ${mostRedirects} times`);
    request = following;
    target = next;
  }
}

/** The same for requests that the server cannot tell apart: a fragment is not sent. */
function requestKey({ method = "GET" }: RequestInit, { origin, pathname, search }: URL): string {
  return `${method} ${origin}${pathname}${search}`;
}

/** @throws Error for a redirect that is not to be followed. */
async function assertFollowable(
  response: Response,
  step: Omit<Redirect, "method">,
  { method = "GET" }: RequestInit,
  mayGo: (redirect: Redirect) => boolean,
): Promise<void> {
  if (mayGo({ ...step, method })) return;
  await response.body?.cancel();
  const isSameOrigin = step.from.origin === step.to.origin;
  throw new Error(
    isSameOrigin
      ? `the server redirects ${method} to another path of ${step.to.origin}, which may be another operation: not followed`
      : `the server redirects to ${step.to.origin}, which is not one of the API's servers: not followed`,
  );
}

/** As browsers do it: 303 goes on with GET; what is secret does not leave its origin. */
function redirected(request: RequestInit, first: Headers, status: number, isElsewhere: boolean): RequestInit {
  const headers = new Headers();
  for (const [name, value] of new Headers(request.headers ?? first)) {
    if (!isElsewhere || /^(?:accept|content-type)$/.test(name)) headers.append(name, value);
  }
  if (status !== 303 || request.method === "HEAD") return { ...request, headers };
  headers.delete("content-type");
  const { body: _body, ...rest } = request;
  return { ...rest, method: "GET", headers };
}

async function fetchOnce(
  target: URL,
  request: RequestInit,
  { fetch = globalThis.fetch }: NetworkPolicy,
): Promise<Response> {
  try {
    return await fetch(target.href, { ...request, redirect: "manual" });
  } catch (error) {
    request.signal?.throwIfAborted();
    throw noAnswer(target.host, request.method ?? "GET", error);
  }
}

/** What goes wrong before anything of a request is sent. */
const beforeSending =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS|ERR_SSL|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;

/** Methods that may be sent again, whatever became of the first request: RFC 9110, 9.2.2. */
const idempotent: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]);

function noAnswer(host: string, method: string, error: unknown): UnansweredError {
  const reason = reasonOf(error);
  if (beforeSending.test(reason)) return new UnansweredError(`no connection to ${host} (${reason})`, true);
  const effect = method === "GET" || method === "HEAD" ? "" : "; the call may or may not have taken effect";
  const words = `the connection to ${host} failed before it answered (${reason})${effect}`;
  return new UnansweredError(words, idempotent.has(method));
}

/** Without its cause, which may name an address with a key in it. */
function brokenOff(error: unknown): Error {
  return new Error(`the server has taken the request, but its answer broke off (${reasonOf(error)})`);
}

/** No answer at all. */
class UnansweredError extends Error {
  readonly isTransient: boolean;

  /** @param isTransient - Whether the same request may succeed later, and does nothing twice. */
  constructor(message: string, isTransient: boolean) {
    super(message);
    this.isTransient = isTransient;
  }
}

function reasonOf(error: unknown): string {
  return systemCode(error) ?? (error instanceof Error ? error.name : "unknown");
}

/** @throws Error unless the program named the address itself, it is public, or private ones are allowed. */
async function assertPublic(
  target: URL,
  policy: NetworkPolicy,
  signal: AbortSignal | null | undefined,
): Promise<void> {
  if (!/^https?:$/.test(target.protocol)) throw new Error(`${target.protocol} is not a scheme for requests`);
  if (policy.allowPrivate || policy.trusted.has(target.origin)) return;
  const isPrivate =
    isPrivateHost(target.hostname) || (!policy.fetch && (await resolvesToPrivate(target.hostname)));
  signal?.throwIfAborted();
  if (isPrivate) {
    throw new Error(
      `${target.host} is an address of a private network: not asked (allowPrivateAddresses, or a baseUrl, would allow it)`,
    );
  }
}

/** The bytes of a body, as far as `limit` goes. @throws Error for one that breaks off. */
export async function readBytes(
  response: Response,
  limit: number,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isWhole = true;
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      length += chunk.byteLength;
      isWhole = length <= limit;
      if (!isWhole) break;
    }
  } catch (error) {
    throw brokenOff(error);
  }
  const bytes = new Uint8Array(Math.min(length, limit));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, bytes.length - at), at);
    at += chunk.byteLength;
  }
  return { bytes, isWhole };
}
