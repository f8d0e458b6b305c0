import { setImmediate as nextRound } from "node:timers/promises";
import { inputQueue, type InputQueueOptions, saysSomething } from "./input-queue.ts";

/** One input: a line, or several that belong together. */
export interface Line {
  readonly text: string;
  /** Whether it came before it was requested: a terminal then shows it apart from any prompt. */
  readonly early: boolean;
}

/** Where a dialogue that comes between ends. */
export interface InterjectionOptions {
  /** Once it is aborted, nobody wants to know any more. */
  readonly signal: AbortSignal;
  /** Called if that is while the person is being asked, before earlier questions are shown again. */
  readonly onWithdrawn: () => void;
}

/** Asks one thing after the other. */
export interface Questions {
  /**
   * Shows a question, and waits for an input that says something; `undefined` at the end of the inputs, and once the dialogue was
   * withdrawn. `show` is called again after another dialogue has come between. Where a person types, an input that was entered
   * before the question was shown does not answer it: it is kept as a message.
   */
  ask(show: () => void): Promise<Line | undefined>;
}

/** Hands each input to exactly one of those who wait. */
export interface Inputs extends Questions {
  /** The next message: the oldest input that nobody has taken, or else the next; `undefined` once all are taken and no more come. */
  next(): Promise<Line | undefined>;
  /** Lets a dialogue come between: until it settles or is withdrawn, inputs are for its questions. Then the one who waited is next again. */
  interject<T>(dialogue: (questions: Questions) => Promise<T>, options: InterjectionOptions): Promise<T>;
}

/** What inputs are dispatched from. */
export interface InputSource extends InputQueueOptions {
  /** Invites to type an answer to this question, or a message. */
  readonly invite: (question: object | undefined) => void;
  /** Nobody waits any more for what was to be typed; `isUnfinished` if it was not entered. */
  readonly dismiss: (isUnfinished: boolean) => void;
}

/** The inputs of a source, which hands them in. */
export interface Dispatcher {
  readonly inputs: Inputs;
  /** How many inputs are kept for those who ask later. */
  readonly queueLength: number;
  /** `isWhole` by default; if the inputs ended before it was entered, it answers no question. */
  take(text: string, isWhole?: boolean): void;
  /** Invites the one who waits again. */
  inviteAgain(): void;
  /** Forgets the inputs that are kept. */
  forget(): void;
  /** No more inputs come. */
  end(): void;
}

/** Someone who waits for an input: for a message, or for the answer to a question. */
interface Wait {
  readonly show: (() => void) | undefined;
  readonly resolve: (line: Line | undefined) => void;
  readonly reject: (error: unknown) => void;
  /** Whether the next input is for it: it has been shown, and nothing came between. */
  isOpen: boolean;
}

/** What asks one thing after the other: the chat itself, or a server. */
interface Dialogue {
  wait: Wait | undefined;
  isOver: boolean;
}

/** Dispatches inputs to the dialogue that began last; to the chat itself where there is no other. */
export function dispatchInputs({ isTyped, onKept, invite, dismiss }: InputSource): Dispatcher {
  const queue = inputQueue({ isTyped, onKept });
  let presentations = 0;
  const own: Dialogue = { wait: undefined, isOver: false };
  const others: Dialogue[] = [];
  let hasEnded = false;
  const latest = (): Dialogue => others.at(-1) ?? own;

  const suspend = ({ wait }: Dialogue, isUnfinished = true): void => {
    if (!wait?.isOpen) return;
    wait.isOpen = false;
    dismiss(isUnfinished);
  };
  const settle = (dialogue: Dialogue, line: Line | undefined): void => {
    const { wait } = dialogue;
    suspend(dialogue, line === undefined);
    dialogue.wait = undefined;
    wait?.resolve(line);
  };
  const inviteAgain = (): void => {
    const { wait } = latest();
    if (wait?.isOpen) invite(wait.show && wait);
  };
  const showThenInvite = async (dialogue: Dialogue, wait: Wait): Promise<void> => {
    const presentation = ++presentations;
    if (isTyped && wait.show && !wait.isOpen) {
      await arrivals();
      if (presentation !== presentations || dialogue !== latest() || dialogue.wait !== wait) return;
      queue.report();
    }
    wait.show?.();
    const text = queue.takeFor(wait.show !== undefined);
    if (text !== undefined) return settle(dialogue, { text, early: true });
    if (hasEnded) return settle(dialogue, undefined);
    wait.isOpen = true;
    inviteAgain();
  };
  const present = (): void => {
    const dialogue = latest();
    const { wait } = dialogue;
    if (wait) showThenInvite(dialogue, wait).catch(wait.reject);
  };
  const leave = (dialogue: Dialogue, onWithdrawn?: () => void): void => {
    if (dialogue.isOver) return;
    dialogue.isOver = true;
    const isLatest = dialogue === latest();
    const isAsked = dialogue.wait?.isOpen === true;
    settle(dialogue, undefined);
    if (isAsked) onWithdrawn?.();
    others.splice(others.indexOf(dialogue), 1);
    if (isLatest) present();
  };
  const wait = (dialogue: Dialogue, show?: () => void): Promise<Line | undefined> => {
    if (dialogue.isOver) return Promise.resolve(undefined);
    if (dialogue.wait) throw new Error("A dialogue asks one thing after the other.");
    return new Promise((resolve, reject) => {
      dialogue.wait = { show, resolve, reject, isOpen: false };
      present();
    });
  };
  return {
    inputs: {
      next: () => wait(own),
      ask: (show) => wait(own, show),
      async interject(dialogue, { signal, onWithdrawn }) {
        const other: Dialogue = { wait: undefined, isOver: signal.aborted };
        const withdraw = (): void => leave(other, onWithdrawn);
        if (!other.isOver) {
          suspend(latest());
          others.push(other);
          signal.addEventListener("abort", withdraw);
        }
        try {
          return await dialogue({ ask: (show) => wait(other, show) });
        } finally {
          signal.removeEventListener("abort", withdraw);
          leave(other);
        }
      },
    },
    get queueLength() {
      return queue.count;
    },
    take(text, isWhole = true) {
      const dialogue = latest();
      if (dialogue.wait?.show && !isWhole) return;
      if (!dialogue.wait?.isOpen) queue.add(text, isWhole);
      else if (dialogue.wait.show && !saysSomething(text)) inviteAgain();
      else settle(dialogue, { text, early: false });
    },
    inviteAgain,
    forget: () => queue.clear(),
    end() {
      hasEnded = true;
      for (const dialogue of [...others.toReversed(), own])
        if (dialogue.wait?.isOpen || !queue.hasFor(dialogue.wait?.show !== undefined))
          settle(dialogue, undefined);
    },
  };
}

/** Lets inputs arrive that were entered by now: they lie with the system until the program has time to read. */
async function arrivals(): Promise<void> {
  // The first round may already be past its reading.
  await nextRound();
  await nextRound();
}
