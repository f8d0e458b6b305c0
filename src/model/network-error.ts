import { ModelTimeoutError, NetworkError, SkeinError } from "../errors.ts";
import { copyError, type Redact } from "./secrets.ts";
import { isError } from "../base/util/is-error.ts";

/** Codes by which runtimes say that something took too long. */
const timeoutCodes = /TIMEDOUT|_TIMEOUT$/;

/** Codes of certificates and options that do not fit: the next attempt will find them no better. */
const lastingCodes = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_INVALID_/;

/** What Node, Bun (as a code) and Deno say where a redirect was not to be followed. */
const redirectWords = /unexpected ?redirect|redirect mode is set to/i;

/**
 * The typed error of a request that failed below HTTP. `providerCode` is the system's code, such as `"ECONNREFUSED"`.
 * Errors of Skein's own pass unchanged.
 */
export function networkError(
  where: {
    readonly provider: string;
    readonly modelId: string;
    readonly url: string;
    readonly redact: Redact;
  },
  what: string,
  error: unknown,
): Error {
  if (error instanceof SkeinError) return error;
  const { provider, modelId, url, redact } = where;
  const ownCode = codeOf(error);
  const code = ownCode && redact(ownCode);
  const words = redact(isError(error) ? (causeWords(error) ?? error.message) : String(error));
  const reason = code === undefined || words.includes(code) ? words : `${code}: ${words}`;
  const { host, port } = new URL(url);
  const isRedirect = redirectWords.test(code ?? words);
  // Ollama's own port, whatever the model calls its provider.
  const isOllama = provider === "ollama" || port === "11434";
  let hint = "";
  if (isRedirect)
    hint =
      " A key is not sent to where a redirect leads: if that is the right address, give it as the baseURL.";
  else if (isOllama && code === "ECONNREFUSED") hint = " Is Ollama running? Start it with `ollama serve`.";
  const message = `${provider}:${modelId}: ${what} ${host} (${reason}).${hint}`;
  const options = { provider, modelId, providerCode: code, cause: copyError(error, redact) };
  if (code !== undefined && timeoutCodes.test(code)) return new ModelTimeoutError(message, options);
  return new NetworkError(message, {
    ...options,
    isRetryable: !isRedirect && (code === undefined || !lastingCodes.test(code)),
  });
}

/** The first code down the chain of causes. */
function codeOf(error: unknown): string | undefined {
  let depth = 0;
  for (let link = error; isError(link) && depth < 8; link = link.cause, depth += 1) {
    if ("code" in link && typeof link.code === "string") return link.code;
  }
  return undefined;
}

/** `fetch` itself says "fetch failed" only; its cause says why. */
function causeWords(error: Error): string | undefined {
  return isError(error.cause) ? error.cause.message || undefined : undefined;
}
