/** The SDK counts milliseconds in 32 bits; deadlines are ours. */
export const noDeadline = 0x7fffffff;

/** Milliseconds that a server may take to connect unless the options say otherwise: `npx` may have to download it. */
export const defaultConnectTimeout = 60_000;

/** The most tools of a server unless the options say otherwise. */
export const defaultMaxTools = 1_000;

/** How many pages of a list are read. */
export const mostPages = 250;

/** The longest words of a server in an error, in characters. */
export const longestError = 2_000;

/** A signal that is aborted after `timeout` milliseconds, or with the other one. */
export function withDeadline(timeout: number, signal?: AbortSignal): AbortSignal {
  const late = AbortSignal.timeout(Math.min(timeout, noDeadline));
  return signal ? AbortSignal.any([late, signal]) : late;
}
