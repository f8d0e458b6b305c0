import type { ServerContext } from "@modelcontextprotocol/server";
import { isPlainObject } from "../../util/json.ts";

/** How many notifications may wait to be written; what comes meanwhile is left out. */
const mostWaiting = 64;

/** The most characters of a message. */
const longestMessage = 1_000;

/** Tells a client that asked for it how far a call has come. */
export class ProgressReporter {
  readonly #ctx: ServerContext;
  #last = Number.NEGATIVE_INFINITY;
  #waiting = 0;

  constructor(ctx: ServerContext) {
    this.#ctx = ctx;
  }

  /**
   * A number is how far it is, `{ progress, total?, message? }` says it all, and anything else is a message. What does not go
   * forward is left out, as the protocol asks.
   */
  report(value: unknown): void {
    const { _meta: meta } = this.#ctx.mcpReq;
    const progressToken = meta?.progressToken;
    if (progressToken === undefined || this.#waiting >= mostWaiting) return;
    const said = progressOf(value, Number.isFinite(this.#last) ? this.#last + 1 : 1);
    if (!(said.progress > this.#last)) return;
    this.#last = said.progress;
    this.#waiting++;
    const params = { progressToken, ...said };
    this.#ctx.mcpReq
      .notify({ method: "notifications/progress", params })
      // A client that has left needs to hear nothing more.
      .catch(() => undefined)
      .finally(() => this.#waiting--);
  }
}

/** What is told of a value. */
interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

function progressOf(value: unknown, next: number): Progress {
  if (typeof value === "number") return { progress: value };
  if (!isPlainObject(value) || typeof value["progress"] !== "number")
    return { progress: next, message: words(value) };
  const { progress, total, message } = value;
  return {
    progress,
    ...(typeof total === "number" && { total }),
    ...(message !== undefined && { message: words(message) }),
  };
}

function words(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text;
}
