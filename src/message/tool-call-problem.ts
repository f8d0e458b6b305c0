const remedy =
  'Expected { toolCallId: "call_1", toolName: "getWeather", arguments: "{}" }, with the arguments as JSON text.';

/** What is wrong with a value that should be a `ToolCall`, as the end of a sentence; `undefined` if nothing is. */
export function toolCallProblem(call: unknown): string | undefined {
  if (typeof call !== "object" || call === null)
    return `is ${call === null ? "null" : `a ${typeof call}`}, not a tool call. ${remedy}`;
  const missing = ["toolCallId", "toolName", "arguments"].find(
    (name) => typeof Reflect.get(call, name) !== "string",
  );
  return missing === undefined ? undefined : `is a tool call whose ${missing} is not a text. ${remedy}`;
}
