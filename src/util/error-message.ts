/** The words of anything that was thrown, an `Error` or not. Never throws itself. */
export function errorMessage(thrown: unknown): string {
  try {
    // Nothing holds a program to types here: either may be a symbol.
    const words: unknown = thrown instanceof Error ? thrown.message || thrown.name : thrown;
    if (thrown instanceof Error || typeof words === "string") return String(words);
    const json = JSON.stringify(thrown) as string | undefined;
    return json ?? String(thrown);
  } catch {
    return "something that cannot be shown";
  }
}
