/** A pattern of paths as an expression for `grep -E`, and where its matches can be. */
export interface GlobExpression {
  /** The folder in front of the first name that is a pattern: `.` where there is none. */
  readonly base: string;
  /** Matches whole paths, those of folders without a slash at their end. */
  readonly expression: string;
  /** Whether the pattern ends in a slash: it matches folders alone. */
  readonly isOfFolders: boolean;
}

/** A name that is not hidden: patterns match a dot at the start of a name only where they have one. */
const anyName = "[^./][^/]*";

/**
 * Translates a pattern of bash, with `globstar`, for an interpreter that cannot expand it.
 * @see https://www.gnu.org/software/bash/manual/html_node/Pattern-Matching.html
 */
export function globExpression(pattern: string): GlobExpression {
  const isOfFolders = pattern.endsWith("/");
  const names = pattern
    .replace(/(?<=.)\/+$/, "")
    .split("/")
    .filter((name, index, all) => name !== "**" || all[index + 1] !== "**");
  const first = names.findIndex((name) => /[*?[]/.test(name));
  const base = names.slice(0, first === -1 ? names.length : first).join("/");
  const ways = names.slice(0, -1).map((name) => (name === "**" ? `(${anyName}/)*` : `${ofName(name)}/`));
  const way = ways.join("");
  const last = names.at(-1) ?? "";
  return {
    base: base || (pattern.startsWith("/") ? "/" : "."),
    expression: `^${last === "**" ? allBelow(way) : way + ofName(last)}$`,
    isOfFolders,
  };
}

/** All that is below a way, and what it leads to. */
function allBelow(way: string): string {
  return way === "" ? `${anyName}(/${anyName})*` : `${way.slice(0, -1)}(/${anyName})*`;
}

/** The parts of a name: what is escaped, a set, stars, and any other character. */
const part = /\\(.)|(\[[!^]?\]?[^\]/]*\])|(\*+)|(.)/gsu;

function ofName(name: string): string {
  const parts = [...name.matchAll(part)].map(([, escaped, set, stars, other = ""], index, all) => {
    const isFirst = index === 0;
    if (set !== undefined) return set.replace(/^\[[!^](.*)\]$/s, "[^$1/]");
    if (stars !== undefined) {
      if (!isFirst) return "[^/]*";
      return all[1]?.[0] === "." ? anyName : `(${anyName})?`;
    }
    if (escaped === undefined && other === "?") return isFirst ? "[^./]" : "[^/]";
    return (escaped ?? other).replace(/[\\^$.*+?()[\]{}|]/u, "\\$&");
  });
  return parts.join("");
}
