import type { FetchLike } from "./limit-body.ts";

/**
 * The same `fetch`, which sends a message on within its origin, to each address once: a call that was executed and
 * redirected to itself would be executed again. Redirects to elsewhere are the SDK's to refuse.
 */
export function withoutCircles(fetch: FetchLike): FetchLike {
  return async (url, init) => {
    let target = new URL(url);
    const requested = new Set<string>();
    for (;;) {
      requested.add(target.href);
      const response = await fetch(target, init);
      const location = response.headers.get("location");
      const isKept = response.status === 307 || response.status === 308;
      const next = isKept && location !== null && init?.method === "POST" && URL.parse(location, target);
      if (!next || next.origin !== target.origin) return response;
      await response.body?.cancel();
      next.hash = "";
      if (requested.has(next.href) || requested.size > 5)
        throw new Error("the server redirects in a circle: not followed");
      target = next;
    }
  };
}
