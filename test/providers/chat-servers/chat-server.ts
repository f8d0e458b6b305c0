/** A server, and what it says. */
export interface ChatServer {
  readonly baseURL: string;
  readonly modelId: string;
  readonly provider: string;
  /** The body of a streamed answer, as it comes. */
  readonly stream: string;
  /** What the answer is: a part of a `Generation`. */
  readonly said: object;
  /** The answer as it goes back with the next request. */
  readonly replayed: object;
  /** A title, the status (200 within a stream), the body, and the error's code and whether it may be tried again. */
  readonly errors: readonly (readonly [
    title: string,
    status: number,
    body: unknown,
    code: string,
    isRetryable: boolean,
  ])[];
}

type Fields = Readonly<Record<string, unknown>>;

/** The body of a stream: lines as they are, objects as events. */
export function sse(...lines: readonly (string | object)[]): string {
  return lines
    .map((line) => (typeof line === "string" ? line : `data: ${JSON.stringify(line)}\n\n`))
    .join("");
}

/** Makes the chunks of one answer. */
export function chunksOf(base: Fields): (delta: object, choice?: Fields, chunk?: Fields) => object {
  return (delta, choice = {}, chunk = {}) => ({
    ...base,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: null, ...choice }],
    ...chunk,
  });
}

/** The last line of a stream. */
export const done = "data: [DONE]\n\n";
