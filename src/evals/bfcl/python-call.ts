import { ConfigurationError } from "../../errors.ts";

/** A call as Python writes it. */
export interface PythonCall {
  readonly name: string;
  readonly positional: readonly unknown[];
  readonly named: Readonly<Record<string, unknown>>;
}

/** How deep lists and dicts may be nested. */
const deepest = 100;

const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["True", true],
  ["False", false],
  ["None", null],
]);

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };

/**
 * Reads a call such as `mv(source='a.txt', destination="b", tries=-1.5, flags=[True, None], meta={'a': (1, 2)})`.
 * @throws ConfigurationError (`bfcl-file`) for anything that is not a call with plain values.
 */
export function parsePythonCall(text: string): PythonCall {
  const reader = new Reader(text);
  const name = reader.take(/[\w.]+/y) ?? reader.fail("a name");
  const positional: unknown[] = [];
  const named: Record<string, unknown> = {};
  reader.expect("(");
  reader.items(")", () => {
    const key = reader.take(/\w+(?=\s*=)/y);
    if (key === undefined) return void positional.push(reader.value(0));
    reader.expect("=");
    Object.defineProperty(named, key, { value: reader.value(0), enumerable: true, configurable: true });
  });
  reader.end();
  return { name, positional, named };
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** What the expression (sticky) finds here, after white space. */
  take(expression: RegExp): string | undefined {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at += 1;
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#text)?.[0];
    if (match !== undefined) this.#at += match.length;
    return match;
  }

  expect(sign: string): void {
    if (this.take(/[()[\]{}=:,]/y) !== sign) this.fail(sign);
  }

  /** Reads items up to `close`, with commas between them. */
  items(close: string, read: () => void): void {
    while (!this.#closes(close)) {
      read();
      if (this.#closes(close)) return;
      this.expect(",");
    }
  }

  end(): void {
    if (this.take(/[^]/y) !== undefined) this.fail("the end");
  }

  value(depth: number): unknown {
    if (depth > deepest) return this.fail("less nesting");
    const number = this.take(/[+-]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y);
    if (number !== undefined) return Number(number.replaceAll("_", ""));
    const quote = this.take(/['"]/y);
    if (quote !== undefined) return this.#string(quote);
    const open = this.take(/[[({]/y);
    if (open === "[" || open === "(") return this.#list(open === "[" ? "]" : ")", depth);
    if (open === "{") return this.#dict(depth);
    const word = this.take(/\w+/y);
    if (word === undefined || !words.has(word)) return this.fail("a value");
    return words.get(word);
  }

  fail(wanted: string): never {
    throw new ConfigurationError(
      `bfcl(): expected ${wanted} at character ${this.#at + 1} of ${this.#text.slice(0, 500)}`,
      { code: "bfcl-file" },
    );
  }

  #closes(close: string): boolean {
    return this.take(close === ")" ? /\)/y : close === "]" ? /\]/y : /\}/y) !== undefined;
  }

  #list(close: string, depth: number): unknown[] {
    const list: unknown[] = [];
    this.items(close, () => list.push(this.value(depth + 1)));
    return list;
  }

  #dict(depth: number): object {
    const dict: Record<string, unknown> = {};
    this.items("}", () => {
      const key = String(this.value(depth + 1));
      this.expect(":");
      const value = this.value(depth + 1);
      Object.defineProperty(dict, key, { value, enumerable: true, configurable: true });
    });
    return dict;
  }

  #string(quote: string): string {
    let text = "";
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) return this.fail("the end of a text");
      this.#at += 1;
      if (character === quote) return text;
      text += character === "\\" ? this.#escape() : character;
    }
  }

  #escape(): string {
    const code = /(?:x[\da-fA-F]{2}|u[\da-fA-F]{4})/y;
    code.lastIndex = this.#at;
    const digits = code.exec(this.#text)?.[0];
    const character = this.#text[this.#at] ?? "";
    this.#at += digits?.length ?? 1;
    if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits.slice(1), 16));
    if (Object.hasOwn(escapes, character)) return escapes[character] ?? "";
    // Python leaves a backslash where it means nothing.
    return /[\\'"]/.test(character) ? character : `\\${character}`;
  }
}
