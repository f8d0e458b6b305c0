/** Bytes of `maxMessageBytes` for each bracket, comma and colon. */
const bytesOfMark = 64;

/** These are allowed in any case: a piece of the network may hold many small messages. */
const leastMarks = 65_536;

/** The most brackets, commas and colons outside of texts that a message of at most `maxMessageBytes` may have. */
export function mostMarks(maxMessageBytes: number): number {
  return Math.max(leastMarks, Math.ceil(maxMessageBytes / bytesOfMark));
}
