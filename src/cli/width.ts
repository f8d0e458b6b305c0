/**
 * What terminals show two columns wide (Unicode Standard Annex 11), and a few neighbours: a line that is taken for wider than it
 * is only ends early.
 */
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}|\uFE0F/u;
const invisible = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** How many columns of a terminal the text takes, on one line. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOfGrapheme(segment);
  return width;
}

/** The text if it fits into `columns` columns, else as much of its beginning as does, with an ellipsis; no character is cut in two. */
export function cutToWidth(text: string, columns: number): string {
  let width = 0;
  let end = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    width += widthOfGrapheme(segment);
    if (width > columns) return `${text.slice(0, end)}…`;
    if (width < columns) end = index + segment.length;
  }
  return text;
}

function widthOfGrapheme(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return invisible.test(grapheme) ? 0 : 1;
}
