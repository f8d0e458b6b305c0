import { createInterface, type Interface, type Key } from "node:readline";
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
  /** Drops the line being typed, and shows a notice, if given, before the next prompt. */
  drop(notice?: string): void;
  /** Ends the input: lines not taken yet are dropped. */
  close(): void;
}

/** How lines are read. */
export interface LinesOptions {
  readonly input: NodeJS.ReadableStream;
  /** The terminal to edit lines on, with history; without it, lines are taken as they come. */
  readonly terminal?: Terminal;
  readonly prompt?: string;
  /** Called when Ctrl-C is pressed on the terminal, with what has been typed of a line. */
  readonly onInterrupt?: (typed: string) => void;
  /** Called when any other key is pressed on the terminal. */
  readonly onKey?: () => void;
  /** The lines that a line being typed may become when Tab is pressed. */
  readonly complete?: (typed: string) => readonly string[];
}

/** Lines kept while nobody asks for them; beyond, input that is no terminal waits. */
const enough = 64;

/**
 * Reads lines into a queue, so that those which arrive while a turn runs wait for their own turn.
 * (The async iterator of `node:readline` drops lines that come before it is first asked.)
 */
export function readLines(options: LinesOptions): Lines {
  const { terminal, prompt = "" } = options;
  const queue: string[] = [];
  let waiting: ((line: Line | undefined) => void) | undefined;
  let ended = false;
  const reader = createReader(options, () => waiting !== undefined);

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
  if (terminal) reader.on("SIGINT", () => options.onInterrupt?.(reader.line));

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
    drop(notice) {
      reader.write(null, { ctrl: true, name: "e" });
      reader.write(null, { ctrl: true, name: "u" });
      terminal?.write(notice === undefined ? "\n" : `\n${notice}\n`);
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
function createReader(options: LinesOptions, listening: () => boolean): Interface {
  const { input, terminal, complete = () => [] } = options;
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
    completer: (typed: string) => [complete(typed), typed],
  });
  const onKey = (_text: string | undefined, { ctrl, name }: Key): void => {
    if (!(ctrl && name === "c")) options.onKey?.();
  };
  input.on("keypress", onKey);
  return reader.on("close", () => {
    terminal.off("resize", onResize);
    input.off("keypress", onKey);
  });
}
