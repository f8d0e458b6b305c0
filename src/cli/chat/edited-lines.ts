import { type CompleterResult, createInterface, type Interface, type Key } from "node:readline";
import { Writable } from "node:stream";
import { type History } from "./history.ts";

/** What `node:readline` needs of a terminal to edit lines on it. */
export type Terminal = NodeJS.WritableStream & { readonly columns?: number };

/** What a text being typed may become when Tab is pressed: `matches` can replace its end, `typed`. */
export interface Completion {
  readonly matches: readonly string[];
  readonly typed: string;
}

/** How lines are edited. */
export interface EditingOptions {
  readonly input: NodeJS.ReadableStream;
  readonly terminal: Terminal;
  /** Whether what is typed is shown: while it is not, it would land within what is being streamed. */
  readonly isListening: () => boolean;
  readonly history: History;
  readonly complete: (typed: string) => Promise<Completion>;
  /** Called when any key but Ctrl-C is pressed. */
  readonly onKey: () => void;
}

/** A reader of lines on a terminal. */
export interface LineEditor {
  readonly reader: Interface;
  /** Whether the line comes out of pasted text, with more of it to come. */
  readonly isPasting: boolean;
  /** Makes the arrow keys bring back what the history holds now. */
  refreshHistory(): void;
}

type Completed = (error: null, result: CompleterResult) => void;

/** Terminals that know of it put marks around pasted text (xterm's "bracketed paste"), if they are asked to. */
const markPasted = "\u001B[?2004h";
const markNothing = "\u001B[?2004l";

/** Stands for a line break within an input of several lines that the arrow keys bring back. */
const lineBreak = "⏎";

/** An input as it can be edited: on one line. */
function editable(input: string): string {
  return input.replaceAll("\n", lineBreak);
}

/** What an edited line says. */
export function edited(line: string): string {
  return line.replaceAll(lineBreak, "\n");
}

/** Edits lines with `node:readline`. */
export function editLines(options: EditingOptions): LineEditor {
  const { input, terminal, history } = options;
  const output = sinkOf(terminal, options.isListening);
  let isPasting = false;
  // The reader's own list, which knows single lines where the history knows inputs.
  let readerHistory: string[] | undefined;
  const refreshHistory = (): void => {
    if (readerHistory) readerHistory.splice(0, readerHistory.length, ...history.entries.map(editable));
  };
  const reader = createInterface({
    input,
    output,
    terminal: true,
    history: history.entries.map(editable),
    historySize: 1000,
    completer: (typed: string, done: Completed) => void complete(options, typed, done),
  });
  reader.on("history", (entries) => {
    readerHistory = entries;
    refreshHistory();
  });
  const onKey = (_text: string | undefined, { ctrl, name }: Key): void => {
    if (name === "paste-start") isPasting = true;
    if (name === "paste-end") isPasting = false;
    if (!(ctrl && name === "c")) options.onKey();
  };
  const onContinue = (): void => void terminal.write(markPasted);
  const onResize = (): void => void output.emit("resize");
  terminal.write(markPasted);
  terminal.on("resize", onResize);
  input.on("keypress", onKey);
  reader.on("SIGCONT", onContinue).on("close", () => {
    terminal.write(markNothing);
    terminal.off("resize", onResize);
    input.off("keypress", onKey);
  });
  return {
    reader,
    get isPasting() {
      return isPasting;
    },
    refreshHistory,
  };
}

async function complete(options: EditingOptions, typed: string, done: Completed): Promise<void> {
  let completion: Completion = { matches: [], typed };
  try {
    completion = await options.complete(typed);
  } catch {
    // A key that cannot help does nothing; what stands in the way is reported when the line is entered.
  }
  done(null, [[...completion.matches], completion.typed]);
}

function sinkOf(terminal: Terminal, isListening: () => boolean): Writable {
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (isListening()) terminal.write(chunk);
      done();
    },
  });
  Object.defineProperty(output, "columns", { get: () => terminal.columns });
  return output;
}
