import { ConfigurationError } from "../errors.ts";
import { redactKeys } from "../base/util/redact-keys.ts";

/**
 * Checks where requests are to go.
 * @param source what it was set with: `baseURL` or the name of a variable.
 * @throws ConfigurationError (`invalid-base-url`) that says what to write.
 */
export function assertBaseURL(baseURL: string, source: string): void {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (url && /^https?:$/.test(url.protocol)) {
    if (/[?#]/.test(baseURL)) {
      throw invalid(
        `The ${source} has a query or a fragment ("?" or "#"), and paths are added at its end. ` +
          "Leave it out, and send keys as headers: { headers: { ... } }.",
      );
    }
    if (!url.username && !url.password) return;
    // fetch would refuse it and say it whole.
    throw invalid(
      `The ${source} holds a user name or a password. Send them as a header: { headers: { ... } }.`,
    );
  }
  const excerpt = redactKeys(baseURL.replace(/^.*@/s, ""));
  if (/^https?:/i.test(baseURL)) throw invalid(`The ${source} "${excerpt}" is not a URL.`);
  const scheme = /^(?:localhost|127\.|\[::1\])/.test(excerpt) ? "http" : "https";
  const rest = excerpt.replace(/^[a-z]*:?\/\//i, "");
  throw invalid(
    `The ${source} "${excerpt}" needs http:// or https:// in front, such as "${scheme}://${rest}".`,
  );
}

function invalid(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "invalid-base-url" });
}
