import type * as Run from "run";
import { sleep } from "../base/util/sleep.ts";
import { InterpreterError } from "./errors.ts";
import { loadRun } from "./load-run.ts";
import type { Interpreter, InterpreterProgram } from "./types.ts";

/** How long a program waits for a free thread, in milliseconds, and how often it looks. */
const longestWait = 30_000;
const waitBetween = 25;

/** As good as none: the time of calls is not for `run` to limit, and it adds to what it gets. */
const noLimit = 1_073_741_824;

/** QuickJS in a thread for each program, with a memory of its own. */
export const quickJs: Interpreter = {
  async execute(program) {
    const { run } = await loadRun();
    const clock = new ComputingClock(program);
    try {
      return await executeWhenFree(run, program, clock);
    } catch (error) {
      throw clock.reason ?? asInterpreterError(error, program);
    } finally {
      clock.stop();
    }
  },
};

let started: Promise<unknown> | undefined;

/**
 * Starts a thread in the background, so that the first program finds one. It stays, and does not keep the process alive.
 * @throws ConfigurationError (`missing-package`) if the package `run` is not installed.
 */
export async function startThread(): Promise<void> {
  const { run } = await loadRun();
  // Without a thread, the first program starts one, or says why it cannot.
  started ??= run({ source: "return 1" }).catch(() => undefined);
}

/** The threads of a process are limited by its memory: a program that gets none has not begun, and waits for one. */
async function executeWhenFree(
  run: typeof Run.run,
  program: InterpreterProgram,
  clock: ComputingClock,
): Promise<string> {
  const until = performance.now() + longestWait;
  for (;;) {
    try {
      return await execute(run, program, clock);
    } catch (error) {
      if (codeOf(error) !== "RUN_CONCURRENCY_LIMIT") throw error;
      clock.stop();
      if (performance.now() > until)
        throw new InterpreterError("Too many programs are running. Try again later.", "busy");
      await sleep(waitBetween, program.signal);
    }
  }
}

async function execute(
  run: typeof Run.run,
  { source, call, memoryMb, maxChars }: InterpreterProgram,
  clock: ComputingClock,
): Promise<string> {
  // UTF-16 units, as bytes of JSON.
  const maxBytes = Math.min(maxChars * 6 + 1_024, noLimit);
  clock.start();
  const result = await run<unknown>({
    source,
    hostFunctions: { host: { call: (text: unknown) => clock.paused(() => call(String(text))) } },
    abortSignal: clock.signal,
    limits: {
      timeoutMs: noLimit,
      memoryLimitBytes: Math.min(Math.ceil(memoryMb * 1_048_576), noLimit),
      maxSourceBytes: noLimit,
      maxResultBytes: maxBytes,
      maxHostFunctionArgumentsBytes: maxBytes,
      maxHostFunctionOutputBytes: noLimit,
      maxBridgeRequests: noLimit,
    },
  });
  if (result.status !== "completed" || typeof result.value !== "string")
    throw new InterpreterError("The program did not end as it began.", "syntax");
  return result.value;
}

/** Measures the time that a program computes, and ends it when that is over. */
class ComputingClock {
  readonly #controller = new AbortController();
  readonly #program: InterpreterProgram;
  #left: number;
  #startedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Why the program was ended. */
  reason: unknown;

  constructor(program: InterpreterProgram) {
    this.#program = program;
    this.#left = program.timeoutMs;
    const { signal } = program;
    if (signal.aborted) this.#end(signal.reason);
    else signal.addEventListener("abort", () => this.#end(signal.reason), { signal: this.signal });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The program computes from now on. */
  start(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#expire(), Math.min(Math.max(this.#left, 0), noLimit));
  }

  /** The program waits from now on, or is over. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The time of a call does not count. What the call throws ends the program. */
  async paused(call: () => Promise<string>): Promise<string> {
    try {
      if (this.#timer === undefined)
        throw new InterpreterError("host.call is called once at a time.", "syntax");
      this.#left -= performance.now() - this.#startedAt;
      this.stop();
      const text = await call();
      if (!this.signal.aborted) this.start();
      return text;
    } catch (error) {
      this.#end(error);
      // The program is over: `run` has nobody left who would handle a rejection.
      return "";
    }
  }

  #expire(): void {
    const { timeoutMs } = this.#program;
    this.#end(new InterpreterError(`The program computed for longer than ${timeoutMs} ms.`, "timeout"));
  }

  #end(reason: unknown): void {
    this.reason ??= reason;
    this.stop();
    this.#controller.abort(reason);
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}

function asInterpreterError(error: unknown, { memoryMb }: InterpreterProgram): unknown {
  if (error instanceof InterpreterError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (/out of memory|memory access out of bounds/i.test(message))
    return new InterpreterError(`The program needed more than ${memoryMb} MB of memory.`, "memory");
  // It also counts the steps of a program, some hundred millions at most.
  if (codeOf(error) === "RUN_TIMEOUT")
    return new InterpreterError("The program computed for too long.", "timeout");
  if (codeOf(error) === "RUN_DETACHED_BRIDGE_REQUEST")
    return new InterpreterError(
      "The program ended before a call that it had not awaited. Await every promise.",
      "syntax",
    );
  if (codeOf(error) === "RUN_SOURCE_TOO_LARGE")
    return new InterpreterError("The program is too long.", "syntax");
  if (/size limit|exceed/i.test(message))
    return new InterpreterError("The program passes on or returns too much at once.", "output");
  return new InterpreterError(`${name}: ${message}`, "syntax");
}
