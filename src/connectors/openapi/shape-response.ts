import { parseExactJson } from "../../base/util/exact-json.ts";
import { toBase64 } from "../../base/util/base64.ts";
import { result } from "../../tool/result.ts";
import type { ToolReturn } from "../../tool/types.ts";
import { formatPath } from "../../schema/format-path.ts";
import type { Schema } from "../../schema/types.ts";
import type { SecretHider } from "../../model/hide-secrets.ts";
import { OpenApiResponseError } from "./response-error.ts";

/** What a server answered. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether that is the whole body. */
  readonly isWhole: boolean;
}

/** How much of an error's body a model is shown, in characters. */
const longestErrorBody = 3_000;

/** Headers from which a model learns how to continue. */
const tellingHeaders = ["location", "link", "retry-after"] as const;

/** Headers that describe the content of an answer without a body, as to HEAD. */
const describingHeaders = ["content-type", "content-length", "last-modified", "etag"] as const;

/**
 * The tool's result for an answer: JSON as a value, text, images and PDF files as parts.
 * @param hider takes the request's secrets out.
 * @param schemaOf the schema that JSON of a status is held to, if it is to be.
 * @throws OpenApiResponseError for every status other than success, and for JSON that is not as it should be.
 */
export function shapeResponse(
  answer: Answer,
  hider: SecretHider,
  schemaOf: (status: number) => Schema | undefined,
): ToolReturn {
  const { status, headers, bytes, isWhole } = answer;
  const line = hider.text(statusLine(answer));
  const type = headers.get("content-type")?.toLowerCase().split(";", 1)[0]?.trim() ?? "";
  if (status < 200 || status > 299)
    throw failure(answer, line, isText(type) ? hider.json(decode(answer)) : "");
  const namesTold = bytes.byteLength === 0 ? [...tellingHeaders, ...describingHeaders] : tellingHeaders;
  const notes = namesTold.flatMap((name) => {
    const value = headers.get(name);
    return value === null || value === "0" ? [] : [`${name}: ${hider.text(value)}`];
  });
  if (bytes.byteLength === 0) return result({ content: [line, ...notes].join("\n") });
  if (/^image\/(?:png|jpe?g|gif|webp)$|^application\/pdf$/.test(type)) return media(answer, type);
  if (!isText(type)) {
    return result({
      content: `[${bytes.byteLength} bytes of ${visibleType(headers, hider)}, which cannot be shown]`,
    });
  }
  const text = decode(answer);
  if (!isWhole)
    return result({
      content: `${hider.text(text)}\n[cut here: the answer is longer than ${bytes.byteLength} bytes]`,
    });
  return /json/.test(type)
    ? json(text, type, notes, status, hider, schemaOf)
    : result({ content: [hider.json(text), ...notes].join("\n") });
}

/** Whether it says that the whole is one document, as `application/x-ndjson` and `application/json-seq` do not. */
function isOneDocument(type: string): boolean {
  return /(?:\/|\+)json$/.test(type);
}

function json(
  text: string,
  type: string,
  notes: readonly string[],
  status: number,
  hider: SecretHider,
  schemaOf: (status: number) => Schema | undefined,
): ToolReturn {
  let value: unknown;
  let plainValue: unknown;
  const schema = schemaOf(status);
  try {
    value = hider.value(parseExactJson(text));
    // The schema knows an id as the integer that it is.
    plainValue = schema && hider.value(JSON.parse(text));
  } catch {
    const broken = isOneDocument(type) ? ["[the server says that this is JSON, and it is not]"] : [];
    return result({ content: [hider.text(text), ...broken, ...notes].join("\n") });
  }
  const checked = schema?.validate(plainValue);
  if (checked && !checked.ok) {
    const issues = checked.issues.slice(0, 5).map(({ path, message }) => `${formatPath(path)}: ${message}`);
    throw new OpenApiResponseError(
      `the answer (${status}) does not have the form that the API's document says: ${issues.join("; ")}`,
      status,
      false,
    );
  }
  if (notes.length === 0) return result({ value });
  return result({ value, content: [JSON.stringify(value), ...notes].join("\n") });
}

function failure(answer: Answer, line: string, body: string): OpenApiResponseError {
  const { status, headers } = answer;
  const wait = headers.get("retry-after");
  const excerpt = body.length > longestErrorBody ? `${body.slice(0, longestErrorBody)}…` : body;
  const hint =
    wait !== null && /^[\w ,:-]{1,40}$/.test(wait)
      ? ` (try again after ${wait}${/^\d+$/.test(wait) ? " s" : ""})`
      : "";
  const isTransient = [408, 425, 429, 502, 503, 504].includes(status);
  const message = `${line}${hint}${excerpt.trim() === "" ? "" : `: ${excerpt}`}`;
  return new OpenApiResponseError(message, status, isTransient);
}

function statusLine({ status, statusText }: Answer): string {
  return `${status} ${statusText}`.trim();
}

function media({ bytes, isWhole }: Answer, type: string): ToolReturn {
  if (!isWhole) return result({ content: `[${type} of more than ${bytes.byteLength} bytes left out]` });
  const url = `data:${type};base64,${toBase64(bytes)}`;
  return result({ content: [type.startsWith("image/") ? { type: "image", url } : { type: "file", url }] });
}

/** The media type as the server writes it: in lower case, a secret in it would not be found. */
function visibleType(headers: Headers, hider: SecretHider): string {
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim() ?? "";
  return type === "" ? "an unknown type" : hider.text(type);
}

function isText(type: string): boolean {
  return type === "" || /^text\/|json|xml|yaml|javascript|graphql|x-www-form-urlencoded/.test(type);
}

/** By the character set of the content type, UTF-8 if it names none that is known. */
function decode({ headers, bytes }: Answer): string {
  const label = /charset="?([\w-]+)/i.exec(headers.get("content-type") ?? "")?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
