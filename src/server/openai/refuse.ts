import { openaiError } from "../../protocols/kit/openai-error.ts";
import type { RouteHandler } from "../router.ts";

/** Codes as OpenAI's clients know them. */
const codes: Readonly<Record<string, string>> = {
  "not-found": "not_found",
  unauthorized: "invalid_api_key",
  "too-many-requests": "rate_limit_exceeded",
};

/** A refusal as OpenAI words it. */
export const refuse: RouteHandler["refuse"] = ({ status, code, message, headers, param }) =>
  openaiError(status, message, {
    code: (Object.hasOwn(codes, code) ? codes[code] : undefined) ?? code,
    headers,
    ...(param !== undefined && { param }),
  });
