/** A regular expression as a tree. Groups are their content: nobody asks what they capture. */
export type PatternNode =
  | { readonly type: "character"; readonly fits: (character: string) => boolean }
  | { readonly type: "sequence" | "choice"; readonly nodes: readonly PatternNode[] }
  | { readonly type: "repeat"; readonly node: PatternNode; readonly least: number; readonly most: number }
  /** Holds between two characters; `""` stands beyond the ends of the text. */
  | { readonly type: "edge"; readonly holds: (before: string, after: string) => boolean }
  | Look;

/** A look ahead or behind. */
export interface Look {
  readonly type: "look";
  readonly node: PatternNode;
  readonly isBehind: boolean;
  readonly isNegated: boolean;
}

/** How deeply groups may be nested. */
const deepestGroup = 100;

/** The most characters whose fit to one class is remembered. */
const mostRemembered = 1_000;

const quantifier = /([*+?]|\{(\d+)(,?)(\d*)\})\??/y;
const opening = /\((?:\?(?:[:=!]|<[=!]|<[^>]+>))?/y;
const atoms = {
  // A pair of escaped surrogates is one character.
  unicode:
    /\\(?:u\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|[^])|\[(?:\\[^]|[^\]\\])*\]|[^]/uy,
  plain: /\\(?:0[0-7]|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^])|\[(?:\\[^]|[^\]\\])*\]|[^]/y,
};

const isWord = (character: string): boolean => /^\w$/.test(character);
const edges: Readonly<Record<string, (before: string, after: string) => boolean>> = {
  "^": (before) => before === "",
  $: (_before, after) => after === "",
  "\\b": (before, after) => isWord(before) !== isWord(after),
  "\\B": (before, after) => isWord(before) === isWord(after),
};

/** The tree of an expression that compiles, without flags but `u`. `undefined` for what is not regular, or nested too deeply. */
export function parsePattern({ source, unicode }: RegExp): PatternNode | undefined {
  return new Parser(source, unicode).parse();
}

class Parser {
  readonly #source: string;
  readonly #isUnicode: boolean;
  #at = 0;

  constructor(source: string, isUnicode: boolean) {
    this.#source = source;
    this.#isUnicode = isUnicode;
  }

  parse(): PatternNode | undefined {
    return this.#parseChoice(0);
  }

  #parseChoice(depth: number): PatternNode | undefined {
    if (depth > deepestGroup) return undefined;
    const choices: PatternNode[] = [];
    do {
      const nodes: PatternNode[] = [];
      while (this.#at < this.#source.length && !/[|)]/.test(this.#source.charAt(this.#at))) {
        const node = this.#parseTerm(depth);
        if (!node) return undefined;
        nodes.push(node);
      }
      choices.push({ type: "sequence", nodes });
    } while (this.#source.charAt(this.#at) === "|" && this.#at++ >= 0);
    return { type: "choice", nodes: choices };
  }

  #parseTerm(depth: number): PatternNode | undefined {
    const node = this.#source.charAt(this.#at) === "(" ? this.#parseGroup(depth) : this.#parseAtom();
    const counts = node && this.#read(quantifier);
    if (!counts) return node;
    const [, sign, least, comma, most] = counts;
    if (sign === "*" || sign === "+") return repeat(node, sign === "+" ? 1 : 0, Infinity);
    if (sign === "?") return repeat(node, 0, 1);
    return repeat(node, Number(least), comma ? (most === "" ? Infinity : Number(most)) : Number(least));
  }

  #parseGroup(depth: number): PatternNode | undefined {
    const [sign = "("] = this.#read(opening) ?? [];
    const node = this.#parseChoice(depth + 1);
    if (!node || this.#source.charAt(this.#at++) !== ")") return undefined;
    if (!/[=!]$/.test(sign)) return node;
    return { type: "look", node, isBehind: sign.includes("<"), isNegated: sign.endsWith("!") };
  }

  #parseAtom(): PatternNode | undefined {
    const [atom = ""] = this.#read(this.#isUnicode ? atoms.unicode : atoms.plain) ?? [];
    const holds = Object.hasOwn(edges, atom) ? edges[atom] : undefined;
    if (holds) return { type: "edge", holds };
    // A reference to a group; what else it may mean depends on the groups.
    if (/^\\(?:[1-9]|0\d|k)/.test(atom)) return undefined;
    return { type: "character", fits: this.#fitsOf(atom) };
  }

  /** The runtime knows best which characters a class has. */
  #fitsOf(atom: string): (character: string) => boolean {
    if (/^[\w\s"'#%&,:;<=>@`~/!-]$/.test(atom)) return (character) => character === atom;
    const expression = new RegExp(`^(?:${atom})$`, this.#isUnicode ? "u" : "");
    const remembered = new Map<string, boolean>();
    return (character) => {
      let fits = remembered.get(character);
      if (fits === undefined) {
        fits = expression.test(character);
        if (remembered.size < mostRemembered) remembered.set(character, fits);
      }
      return fits;
    };
  }

  #read(token: RegExp): RegExpExecArray | null {
    token.lastIndex = this.#at;
    const match = token.exec(this.#source);
    if (match) this.#at = token.lastIndex;
    return match;
  }
}

function repeat(node: PatternNode, least: number, most: number): PatternNode {
  return { type: "repeat", node, least, most };
}
