import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";

/** One line of input. */
export interface Line {
  readonly text: string;
  /** Whether it came before it was asked for: a terminal then shows it apart from any prompt. */
  readonly early: boolean;
}

/** Lines that a person types or a program sends, one at a time, none lost. */
export interface Lines {
  /** The next line, waiting for it if need be; `undefined` once the input has ended and every line was taken. */
  next(): Promise<Line | undefined>;
  /** Shows a notice in place of the line being typed, which is dropped. */
  notice(text: string): void;
  /** Ends the input: lines not taken yet are dropped. */
  close(): void;
}

/** How lines are read. */
export interface LinesOptions {
  readonly input: NodeJS.ReadableStream;
  /** The terminal to edit lines on, with history; without it, lines are taken as they come. */
  readonly terminal?: Terminal;
  readonly prompt?: string;
  /** Called when Ctrl-C is pressed on the terminal. */
  readonly onInterrupt?: () => void;
}

/** Lines kept while nobody asks for them; beyond, input that is no terminal waits. */
const enough = 64;

/**
 * Reads lines into a queue, so that those which arrive while a turn runs wait for their own turn.
 * (The async iterator of `node:readline` drops lines that come before it is first asked.)
 */
export function readLines(options: LinesOptions): Lines {
  const { input, terminal, prompt = "" } = options;
  const queue: string[] = [];
  let waiting: ((line: Line | undefined) => void) | undefined;
  let ended = false;
  const reader = createReader(input, terminal, () => waiting !== undefined);

  const settle = (line: Line | undefined): void => {
    const resolve = waiting;
    waiting = undefined;
    resolve?.(line);
  };
  reader.on("line", (line) => {
    if (waiting) return settle({ text: line, early: false });
    queue.push(line);
    if (!terminal && queue.length >= enough) reader.pause();
  });
  reader.on("close", () => {
    ended = true;
    // Whatever comes next, such as the shell's own prompt, begins a line.
    if (waiting) terminal?.write("\n");
    settle(undefined);
  });
  if (terminal) reader.on("SIGINT", () => options.onInterrupt?.());

  return {
    next() {
      const text = queue.shift();
      if (text !== undefined) return Promise.resolve({ text, early: true });
      if (ended) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        waiting = resolve;
        if (terminal) {
          reader.setPrompt(prompt);
          reader.prompt(true);
        } else reader.resume();
      });
    },
    notice(text) {
      reader.write(null, { ctrl: true, name: "e" });
      reader.write(null, { ctrl: true, name: "u" });
      terminal?.write(`\n${text}\n`);
      if (waiting) reader.prompt();
    },
    close() {
      queue.length = 0;
      reader.close();
    },
  };
}

/** What `node:readline` needs of a terminal to edit lines on it. */
export type Terminal = NodeJS.WritableStream & { readonly columns?: number };

/** A reader that shows what is typed only while `listening` says so: the rest would land within what is being streamed. */
function createReader(
  input: NodeJS.ReadableStream,
  terminal: Terminal | undefined,
  listening: () => boolean,
): Interface {
  if (!terminal) return createInterface({ input, crlfDelay: Infinity });
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (listening()) terminal.write(chunk);
      done();
    },
  });
  Object.defineProperty(output, "columns", { get: () => terminal.columns });
  const onResize = (): void => void output.emit("resize");
  terminal.on("resize", onResize);
  const reader = createInterface({
    input,
    output,
    terminal: true,
    historySize: 1000,
    removeHistoryDuplicates: true,
  });
  return reader.on("close", () => void terminal.off("resize", onResize));
}
