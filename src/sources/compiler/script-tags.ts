/** Stands for `@` in front of a tag that TypeScript must not see: no text has it, and positions stay what they are. */
const hidden = "\u0001";

/** Tags that say something about types. */
const typeTags =
  "implements|augments|extends|class|constructor|public|private|protected|readonly|override|this|enum|arg|argument|param|" +
  "prop|property|returns?|template|type|typedef|callback|overload|satisfies|import";
const otherTag = new RegExp(String.raw`(?<=\s)@(?!(?:${typeTags})(?![\w-]))(?=[A-Za-z])`, "g");
const nested =
  /@(?:callback\s|overload\s|prop(?:erty)?\s|(?:param|arg|argument)\s+(?:\{[^@]*\}\s*)?\[?[\w$]+(?:\[\])*\.)/;

/**
 * JavaScript without the tags that TypeScript would take for the end of a type: after `@property {string} city - City
 * @minLength 2` it drops every property that follows. `shownTags` brings them back.
 */
export function hideTags(text: string): string {
  if (!nested.test(text)) return text;
  return text.replaceAll(/\/\*\*(?!\/)[^]*?\*\//g, (comment) => {
    const first = nested.exec(comment)?.index;
    if (first === undefined) return comment;
    return comment.slice(0, first) + comment.slice(first).replaceAll(otherTag, hidden);
  });
}

/** Text of a file with the tags that `hideTags` has hidden. */
export function shownTags(text: string): string {
  return text.includes(hidden) ? text.replaceAll(hidden, "@") : text;
}
