type Container = unknown[] | Record<string, unknown>;

/** What may come next. A `word` is a number, `true`, `false` or `null`, read to whatever follows it. */
type Expected =
  | "first" // a first item or key, or the end of the container
  | "key"
  | "colon"
  | "value"
  | "string"
  | "word"
  | "end" // a comma, or the end of the container
  | "nothing";

/** The deepest nesting of objects and arrays that is read. */
const maxDepth = 100;

const quote = 0x22;
const backslash = 0x5c;

/**
 * Reads JSON that comes in pieces, and says what has come so far: strings as far as they go, numbers, `true`, `false` and
 * `null` once something follows them, open objects and arrays as if they ended here. Keys `__proto__` are dropped. Text that is not
 * JSON, or nested deeper than 100 levels, ends the reading without an error: the value stays what it was.
 *
 * The time is linear in the length of the text, however it is cut, and is spent only if somebody asks for the value.
 */
export class PartialJson {
  /** The value itself is the only item of this list, so that it is put in place like all others. */
  readonly #root: unknown[] = [];
  readonly #outer: Container[] = [];
  #container: Container = this.#root;
  /** Where in the container the next value goes; `undefined` if it is dropped. */
  #place: string | number | undefined;
  #expected: Expected = "value";
  #isKey = false;
  /** What there is of a string or word. */
  #text = "";
  /** What there is of an escape sequence within a string. */
  #escape = "";
  #unread = "";

  /** Takes the next piece of the text. */
  push(piece: string): void {
    this.#unread += piece;
  }

  /**
   * The value so far; `undefined` if nothing of it has come. The same objects and arrays grow with every piece: copy what
   * has to stay as it is.
   */
  get value(): unknown {
    const text = this.#unread;
    this.#unread = "";
    for (let index = 0; index < text.length && this.#expected !== "nothing";) index = this.#read(text, index);
    if (this.#expected === "string" && !this.#isKey) this.#put(this.#text);
    return this.#root[0];
  }

  /** Reads on from `index`, and gives the index of what was not read. */
  #read(text: string, index: number): number {
    if (this.#expected === "string") return this.#readString(text, index);
    if (this.#expected === "word") return this.#readWord(text, index);
    const character = text.charAt(index);
    if (isSpace(character)) return index + 1;
    if (this.#expected !== "value" && !this.#startsValue(character)) return index + 1;
    return this.#startValue(character) ? index + 1 : index;
  }

  /** Reads what stands between values; `true` if a value starts instead. */
  #startsValue(character: string): boolean {
    const expected = this.#expected;
    const isArray = Array.isArray(this.#container);
    if ((expected === "first" || expected === "end") && character === (isArray ? "]" : "}")) this.#close();
    else if (expected === "first" && isArray) return true;
    else if (expected === "end" && character === "," && this.#outer.length > 0)
      this.#expected = isArray ? "value" : "key";
    else if (expected === "colon" && character === ":") this.#expected = "value";
    else if ((expected === "first" || expected === "key") && character === '"') this.#startString(true);
    else this.#expected = "nothing";
    return false;
  }

  /** Starts a value; `false` if its first character is still to be read. */
  #startValue(character: string): boolean {
    if (Array.isArray(this.#container)) this.#place = this.#container.length;
    if (character === '"') this.#startString(false);
    else if (character === "{") this.#open({});
    else if (character === "[") this.#open([]);
    else {
      this.#expected = "word";
      this.#text = "";
      return false;
    }
    return true;
  }

  #startString(isKey: boolean): void {
    this.#expected = "string";
    this.#isKey = isKey;
    this.#text = "";
  }

  #open(container: Container): void {
    this.#put(container);
    this.#expected = this.#outer.length < maxDepth ? "first" : "nothing";
    this.#outer.push(this.#container);
    this.#container = container;
  }

  #close(): void {
    const outer = this.#outer.pop();
    this.#expected = outer ? "end" : "nothing";
    this.#container = outer ?? this.#root;
  }

  #put(value: unknown): void {
    const container = this.#container;
    const place = this.#place;
    if (Array.isArray(container)) container[Number(place)] = value;
    else if (place !== undefined) container[place] = value;
  }

  #stop(): void {
    if (this.#expected === "string" && !this.#isKey) this.#put(this.#text);
    this.#expected = "nothing";
  }

  #readString(text: string, start: number): number {
    if (this.#escape !== "") return this.#readEscape(text, start);
    let end = start;
    for (; end < text.length; end++) {
      const unit = text.charCodeAt(end);
      if (unit === quote || unit === backslash) break;
    }
    this.#text += text.slice(start, end);
    if (end === text.length) return end;
    if (text.charCodeAt(end) === backslash) this.#escape = "\\";
    else this.#endString();
    return end + 1;
  }

  #readEscape(text: string, index: number): number {
    this.#escape += text.charAt(index);
    const length = this.#escape.charAt(1) === "u" ? 6 : 2;
    if (this.#escape.length < length) return index + 1;
    const character = parse(`"${this.#escape}"`);
    this.#escape = "";
    if (typeof character === "string") this.#text += character;
    else this.#stop();
    return index + 1;
  }

  #endString(): void {
    if (this.#isKey) {
      this.#place = this.#text === "__proto__" ? undefined : this.#text;
      this.#expected = "colon";
    } else {
      this.#put(this.#text);
      this.#expected = "end";
    }
  }

  #readWord(text: string, start: number): number {
    let end = start;
    while (end < text.length && !isDelimiter(text.charAt(end))) end++;
    this.#text += text.slice(start, end);
    if (end === text.length) return end;
    const value = parse(this.#text);
    if (value === undefined) this.#stop();
    else {
      this.#put(value);
      this.#expected = "end";
    }
    return end;
  }
}

function isSpace(character: string): boolean {
  return character === " " || character === "\n" || character === "\r" || character === "\t";
}

function isDelimiter(character: string): boolean {
  return character === "," || character === "]" || character === "}" || isSpace(character);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
