/**
 * Whether Next.js runs this program. Its bundlers replace `process.env.NEXT_RUNTIME`, written like this, by the runtime's
 * name; there is no such variable.
 */
export function runsInNext(): boolean {
  if (typeof process !== "object" || typeof process.env !== "object") return false;
  return /^(?:nodejs|edge)$/.test(process.env.NEXT_RUNTIME ?? "");
}

/** What to do about functions in which a build with Next.js attached no schemas, as a sentence without its end. */
export const nextRemedy =
  "Wrap the configuration of Next.js: export default withSkein(nextConfig), from skein/next";
