import { parseDocComment, type DocComment } from "./doc-comments.ts";
import type { Host, Node } from "./host.ts";
import { shownTags } from "./script-tags.ts";

/** What begins to speak of something else than the `@typedef` before it. */
const declaring = /^(?:typedef|callback|prop|property|overload|template)$/;

/** What the comment of a `@typedef` says of the type that it names; `undefined` for every other node. */
export function typedefDoc({ syntax }: Host, node: Node): DocComment | undefined {
  if (node.kind !== syntax.SyntaxKind.JSTypeAliasDeclaration) return undefined;
  const { text } = node.getSourceFile();
  const start = text.lastIndexOf("/**", node.pos);
  const end = text.indexOf("*/", node.pos);
  if (start < 0 || end < 0) return undefined;
  const doc = parseDocComment(shownTags(text.slice(start, end + 2)));
  const before = parseDocComment(`${shownTags(text.slice(start, node.pos))}*/`);
  const place = before.tags.filter(({ name }) => declaring.test(name)).length;
  const starts = doc.tags.flatMap(({ name }, index) => (declaring.test(name) ? [index] : []));
  const [own = 0, next] = starts.slice(place);
  // What stands before all of them speaks of the first one.
  const tags = doc.tags.slice(place === 0 ? 0 : own, next);
  const summary = descriptionOf(doc.tags[own]?.text ?? "") || (place === 0 ? doc.summary : "");
  return { summary, parameters: new Map(), tags };
}

/** The words after the type and the name. */
function descriptionOf(text: string): string {
  const { parameters } = parseDocComment(`/** @param ${text} */`);
  const [{ description } = { description: "" }] = parameters.values();
  return description;
}
