import { retryAfterOf } from "../../model/http-errors.ts";
import type { RateLimit } from "../../model/types.ts";

/** Milliseconds in each unit of a duration such as `"6m0s"`, `"1.5s"` or `"17ms"`. */
const units: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Reads the `x-ratelimit-*` headers (https://platform.openai.com/docs/guides/rate-limits); `undefined` if there are none. */
export function rateLimitOf(headers: Readonly<Record<string, string>>): RateLimit | undefined {
  const entries = [
    ["limitRequests", count(headers["x-ratelimit-limit-requests"] ?? headers["x-ratelimit-limit"])],
    [
      "remainingRequests",
      count(headers["x-ratelimit-remaining-requests"] ?? headers["x-ratelimit-remaining"]),
    ],
    ["resetRequests", duration(headers["x-ratelimit-reset-requests"])],
    ["limitTokens", count(headers["x-ratelimit-limit-tokens"])],
    ["remainingTokens", count(headers["x-ratelimit-remaining-tokens"])],
    ["resetTokens", duration(headers["x-ratelimit-reset-tokens"])],
    ["retryAfter", retryAfterOf(headers)],
  ] as const;
  const values = entries.filter(([, value]) => value !== undefined);
  return values.length === 0 ? undefined : Object.fromEntries(values);
}

function count(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Plain numbers are seconds. */
function duration(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  const pieces = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)];
  if (pieces.length === 0 || pieces.map(([piece]) => piece).join("") !== text) return undefined;
  return pieces.reduce((total, [, amount, unit]) => total + Number(amount) * (units[unit ?? ""] ?? 0), 0);
}
