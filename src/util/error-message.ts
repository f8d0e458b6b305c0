/** The words of anything that was thrown, an `Error` or not. Never throws itself. */
export function errorMessage(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (typeof thrown === "string") return thrown;
  try {
    const json = JSON.stringify(thrown) as string | undefined;
    return json ?? String(thrown);
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}
