const stringOrComment = /(["'`])(?:\\.|(?!\1)[^\\])*\1|\/\*[^]*?\*\/|\/\/.*/g;
const innermostBrackets = /\([^()[\]{}]*\)|\[[^()[\]{}]*\]|\{[^()[\]{}]*\}/g;
const name = String.raw`([\p{ID_Start}$_][\p{ID_Continue}$]*)`;

/**
 * The names of a function's parameters, as far as its source tells; an empty one for a parameter that is destructured.
 * None for functions whose source is not to be had: native and bound ones.
 */
export function parameterNames(fn: (...args: never[]) => unknown): readonly string[] {
  const source = Function.prototype.toString.call(fn).replaceAll(stringOrComment, "");
  const single = new RegExp(`^(?:async\\s+)?${name}\\s*=>`, "u").exec(source)?.[1];
  if (single !== undefined) return [single];
  let list = source.slice(source.indexOf("(") + 1);
  // What is within brackets becomes a 0, from the inside out; the list's own end is the bracket that is left over.
  for (let before = ""; before !== list;) {
    before = list;
    list = list.replaceAll(innermostBrackets, "0");
  }
  const parameters = list.slice(0, list.indexOf(")")).split(",");
  const nameAtStart = new RegExp(`^\\s*(?:\\.\\.\\.)?${name}`, "u");
  return parameters.filter((text) => text.trim() !== "").map((text) => nameAtStart.exec(text)?.[1] ?? "");
}
