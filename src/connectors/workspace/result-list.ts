/** The most characters of a list that a model reads: about 10,000 tokens. */
const longestList = 40_000;

/** Lines for a model, as many as it reads at once. */
export interface ResultList {
  readonly isFull: boolean;
  add(line: string): void;
  /** @param isCut - Whether not everything was looked at. */
  text(isCut: boolean): string;
}

/** Collects lines for a model. */
export function resultList(): ResultList {
  const lines: string[] = [];
  let length = 0;
  return {
    get isFull() {
      return length >= longestList;
    },
    add(line) {
      lines.push(line);
      length += line.length + 1;
    },
    text(isCut) {
      if (isCut || length >= longestList) lines.push("[There is more: name a smaller part.]");
      return lines.map((line) => `${line}\n`).join("");
    },
  };
}
