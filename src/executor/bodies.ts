import { isToolReturn } from "../tool/result.ts";
import { isPlainObject } from "../base/util/json.ts";

/** What a `Response`, a `Blob` and a stream have in common, as far as it is read. */
export interface Body {
  readonly ok?: boolean;
  readonly status?: number;
  readonly statusText?: string;
  readonly headers?: { get(name: string): string | null };
  readonly type?: string;
  readonly bodyUsed?: boolean;
  readonly locked?: boolean;
  readonly body?: ReadableStream<unknown> | null;
  readonly stream?: () => ReadableStream<unknown>;
}

/** What holds a text that has to be read first: a tool may return `fetch(url)`. `undefined` for everything else. */
export function bodyOf(returned: unknown): Body | undefined {
  const value: unknown = isToolReturn(returned) ? returned.value : returned;
  if (typeof value !== "object" || value === null || Array.isArray(value) || isPlainObject(value))
    return undefined;
  return isBody(value) ? value : undefined;
}

function isBody(value: object): value is Body {
  if (typeof ReadableStream === "function" && value instanceof ReadableStream) return true;
  return "text" in value && typeof value.text === "function" && "arrayBuffer" in value;
}
