import type { EvalProgress } from "../../evals/run-eval.ts";
import { screenOn, shorten } from "../text.ts";

/** Shows how far an evaluation has come. */
export interface Progress {
  readonly show: (progress: EvalProgress) => void;
  readonly clear: () => void;
}

/** What makes a stream a terminal, and how wide that is. */
interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** How many characters the bar has. */
const width = 24;

/** A line that is written over and over, on a terminal; nothing elsewhere. */
export function progressOn(output: NodeJS.WritableStream & Terminal): Progress {
  if (!output.isTTY) return { show: () => undefined, clear: () => undefined };
  const screen = screenOn(output);
  const clear = (): void => screen.write("\r\u001B[K");
  let passed = 0;
  return {
    clear,
    show({ evaluation, case: name, record, done, total }) {
      if (record.pass) passed += 1;
      const full = Math.round((done / total) * width);
      const bar = `${"█".repeat(full)}${"░".repeat(width - full)}`;
      const line = `${bar} ${done}/${total}  ${passed} passed  ${evaluation}: ${name}`;
      clear();
      screen.write(shorten(line, screen.columns - 1));
    },
  };
}
