/** What a text says as JSON; `undefined` if it says nothing. A model's text without arguments stands for none: `{}`. */
export function parseJson(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    // No JSON is something to be scored, not an error.
    return undefined;
  }
}
