import { createInterface, type Interface } from "node:readline";
import { type Completion, type LineEditor, editLines, edited, type Terminal } from "./edited-lines.ts";
import { type History, memoryHistory } from "./history.ts";
import { severalLines } from "./several-lines.ts";

/** One input: a line, or several that belong together. */
export interface Line {
  readonly text: string;
  /** Whether it came before it was requested: a terminal then shows it apart from any prompt. */
  readonly early: boolean;
}

/** Inputs that a person types or a program sends, one at a time, none lost. */
export interface Lines {
  /**
   * The next input, waiting for it if need be; `undefined` once the input has ended and everything was taken.
   * @param isRemembered whether the arrow keys bring it back later; yes by default.
   * @param signal once it is aborted, nobody waits any more: `undefined`, and what is typed next is for the next to ask.
   */
  next(isRemembered?: boolean, signal?: AbortSignal): Promise<Line | undefined>;
  /** Drops what is being typed, and shows a notice, if given, before the next prompt. */
  drop(notice?: string): void;
  /** Ends the input: what was not taken yet is dropped. */
  close(): void;
}

/** How inputs are read. */
export interface LinesOptions {
  readonly input: NodeJS.ReadableStream;
  /** The terminal to edit lines on; without it, lines are taken as they come. */
  readonly terminal?: Terminal;
  /** Where to ask for lines that are not edited. */
  readonly asking?: NodeJS.WritableStream;
  readonly prompt?: string;
  /** Before every line of an input but the first. */
  readonly furtherPrompt?: string;
  readonly history?: History;
  /** Called when Ctrl-C is pressed on the terminal, with what has been typed of an input. */
  readonly onInterrupt?: (typed: string) => void;
  /** Called when any other key is pressed on the terminal. */
  readonly onKey?: () => void;
  /** What a line being typed may become when Tab is pressed. */
  readonly complete?: (typed: string) => Promise<Completion>;
}

/** Inputs kept while nobody asks for them; beyond, input that is not a terminal waits. */
const enough = 64;

/**
 * Reads inputs into a queue, so that those which arrive while a turn runs wait for their own turn.
 * (The async iterator of `node:readline` drops lines that come before it is first asked.)
 */
export function readLines(options: LinesOptions): Lines {
  const { terminal, history = memoryHistory() } = options;
  const queue: string[] = [];
  const several = severalLines();
  let waiting: ((line: Line | undefined) => void) | undefined;
  let isRemembered = true;
  let ended = false;
  const editor = terminal && editorOf(options, terminal, history, () => waiting !== undefined);
  const reader = editor?.reader ?? createInterface({ input: options.input, crlfDelay: Infinity });

  const settle = (line: Line | undefined): void => {
    const resolve = waiting;
    waiting = undefined;
    resolve?.(line);
  };
  const remember = (text: string): void => {
    if (isRemembered) history.add(text);
    editor?.refreshHistory();
  };
  const take = (text: string): void => {
    if (waiting) {
      remember(text);
      return settle({ text, early: false });
    }
    queue.push(text);
    if (!terminal && queue.length >= enough) reader.pause();
  };
  const ask = (): void => showPrompt(options, reader, several.pending !== undefined);
  reader.on("line", (line) => {
    const text = several.add(terminal ? edited(line) : line, editor?.isPasting);
    if (text !== undefined) take(text);
    else if (waiting) ask();
  });
  const leave = endWith(options.input, reader);
  reader.on("close", () => {
    leave();
    const rest = several.take();
    if (rest !== undefined) take(rest);
    ended = true;
    // Whatever comes next, such as the shell's own prompt, begins a line.
    if (waiting) (terminal ?? options.asking)?.write("\n");
    settle(undefined);
  });
  if (terminal)
    reader.on("SIGINT", () => options.onInterrupt?.([several.pending ?? "", reader.line].join("")));

  return {
    next(remembers = true, signal) {
      if (signal?.aborted) return Promise.resolve(undefined);
      isRemembered = remembers;
      const text = queue.shift();
      if (text !== undefined) {
        remember(text);
        return Promise.resolve({ text, early: true });
      }
      if (ended) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const giveUp = (): void => settle(undefined);
        waiting = (line) => {
          signal?.removeEventListener("abort", giveUp);
          resolve(line);
        };
        signal?.addEventListener("abort", giveUp);
        ask();
        if (!terminal) reader.resume();
      });
    },
    drop(notice) {
      several.take();
      if (terminal) {
        reader.write(null, { ctrl: true, name: "e" });
        reader.write(null, { ctrl: true, name: "u" });
      }
      (terminal ?? options.asking)?.write(notice === undefined ? "\n" : `\n${notice}\n`);
      if (waiting) ask();
    },
    close() {
      queue.length = 0;
      several.take();
      reader.close();
    },
  };
}

/** Ends the lines when their stream breaks, which `node:readline` takes for the program's own matter. */
function endWith(input: NodeJS.ReadableStream, reader: Interface): () => void {
  const end = (): void => reader.close();
  for (const event of ["error", "close"]) input.on(event, end);
  reader.on("error", end);
  return () => {
    for (const event of ["error", "close"]) input.off(event, end);
  };
}

function editorOf(
  options: LinesOptions,
  terminal: Terminal,
  history: History,
  isListening: () => boolean,
): LineEditor {
  return editLines({
    input: options.input,
    terminal,
    history,
    isListening,
    complete: options.complete ?? ((typed) => Promise.resolve({ matches: [], typed })),
    onKey: options.onKey ?? (() => undefined),
  });
}

function showPrompt(options: LinesOptions, reader: Interface, isFurther: boolean): void {
  const { terminal, asking, prompt = "", furtherPrompt = prompt } = options;
  const label = isFurther ? furtherPrompt : prompt;
  if (!terminal) {
    asking?.write(label);
    return;
  }
  reader.setPrompt(label);
  reader.prompt(true);
}
