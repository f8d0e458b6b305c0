import { createInterface, type Interface } from "node:readline";
import { type Completion, type LineEditor, editLines, edited, type Terminal } from "./edited-lines.ts";
import { dispatchInputs, type Inputs } from "./dispatch-inputs.ts";
import { keepDrafts } from "./drafts.ts";
import { type History, memoryHistory } from "./history.ts";

/** Inputs that a person types or a program sends, one at a time, none lost. */
export interface Lines extends Inputs {
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
  /** Whether a person types the lines, who answers what is on the screen; by default if there is a place to ask. */
  readonly isTyped?: boolean;
  /** Called with what was entered before the question that comes next, and is therefore kept as a message. */
  readonly onKept?: (text: string) => void;
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

/** Inputs kept while nobody asks for them; beyond, input that nobody types waits. */
const enough = 64;

/**
 * Reads inputs into a queue, so that those which arrive while a turn runs wait for their own turn.
 * (The async iterator of `node:readline` drops lines that come before it is first asked.)
 */
export function readLines(options: LinesOptions): Lines {
  const { terminal, history = memoryHistory() } = options;
  const screen = terminal ?? options.asking;
  const { isTyped = screen !== undefined, onKept = () => undefined } = options;
  // What is typed is shown only behind a prompt: elsewhere, it would be written over what stands there.
  let isPrompted = false;
  // Before the reader's own listener, which hands on what was typed of a line as if it had been entered.
  let isOver = false;
  options.input.once("end", () => void (isOver = true));
  const editor = terminal && editorOf(options, terminal, history, () => isPrompted);
  const reader = editor?.reader ?? createInterface({ input: options.input, crlfDelay: Infinity });
  const drafts = keepDrafts(reader, { isTyped, isEdited: terminal !== undefined });
  const dispatcher = dispatchInputs({
    isTyped,
    onKept,
    invite(question) {
      isPrompted = false;
      drafts.goOnWith(question, () => {
        isPrompted = true;
        showPrompt(options, reader, drafts.several.pending !== undefined);
      });
      if (!terminal) reader.resume();
    },
    dismiss(isUnfinished) {
      isPrompted = false;
      drafts.goOnWith(undefined);
      // Whatever comes next, such as a question or the shell's own prompt, begins a line.
      if (isUnfinished) screen?.write("\n");
    },
  });
  const { inputs } = dispatcher;

  reader.on("line", (line) => {
    const text = drafts.several.add(terminal ? edited(line) : line, editor?.isPasting);
    if (text === undefined) return dispatcher.inviteAgain();
    dispatcher.take(text, !(isOver && isTyped));
    editor?.refreshHistory();
    if (!isTyped && dispatcher.queueLength >= enough) reader.pause();
  });
  const leave = endWith(options.input, reader);
  reader.on("close", () => {
    leave();
    drafts.end();
    const rest = drafts.several.take();
    if (rest !== undefined) dispatcher.take(rest, false);
    dispatcher.end();
  });
  if (terminal)
    reader.on("SIGINT", () => options.onInterrupt?.([drafts.several.pending ?? "", reader.line].join("")));

  return {
    ...inputs,
    async next() {
      const message = await inputs.next();
      if (message) history.add(message.text);
      editor?.refreshHistory();
      return message;
    },
    drop(notice) {
      drafts.drop();
      screen?.write(notice === undefined ? "\n" : `\n${notice}\n`);
      dispatcher.inviteAgain();
    },
    close() {
      dispatcher.forget();
      drafts.several.take();
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
