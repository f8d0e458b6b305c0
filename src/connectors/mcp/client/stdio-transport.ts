import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { sleep } from "../../../base/util/sleep.ts";
import { killChild, startChild, type Child, type ChildOptions } from "./children.ts";
import { LineReader } from "./line-reader.ts";
import type { Sdk } from "./sdk.ts";
import { replyToUnreadable, replyToTooLong } from "./unreadable.ts";

/** How many characters of a program's standard error are kept: twice what is shown, so that no secret is cut before it is masked. */
const stderrChars = 8_192;

/** Milliseconds that a server has to end once its input has ended, and again after the signal to end. */
const grace = 2_000;

/** How a server ended, and what it said last. */
export interface Ending {
  /** Such as `"exited with code 1"`; `undefined` while it runs. */
  readonly how: string | undefined;
  /** The last 8,192 characters of its standard error. */
  readonly stderr: string;
}

/** Speaks to a program over its standard input and output, one JSON text a line. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: ChildOptions;
  readonly #maxMessageBytes: number;
  readonly #read: Sdk["parseJSONRPCMessage"];
  #child: Child | undefined;
  #stderr = "";
  #how: string | undefined;
  #isOver = false;

  constructor(options: ChildOptions, maxMessageBytes: number, sdk: Pick<Sdk, "parseJSONRPCMessage">) {
    this.#options = options;
    this.#maxMessageBytes = maxMessageBytes;
    this.#read = sdk.parseJSONRPCMessage;
  }

  /** Tells the SDK, with `stderr`, that this is a program: one that does not know a question may stay silent. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get stderr(): null {
    return null;
  }

  /** How the program ended, and its last words. */
  get ending(): Ending {
    return { how: this.#how, stderr: this.#stderr };
  }

  async start(): Promise<void> {
    const child = startChild(this.#options);
    this.#child = child;
    child.stdin.on("error", (error) => this.onerror?.(error));
    child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString("utf8")).slice(-stderrChars);
    });
    const reader = new LineReader(this.#maxMessageBytes, {
      line: (text) => this.#onLine(text),
      tooLong: (head, tail, bytes) => this.#onTooLong(head, tail, bytes),
    });
    child.stdout.on("data", (chunk: Buffer) => reader.push(chunk));
    child.once("close", () => this.#end());
    child.once("exit", (code, signal) => {
      this.#how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
      // What it has started may hold its output open: nothing of that is waited for.
      setTimeout(() => this.#end(), 200).unref();
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    child.on("error", (error) => this.onerror?.(error));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    if (!child || this.#isOver || !child.stdin.writable) throw new Error("the program has ended");
    if (child.stdin.write(`${JSON.stringify(message)}\n`)) return;
    await new Promise<void>((resolve) => {
      child.stdin.once("drain", resolve);
      child.stdin.once("close", resolve);
    });
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (!child || this.#isOver) return this.#end();
    const over = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
    child.stdin.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (child.exitCode !== null || child.signalCode !== null) break;
      const stop = new AbortController();
      const late = sleep(grace, stop.signal).then(
        () => killChild(child, signal),
        () => undefined,
      );
      await Promise.race([over, late]);
      stop.abort();
    }
    // What it has started in turn ends with it.
    killChild(child, "SIGKILL");
    this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const child = this.#child;
    for (const stream of [child?.stdin, child?.stdout, child?.stderr]) stream?.destroy();
    this.onclose?.();
  }

  #onLine(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      // Programs print things; what is not JSON is not a message.
      return;
    }
    try {
      this.onmessage?.(this.#read(value));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      const reply = replyToUnreadable(value);
      if (reply) this.onmessage?.(reply);
    }
  }

  #onTooLong(head: string, tail: string, bytes: number): void {
    const reply = replyToTooLong(
      head,
      tail,
      bytes > this.#maxMessageBytes
        ? `${bytes} bytes, more than maxMessageBytes (${this.#maxMessageBytes})`
        : `more values than maxMessageBytes (${this.#maxMessageBytes} bytes) allows for`,
    );
    if (reply) return this.onmessage?.(reply);
    this.onerror?.(
      new Error(`a message of ${bytes} bytes was left out: more than maxMessageBytes, or too many values`),
    );
  }
}
