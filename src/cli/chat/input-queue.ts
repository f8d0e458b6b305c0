/** Inputs that came before anyone waited for them, oldest first. */
export interface InputQueue {
  readonly count: number;
  /** `isWhole` unless the inputs ended before it was entered: then it answers no question. */
  add(text: string, isWhole: boolean): void;
  /** Whether there may be one for a message, or for the answer to a question. */
  hasFor(isQuestion: boolean): boolean;
  /** Takes the oldest for a message or for the answer to a question; `undefined` if there is none. */
  takeFor(isQuestion: boolean): string | undefined;
  /** Tells of those that do not answer the question about to be shown. */
  report(): void;
  clear(): void;
}

/** What is kept of inputs, and for whom. */
export interface InputQueueOptions {
  /** Whether a person types them, who answers what is on the screen: what came before a question does not answer it. */
  readonly isTyped: boolean;
  /** Told once of each input that does not answer a question. */
  readonly onKept: (text: string) => void;
}

/** Keeps inputs until someone asks for them. */
export function inputQueue({ isTyped, onKept }: InputQueueOptions): InputQueue {
  const inputs: { readonly text: string; readonly isWhole: boolean; isReported: boolean }[] = [];
  const hasFor = (isQuestion: boolean): boolean => {
    const [oldest] = inputs;
    return oldest !== undefined && (!isQuestion || (oldest.isWhole && !isTyped));
  };
  return {
    get count() {
      return inputs.length;
    },
    add: (text, isWhole) => void inputs.push({ text, isWhole, isReported: !saysSomething(text) }),
    hasFor,
    takeFor(isQuestion) {
      while (hasFor(isQuestion)) {
        const text = inputs.shift()?.text ?? "";
        if (!isQuestion || saysSomething(text)) return text;
      }
      return undefined;
    },
    report() {
      for (const input of inputs) {
        if (!input.isReported) onKept(input.text);
        input.isReported = true;
      }
    },
    clear: () => void inputs.splice(0),
  };
}

/** Whether an input can answer a question. */
export function saysSomething(text: string): boolean {
  return text.trim() !== "";
}
