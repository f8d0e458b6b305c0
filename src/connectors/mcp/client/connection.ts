import { errorMessage } from "../../../base/util/error-message.ts";
import { sleep } from "../../../base/util/sleep.ts";
import { systemCode } from "../../../base/util/system-code.ts";
import { unlessAborted } from "../../../base/util/unless-aborted.ts";
import { cleanText } from "../../../base/util/clean-text.ts";
import { Backoff } from "./backoff.ts";
import type { Known, Link } from "./connect.ts";
import { FailedProgram } from "./failed-program.ts";
import { McpError } from "./errors.ts";
import { lastWords } from "./last-words.ts";
import { defaultConnectTimeout, longestError, withDeadline } from "./limits.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import { ConnectionSecrets } from "./secrets.ts";
import type { ServerScope } from "./scope.ts";
import type { McpClientOptions } from "./types.ts";

/** A connection that is open, or was. */
export interface OpenConnection extends Link {
  readonly sdk: Sdk;
  /** Whether it has ended, whichever side closed it. */
  isClosed: boolean;
  /** Whether it has been ended from here, for good. */
  isEnded: boolean;
  /** How often the server's tools have changed: a list of them is current while this is what it was when they were listed. */
  toolChanges: number;
}

/** The connection to one server: made when first needed, shared by all who need it, and made again once it has ended. */
export class Connection {
  readonly #options: McpClientOptions;
  readonly #scope: ServerScope;
  readonly secrets: ConnectionSecrets;
  readonly #serverFacts: Known = { isLegacy: false, transport: undefined };
  #open: OpenConnection | undefined;
  #opening: Promise<OpenConnection> | undefined;
  readonly #backoff = new Backoff();
  #lastError: unknown;
  #stop = new AbortController();

  constructor(options: McpClientOptions, scope: ServerScope) {
    this.#options = options;
    this.secrets = new ConnectionSecrets(options);
    this.#scope = scope;
  }

  /**
   * The open connection. After a failed attempt the next one has to wait: then this waits, too, or with `now` gives up.
   * @throws McpError if none can be opened; the signal's reason if that comes first; ConfigurationError without the SDK.
   */
  async open(signal: AbortSignal | undefined, now = false): Promise<OpenConnection> {
    if (this.#open) return this.#open;
    const { wait } = this.#backoff;
    if (wait > 0 && !this.#opening) {
      if (now) throw this.#lastError;
      await sleep(wait, signal);
    }
    // The other callers keep waiting when one of them gives up.
    return unlessAborted(this.#share(), signal);
  }

  /** Ends the connection, if there is one. The next request makes a new one. */
  async close(): Promise<void> {
    this.#stop.abort(new Error("the connection was closed"));
    this.#stop = new AbortController();
    const open = this.#open;
    this.#open = undefined;
    if (open) open.isEnded = true;
    await this.#opening?.catch(() => undefined);
    this.#backoff.reset();
    await open?.close();
  }

  #share(): Promise<OpenConnection> {
    if (this.#open) return Promise.resolve(this.#open);
    this.#opening ??= this.#connect().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #connect(): Promise<OpenConnection> {
    const [sdk, { connect }] = await Promise.all([loadSdk(), import("./connect.ts")]);
    const { connectTimeout = defaultConnectTimeout } = this.#options;
    const late = withDeadline(connectTimeout);
    const state = { isClosed: false, isEnded: false, toolChanges: 0 };
    try {
      const link = await connect({
        sdk,
        options: this.#options,
        scope: this.#scope,
        secrets: this.secrets,
        serverFacts: this.#serverFacts,
        signal: AbortSignal.any([late, this.#stop.signal]),
        events: {
          closed: () => {
            state.isClosed = true;
            if (this.#open && this.#open === opened) this.#open = undefined;
          },
          toolsChanged: () => void state.toolChanges++,
          // A failure that matters ends a request or the connection, and is reported there.
          error: () => undefined,
        },
      });
      // oxlint-disable-next-line no-restricted-properties -- a link of our own, onto the state that its events change
      const opened: OpenConnection = Object.assign(state, link, { sdk });
      this.#backoff.reset();
      if (!state.isClosed) this.#open = opened;
      return opened;
    } catch (error) {
      const personStep = late.aborted ? await personAsked(this.#options) : undefined;
      if (!personStep) throw this.#recordFailure(error, late.aborted ? connectTimeout : undefined);
      // The time that a person takes to answer is not the server's.
      await unlessAborted(personStep.answer, this.#stop.signal).catch((refused: unknown) => {
        throw this.#recordFailure(refused);
      });
      return this.#connect();
    }
  }

  /** Remembers a failed attempt: the next one has to wait. */
  #recordFailure(error: unknown, timeout?: number): McpError {
    const failure = this.#failed(error, timeout);
    this.#lastError = failure;
    this.#backoff.recordFailure();
    return failure;
  }

  /** What to report of a failed attempt. */
  #failed(error: unknown, timeout: number | undefined): McpError {
    const { server } = this.#scope;
    const program = error instanceof FailedProgram ? error : undefined;
    const why =
      timeout === undefined
        ? (unreachable(this.#options, error) ??
          cleanText(this.secrets.words(errorMessage(error)), longestError))
        : `it did not answer within ${timeout} ms`;
    const words = program
      ? lastWords(
          timeout === undefined ? program.ending : { ...program.ending, how: undefined },
          this.secrets,
        )
      : "";
    const hint = isWholeLine(this.#options, error) ? " Arguments of the command belong in args." : "";
    return new McpError(`The MCP server "${server}" cannot be used: ${why}.${hint}${words}`, {
      code: timeout === undefined ? "mcp-connect" : "mcp-timeout",
      data: { server },
      cause: this.secrets.cause(program ? program.cause : error),
    });
  }
}

/** What to say of a server at whose address nobody answers; `fetch` only says that it failed. */
function unreachable(options: McpClientOptions, error: unknown): string | undefined {
  const code = systemCode(error);
  if (!("url" in options) || code === undefined || !/^E[A-Z]+$/.test(code)) return undefined;
  return `no connection to ${new URL(options.url).host} (${code})`;
}

/** Whether a program was not found that is called as if a shell were to run it. */
function isWholeLine(options: McpClientOptions, error: unknown): boolean {
  const isGone = error instanceof FailedProgram && errorMessage(error).includes("ENOENT");
  return isGone && "command" in options && /\s/.test(options.command);
}

/** Settles once the person asked for access to the server has answered; `undefined` if no question is open. */
async function personAsked(
  options: McpClientOptions,
): Promise<{ readonly answer: Promise<void> } | undefined> {
  if (!("url" in options) || !options.auth) return undefined;
  const { askedFor } = await import("../auth/index.ts");
  return askedFor(options.auth, new URL(options.url));
}
