import type { ServerContext } from "@modelcontextprotocol/server";
import { isPlainObject } from "../../../base/util/json.ts";
import { toJson } from "../../../base/util/to-json.ts";

/** How many notifications a call may send at once, and how many milliseconds later one more; the others are left out. */
const burst = 100;
const interval = 10;

/** The most characters of a message. */
const longestMessage = 1_000;

/** Tells a client that asked for it how far a call has come. */
export class ProgressReporter {
  readonly #ctx: ServerContext;
  #last = Number.NEGATIVE_INFINITY;
  #room = burst;
  #countedAt = performance.now();

  constructor(ctx: ServerContext) {
    this.#ctx = ctx;
  }

  /**
   * A number is how far it is, `{ progress, total?, message? }` says it all, and anything else is a message. What does not go
   * forward is left out, as the protocol asks, and so is what comes too fast: a hundred at once, and a hundred a second.
   */
  report(value: unknown): void {
    const { _meta: meta } = this.#ctx.mcpReq;
    const progressToken = meta?.progressToken;
    if (progressToken === undefined) return;
    const report = progressOf(value, Number.isFinite(this.#last) ? this.#last + 1 : 1);
    if (!(report.progress > this.#last && report.progress < Number.POSITIVE_INFINITY) || !this.#hasRoom())
      return;
    this.#last = report.progress;
    const params = { progressToken, ...report };
    this.#ctx.mcpReq
      .notify({ method: "notifications/progress", params })
      // A client that has left receives no more notifications.
      .catch(() => undefined);
  }

  #hasRoom(): boolean {
    const now = performance.now();
    this.#room = Math.min(burst, this.#room + (now - this.#countedAt) / interval);
    this.#countedAt = now;
    if (this.#room < 1) return false;
    this.#room--;
    return true;
  }
}

/** The text that reports a value. */
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
  const text = typeof value === "string" ? value : JSON.stringify(toJson(value).value);
  return text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text;
}
