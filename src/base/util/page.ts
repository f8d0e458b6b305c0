import { boundary } from "./cut-text.ts";

/** The most characters of a text that a model reads at once: about 10,000 tokens. */
const longestPage = 40_000;

/**
 * The lines of a text from one on, as far as a model reads them at once.
 * @param from - The first line, from 1.
 * @param next - What to do about the rest, which begins with that line.
 */
export function pageOf(
  text: string,
  from: number,
  next: (line: number) => string,
  most: number = Infinity,
): string {
  const lines = text.split("\n");
  const page: string[] = [];
  let length = 0;
  for (const line of lines.slice(from - 1, from - 1 + most)) {
    if (page.length > 0 && length + line.length > longestPage) break;
    page.push(line.length > longestPage ? `${line.slice(0, boundary(line, longestPage))} [cut]` : line);
    length += line.length + 1;
  }
  const end = from + page.length;
  const rest = lines.length - end + 1;
  return rest > 0 ? `${page.join("\n")}\n[${rest} more lines. ${next(end)}]` : page.join("\n");
}
