import { result } from "../tool/result.ts";
import { jsonLimits } from "../base/util/copy-json.ts";
import { parseExactJson } from "../base/util/exact-json.ts";
import { nameType } from "../base/util/name-type.ts";
import { TimeSlice } from "../base/util/time-slice.ts";
import type { Body } from "./bodies.ts";

/**
 * What a `Response`, a `Blob` or a stream of text holds: its JSON if it says that it is JSON, with numbers that JavaScript would change
 * as texts, else its text, no more than a result may have. A response with an error status is an error result.
 * @param signal - Ends the reading.
 * @throws TypeError for what was read before, and what is not text.
 */
export async function readBody(body: Body, signal: AbortSignal): Promise<unknown> {
  const { ok = true, status = 0, statusText = "", headers, type } = body;
  const contentType = headers?.get("content-type") ?? type ?? "";
  const text = await readText(body, contentType, signal);
  if (!ok) return result({ content: `HTTP ${status} ${statusText}\n${text}`.trim(), isError: true });
  return /\bjson\b/i.test(contentType) ? parsed(text) : text;
}

async function readText(body: Body, contentType: string, signal: AbortSignal): Promise<string> {
  if (body.bodyUsed === true || body.locked === true)
    throw new TypeError(`the body of ${nameType(body)} was read before. Return its text`);
  const stream = streamOf(body);
  if (!stream) return "";
  const reader = stream.getReader();
  const stop = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop);
  try {
    return await readPieces(reader, decoderOf(contentType));
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

function streamOf(body: Body): ReadableStream<unknown> | undefined {
  if (body instanceof ReadableStream) return body;
  return body.body ?? body.stream?.() ?? undefined;
}

async function readPieces(
  reader: ReadableStreamDefaultReader<unknown>,
  decoder: TextDecoder,
): Promise<string> {
  let text = "";
  const slice = new TimeSlice();
  // One character more than a result may have: the result then says that it was cut.
  while (text.length <= jsonLimits.length) {
    const { done, value } = await reader.read();
    if (done) return text + decode(decoder, undefined);
    text += typeof value === "string" ? value : decode(decoder, value);
    // A stream of empty pieces never fills the text, and may be read without a wait.
    const pause = slice.next();
    if (pause) await pause;
  }
  return text;
}

/** @throws TypeError for bytes that are not text. */
function decode(decoder: TextDecoder, piece: unknown): string {
  try {
    if (piece === undefined) return decoder.decode();
    if (piece instanceof Uint8Array) return decoder.decode(piece, { stream: true });
  } catch (error) {
    throw new TypeError("the body is not text. Return what the model can read of it", { cause: error });
  }
  throw new TypeError("the stream is not one of bytes or text. Return its data");
}

function decoderOf(contentType: string): TextDecoder {
  const label = /charset="?([^\s;"]+)/i.exec(contentType)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    // An unknown charset: text that is not UTF-8 then fails.
    return new TextDecoder("utf-8", { fatal: true });
  }
}

function parsed(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    // It is not what it says: its text is what there is.
    return text;
  }
}
