import { LineReader } from "../../connectors/mcp/client/line-reader.ts";
import { mostMarks } from "../../connectors/mcp/client/most-marks.ts";
import { invalidRequest } from "./refusal.ts";

/** The most bytes of a message: the limit of the SDK, which ends the connection at a longer one. */
export const mostMessageBytes = 33_554_432;

/** A message that is left out. */
export interface LeftOut {
  /** The answer to it, as a line of JSON-RPC. */
  readonly answer: string;
  /** Whether that is for the agent: the message is the editor's response to one of its requests. */
  readonly isResponse: boolean;
  /** Why it is left out. */
  readonly reason: string;
}

/**
 * The lines of an input, each with its end, without those that are too long. Of these nothing is kept but the beginning.
 * @param limit - The most bytes of a line.
 * @param leaveOut - Receives what is left out, once its line has ended.
 */
export async function* boundedLines(
  input: AsyncIterable<unknown>,
  limit: number,
  leaveOut: (message: LeftOut) => void,
): AsyncGenerator<Uint8Array> {
  const lines: Uint8Array[] = [];
  const encoder = new TextEncoder();
  const add = (line: string): void => void lines.push(encoder.encode(`${line}\n`));
  const reader = new LineReader(limit, {
    line: add,
    tooLong: (head, _tail, bytes) => {
      const message = leftOut(head, bytes, limit);
      if (message.isResponse) add(message.answer);
      leaveOut(message);
    },
  });
  for await (const chunk of input) {
    if (chunk instanceof Uint8Array) reader.push(chunk);
    yield* lines.splice(0);
  }
  // The last line may have no end.
  reader.push(encoder.encode("\n"));
  yield* lines.splice(0);
}

function leftOut(head: string, bytes: number, limit: number): LeftOut {
  const { id, isResponse } = readHead(head);
  const size =
    bytes > limit
      ? `${bytes} bytes. At most ${limit} are read`
      : `too many values. At most ${mostMarks(limit)} brackets, commas and colons outside of texts are read`;
  const reason = `The message has ${size}. Send less at once.`;
  const { code, message, data } = invalidRequest(reason, "message-too-large");
  return {
    answer: JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } }),
    isResponse,
    reason,
  };
}

/** What begins a message, one behind the other. */
const member = /\s*"(?<name>jsonrpc|id|method)"\s*:\s*(?<value>"(?:[^"\\]|\\.)*"|-?\d{1,15}|null)\s*,/y;

/** Whose message it is, as far as its first characters say so; else the id is `null`, as JSON-RPC has it. */
function readHead(head: string): { readonly id: string | number | null; readonly isResponse: boolean } {
  const start = /^\s*\{/.exec(head)?.[0].length ?? head.length;
  let id: string | number | null = null;
  let end = start;
  member.lastIndex = start;
  for (let match = member.exec(head); match; match = member.exec(head)) {
    end = member.lastIndex;
    if (match.groups?.["name"] === "id") id = readId(match.groups["value"] ?? "");
  }
  return { id, isResponse: id !== null && /^\s*"(?:result|error)"\s*:/.test(head.slice(end)) };
}

function readId(json: string): string | number | null {
  try {
    const id: unknown = JSON.parse(json);
    return typeof id === "string" || typeof id === "number" ? id : null;
  } catch {
    return null;
  }
}
