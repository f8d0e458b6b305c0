import type { UploadFile } from "./types.ts";

/** A form with a file (RFC 7578), as the body of a request. */
export interface FileForm {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * A form with text fields and then a file, called `file`. The boundary depends on the content, so that the same upload is the same request.
 */
export function fileForm(fields: Readonly<Record<string, string>>, file: UploadFile): FileForm {
  const boundary = `skein-${file.digest.slice(0, 40)}`;
  const texts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${value}\r\n`,
  );
  const head =
    `${texts.join("")}--${boundary}\r\n` +
    `Content-Disposition: form-data; name="file"; filename="${escaped(file.filename)}"\r\n` +
    `Content-Type: ${file.mediaType}\r\n\r\n`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: joined(head, file.bytes, `\r\n--${boundary}--\r\n`),
  };
}

/** What ends a name is written as browsers write it (https://html.spec.whatwg.org/#multipart-form-data). */
function escaped(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

function joined(head: string, bytes: Uint8Array, tail: string): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const start = encoder.encode(head);
  const end = encoder.encode(tail);
  const body = new Uint8Array(start.length + bytes.length + end.length);
  body.set(start);
  body.set(bytes, start.length);
  body.set(end, start.length + bytes.length);
  return body;
}
