/** A frame of a stack as the engine knows it: where the code stands in the text that runs, counted from 0. */
export interface RawFrame {
  readonly url: string;
  readonly line: number;
  readonly column: number;
  /** The hash of the script's text; `undefined` where the engine has none. */
  readonly scriptHash: string | undefined;
}

/** Registered, so that another copy of the package reads the same. */
const rawFrames: unique symbol = Symbol.for("skein.frames");

/** What not every platform has. */
interface StackTraces {
  readonly captureStackTrace?: (target: object, hidden: Function) => void;
  readonly stackTraceLimit?: number;
  prepareStackTrace?: unknown;
}

/** What V8 hands to `Error.prepareStackTrace`. */
interface EngineFrame {
  getScriptNameOrSourceURL(): string | null;
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
  getScriptHash?(): string;
}

/**
 * Captures the frames of a call, at a cost of some microseconds: `stack`, whose text may be mapped to sources by what the
 * program runs on, and the engine's own, which never are. Read those first: the text is made of them. `undefined` on
 * platforms that cannot leave frames out.
 * @param hidden - The function that was called: the first frame is the one that called it.
 */
export function captureFrames(hidden: Function, frames: number): { readonly stack?: string } | undefined {
  const site = {};
  const raw = hasTextOfFrames() ? undefined : {};
  if (!capture(hidden, frames, site, raw)) return undefined;
  setRawFrames(site, raw ?? site);
  return site;
}

/**
 * Whether a function makes the text of a stack of the engine's frames, so that one capture does for both. Where there is none,
 * as in other runtimes, what maps the frames is out of reach.
 */
function hasTextOfFrames(): boolean {
  const traces: StackTraces = Error;
  return isNode && typeof traces.prepareStackTrace === "function";
}

const { process: host }: { process?: { readonly versions?: { readonly node?: string } } } = globalThis;
const isNode: boolean =
  host?.versions?.node !== undefined && !("Bun" in globalThis) && !("Deno" in globalThis);

/** Captures the engine's own frames for an error whose `stack` is captured already. */
export function keepRawFrames(target: object, hidden: Function, frames: number): boolean {
  const raw = {};
  const isCaptured = capture(hidden, frames, raw);
  if (isCaptured) setRawFrames(target, raw);
  return isCaptured;
}

/** Not enumerable: printing the object would read it. */
function setRawFrames(target: object, raw: object): void {
  Object.defineProperty(target, rawFrames, { value: raw });
}

/** The engine's own frames; none where they were not captured, or have been read before. */
export function readRawFrames(target: object): readonly RawFrame[] {
  const raw: unknown = Reflect.get(target, rawFrames);
  if (typeof raw !== "object" || raw === null) return [];
  const cached = alreadyRead.get(raw);
  if (cached !== undefined) return cached;
  const frames = readEngineFrames(raw, raw === target);
  alreadyRead.set(raw, frames);
  return frames;
}

const alreadyRead = new WeakMap<object, readonly RawFrame[]>();

/**
 * The text of a stack is made when it is first read, by whatever is then set to make it.
 * @param hasText - Whether the text is read later: then it must be what it is without this.
 */
function readEngineFrames(raw: { readonly stack?: unknown }, hasText: boolean): readonly RawFrame[] {
  const traces: StackTraces = Error;
  const previous = traces.prepareStackTrace;
  let frames: readonly RawFrame[] = [];
  const prepare = (error: unknown, engineFrames: readonly EngineFrame[]): unknown => {
    frames = engineFrames.map(readEngineFrame);
    if (!hasText) return "";
    if (typeof previous === "function") return Reflect.apply(previous, Error, [error, engineFrames]);
    return ["Error", ...engineFrames.map(String)].join("\n    at ");
  };
  // A frozen Error keeps what it has: then nothing is read.
  Reflect.set(Error, "prepareStackTrace", prepare);
  try {
    void raw.stack;
  } finally {
    if (previous === undefined) Reflect.deleteProperty(Error, "prepareStackTrace");
    else Reflect.set(Error, "prepareStackTrace", previous);
  }
  return frames;
}

function readEngineFrame(frame: EngineFrame): RawFrame {
  return {
    url: frame.getScriptNameOrSourceURL() ?? "",
    line: (frame.getLineNumber() ?? 0) - 1,
    column: (frame.getColumnNumber() ?? 0) - 1,
    scriptHash: frame.getScriptHash?.(),
  };
}

function capture(hidden: Function, frames: number, target: object, second?: object): boolean {
  const traces: StackTraces = Error;
  const limit = traces.stackTraceLimit;
  if (typeof traces.captureStackTrace !== "function" || typeof limit !== "number") return false;
  // A frozen Error keeps its limit: then there are more frames, or none.
  Reflect.set(Error, "stackTraceLimit", frames);
  traces.captureStackTrace(target, hidden);
  if (second) traces.captureStackTrace(second, hidden);
  Reflect.set(Error, "stackTraceLimit", limit);
  return true;
}
