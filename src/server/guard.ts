import { type Answer, withHeaders } from "./answer.ts";
import type { IncomingRequest } from "./incoming.ts";
import { Refusal } from "./refusal.ts";

/** The names of this machine. */
export const localHosts: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** What is allowed to pages of other origins. */
const corsHeaders = {
  "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
  "access-control-max-age": "600",
  vary: "access-control-request-headers",
};

/** Headers of answers that pages of other origins may read. */
const exposed =
  "retry-after, x-request-id, x-skein-run, x-skein-after, x-vercel-ai-ui-message-stream, mcp-session-id";

/**
 * Refuses requests that name another host (DNS rebinding), or come from pages of other sites.
 * @param cors - The sites whose pages are allowed; left out where no option allows any.
 * @throws Refusal (400, 403)
 */
export function checkOrigin(
  request: IncomingRequest,
  allowedHosts: readonly string[],
  cors?: readonly string[],
): void {
  const host = hostOf(request);
  if (!host) throw new Refusal(400, "invalid-host", "The header host is not a host.");
  if (!allowedHosts.includes(host.hostname))
    throw new Refusal(
      403,
      "host-not-allowed",
      `The host ${host.hostname} is not allowed: ${cors ? "list it in allowedHosts of serve()" : `use ${allowedHosts.join(" or ")}`}.`,
    );
  const origin = request.headers.get("origin");
  if (origin === null || cors?.includes(origin) || isOwn(origin, host)) return;
  throw new Refusal(
    403,
    "origin-not-allowed",
    cors
      ? "Pages of this origin are not allowed: list it in cors of serve()."
      : "Pages of other origins are not allowed here.",
  );
}

/** The answer to a browser that asks whether a page may send a request. */
export function preflight(request: IncomingRequest): Answer {
  const wanted = request.headers.get("access-control-request-headers");
  const headers = { ...corsHeaders, ...(wanted !== null && { "access-control-allow-headers": wanted }) };
  return withCors(new Response(null, { status: 204, headers }), request);
}

/** Lets the page read the answer. `checkOrigin` has allowed it. */
export function withCors(answer: Answer, request: IncomingRequest): Answer {
  const origin = request.headers.get("origin");
  return withHeaders(answer, {
    vary: "origin",
    ...(origin !== null && {
      "access-control-allow-origin": origin,
      "access-control-expose-headers": exposed,
    }),
  });
}

/** The host that a request names. Where a runtime keeps the header to itself, the address was made of it. */
function hostOf(request: IncomingRequest): URL | undefined {
  const host = request.headers.get("host") ?? request.url.host;
  const isHost = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{0,5})?$/i.test(host) && URL.canParse(`http://${host}`);
  return isHost ? new URL(`http://${host}`) : undefined;
}

/** Whether a page is the server's own: of the same host and port, whatever stands before it speaks. */
function isOwn(origin: string, host: URL): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, port } = new URL(origin);
  const standard = protocol === "https:" ? "443" : "80";
  return hostname === host.hostname && (port || standard) === (host.port || standard);
}
