/** What `fetch` does where a server answers with a redirect. */
export type RedirectMode = "error" | "manual";

let mode: RedirectMode | undefined;

/**
 * How redirects are refused on this platform. Where one leads is nobody that a key is meant for; and what need not be sent
 * again need not be kept, which Node does for every request that may follow one. Cloudflare's Workers know no `"error"`.
 */
export function redirectMode(): RedirectMode {
  return (mode ??= knowsError() ? "error" : "manual");
}

function knowsError(): boolean {
  try {
    return new Request("https://example.com", { redirect: "error" }).redirect === "error";
  } catch {
    return false;
  }
}

/** Whether an answer is a redirect that was not followed; browsers hide all else of it. */
export function isRedirect({ type, status }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}
