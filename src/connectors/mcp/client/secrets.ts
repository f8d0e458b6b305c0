import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { redactKeys } from "../../../base/util/redact-keys.ts";
import { type SecretHider, secretHider } from "../../../model/hide-secrets.ts";
import { copyError, secretsIn, segmentsLikeKeys } from "../../../model/secrets.ts";
import type { FetchLike } from "./limit-body.ts";
import { secretsOfAddress, secretsOfProgram } from "./secrets-in-options.ts";
import type { McpClientOptions } from "./types.ts";

/** Secrets of fewer characters could be any word of an answer. */
const shortestInMessages = 8;

/** Errors have fewer words, and may lose more of them. */
const shortestInErrors = 4;

/** The most secrets of requests that are remembered: tokens are renewed, and the latest ones count. */
const mostCredentials = 32;

/** A header that is named like a secret, and that the server itself chose. */
const sessionHeader = "mcp-session-id";

/** Members of a result that no person and no model reads, and that the server wants back as they are. */
const opaqueMembers = ["nextCursor", "requestState"] as const;

/**
 * What the client shows a server to be let in, which a server may send back. Messages and errors of the server pass here first, and
 * nothing else knows the secrets of a connection.
 */
export class ConnectionSecrets {
  readonly #fromOptions: readonly string[];
  readonly #onlyInErrors: readonly string[];
  readonly #credentials = new Set<string>();
  #inMessages: SecretHider | undefined;
  #inErrors: SecretHider | undefined;

  constructor(options: McpClientOptions) {
    if ("command" in options) {
      this.#fromOptions = secretsOfProgram(options);
      // A short value of the environment is most likely a word: it is masked where it harms nothing.
      this.#onlyInErrors = Object.values(options.env ?? {}).filter(({ length }) => length >= 6);
    } else if ("url" in options) {
      this.#fromOptions = secretsOfAddress(options);
      this.#onlyInErrors = segmentsLikeKeys(String(options.url));
    } else {
      this.#fromOptions = this.#onlyInErrors = [];
    }
  }

  /** The same `fetch`, which remembers the secrets that requests are sent with: tokens come from functions, stores and providers. */
  remembering(fetch: FetchLike): FetchLike {
    return (url, init) => {
      const headers = [...new Headers(init?.headers)].filter(([name]) => name !== sessionHeader);
      for (const secret of secretsIn(Object.fromEntries(headers))) this.#remember(secret);
      return fetch(url, init);
    };
  }

  /** The words of an error without secrets. */
  words(text: string): string {
    this.#inErrors ??= secretHider([...this.#all, ...this.#onlyInErrors], {}, shortestInErrors);
    return redactKeys(this.#inErrors.text(text));
  }

  /** An error that may be shown: the SDK's errors hold what the server has sent. */
  cause(error: unknown): unknown {
    return copyError(error, (text) => this.words(text));
  }

  get #all(): readonly string[] {
    return [...this.#fromOptions, ...this.#credentials];
  }

  #remember(secret: string): void {
    if (this.#credentials.has(secret)) return;
    this.#credentials.add(secret);
    const [oldest] = this.#credentials;
    if (this.#credentials.size > mostCredentials && oldest !== undefined) this.#credentials.delete(oldest);
    this.#inMessages = this.#inErrors = undefined;
  }

  /** Takes the secrets out of a message of the server, in place. */
  hideIn(message: JSONRPCMessage): void {
    const all = this.#all;
    if (all.length === 0) return;
    this.#inMessages ??= secretHider(all, {}, shortestInMessages);
    for (const name of ["result", "error", "params"] as const) {
      const content: unknown = Reflect.get(message, name);
      if (typeof content !== "object" || content === null) continue;
      const hidden = this.#inMessages.value(content);
      if (typeof hidden !== "object" || hidden === null) continue;
      for (const member of opaqueMembers)
        if (Object.hasOwn(content, member)) Reflect.set(hidden, member, Reflect.get(content, member));
      Reflect.set(message, name, hidden);
    }
  }
}
