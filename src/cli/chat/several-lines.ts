/** Lines on their way to becoming one input. */
export interface SeveralLines {
  /** What was added so far, if it goes on with the next line. */
  readonly pending: string | undefined;
  /** Adds a line. @returns the input once it is complete: not after a backslash, within a fenced block, or where `goesOn`. */
  add(line: string, goesOn?: boolean): string | undefined;
  /** Forgets what was begun. @returns it. */
  take(): string | undefined;
}

const fence = /^\s*(`{3,}(?=[^`]*$)|~{3,})/;

/**
 * Makes inputs of lines: one that ends in a backslash goes on with the next, without the backslash; a block that begins with
 * three backticks goes on until it is closed by as many.
 */
export function severalLines(): SeveralLines {
  let lines: string[] = [];
  let open: string | undefined;
  const take = (): string | undefined => {
    const text = lines.length === 0 ? undefined : lines.join("\n");
    lines = [];
    open = undefined;
    return text;
  };
  return {
    get pending() {
      return lines.length === 0 ? undefined : lines.join("\n");
    },
    add(line, goesOn = false) {
      // What stands between the fences is taken as it is.
      const isContinued = open === undefined && !goesOn && line.endsWith("\\");
      lines.push(isContinued ? line.slice(0, -1) : line);
      const marks = fence.exec(line)?.[1];
      if (open === undefined) open = marks;
      else if (marks?.startsWith(open) && line.trim() === marks) open = undefined;
      return isContinued || goesOn || open !== undefined ? undefined : take();
    },
    take,
  };
}
