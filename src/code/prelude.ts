/** What a program has, and what a run of it stays the same by. */
export interface ProgramSetup {
  /** The program as the model wrote it. */
  readonly code: string;
  /** The names that `tools` has. */
  readonly names: readonly string[];
  /** Whether `tools` can be searched, too. */
  readonly search: boolean;
  /** Milliseconds since 1970: the program's clock stands still. */
  readonly now: number;
  /** A whole number of 32 bits, for `Math.random`. */
  readonly seed: number;
  /** The most characters of what is printed, and of what is returned. */
  readonly outputChars: number;
}

/** What a program came to, as `wrapProgram` has it return that. */
export type ProgramOutcome =
  | { readonly ok: true; readonly text?: string; readonly length: number; readonly log: ProgramLog }
  | {
      readonly ok: false;
      readonly error: string;
      /** The lines of the source that led there, the innermost first. */
      readonly lines: readonly number[];
      readonly log: ProgramLog;
    };

/** What a program has printed. */
export interface ProgramLog {
  readonly text: string;
  /** How many characters it has printed in all. */
  readonly length: number;
}

/**
 * A program as an interpreter runs it. It is deterministic: the same results of calls lead to the same calls. The calls that it makes
 * before it waits are passed on together, and it goes on when all of them are done.
 */
export function wrapProgram({ code, ...setting }: ProgramSetup): string {
  const setup = JSON.stringify(setting);
  return `${prelude}\nreturn await __program(${setup}, async (tools, console, Date, Math) => {\n${code}\n});`;
}

/** How many lines stand before the program's own. */
export function linesBefore(): number {
  return prelude.split("\n").length + 1;
}

/**
 * Runs in the interpreter: nothing of it is a guard, since a program may do all that it does. What it may call is for the host to decide.
 * `quietRounds` is how often the program's own promises have to be handled without a further call until it counts as waiting,
 * `lastRounds` the same for promises that it did not wait for itself, at its end.
 */
const prelude = `const __program = async (setup, main) => {
  const linesOf = ({ stack }) => [...String(stack).matchAll(/:(\\d+):\\d+\\)?$/gm)].map(([, line]) => Number(line));
  const [thisLine = 3] = linesOf(new Error()), before = thisLine - 3;
  const quietRounds = 64, lastRounds = 1024;
  const { parse, stringify } = JSON;
  const send = host.call;
  const isPromise = (value) => typeof value === 'object' && value !== null && typeof value.then === 'function';
  const toText = (value, what) => stringify(value, function (key, item) {
    const place = key === '' ? ' is ' : ' has at ' + stringify(key) + ' ';
    if (isPromise(item)) throw new TypeError(what + place + 'a promise. Await it.');
    if (key === '' && typeof item === 'function') throw new TypeError(what + place + 'a function. Call it.');
    if (typeof item === 'number' && !Number.isFinite(item)) {
      if (what.startsWith('The input')) throw new TypeError(what + place + item + ', which no argument can be.');
      return String(item);
    }
    if (item instanceof Error) return { name: item.name, message: item.message };
    if (typeof item === 'bigint') return String(item);
    if (item instanceof Map) return Object.fromEntries(item);
    if (item instanceof Set) return [...item];
    return item;
  });

  let queue = [];
  let flushing, isOver = false;
  const flush = async () => {
    for (let round = 0, count = -1; round < quietRounds; round++) {
      if (queue.length !== count) round = 0;
      count = queue.length;
      await undefined;
    }
    const calls = queue;
    queue = [];
    if (calls.length === 0) return void (flushing = undefined);
    const results = parse(await send(stringify(calls.map(({ name, text }) => ({ name, text })))));
    flushing = undefined;
    if (queue.length > 0) schedule();
    calls.forEach(({ resolve, reject, place }, index) => {
      const { ok, value, error } = results[index];
      if (ok) return resolve(value);
      // Where it was called is where it failed.
      place.message = error;
      reject(place);
    });
  };
  const schedule = () => { flushing ??= flush(); };
  // What was not awaited may call more.
  const settle = async () => {
    for (let round = 0; round < lastRounds; round++) {
      if (flushing) round = 0;
      await flushing;
    }
  };
  const unhandled = new Set();
  const call = (name, args) => {
    if (args.length > 1 || (args[0] !== undefined && (typeof args[0] !== 'object' || args[0] === null || Array.isArray(args[0]))))
      throw new TypeError('tools.' + name + ' takes one object with its arguments by name.');
    const text = toText(args[0] ?? {}, 'The input of tools.' + name);
    const place = new Error('');
    const result = new Promise((resolve, reject) => {
      if (isOver) return;
      queue.push({ name, text, resolve, reject, place });
      schedule();
    });
    result.catch((error) => unhandled.add(error));
    return result;
  };

  const table = Object.create(null);
  for (const name of setup.names)
    Object.defineProperty(table, name, { value: (...args) => call(name, args), enumerable: true });
  if (setup.search) {
    table.search = (words, limit) => call('search', [{ words, limit }]);
    table.describe = (name) => call('describe', [{ name }]);
  }
  const tools = new Proxy(Object.freeze(table), {
    get(target, name) {
      if (name in target) return target[name];
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined;
      throw new TypeError('Unknown tool "' + name + '". The tools are: ' + setup.names.slice(0, 50).join(', ') + '.');
    },
  });

  const log = { text: '', length: 0 };
  const show = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return String(value);
    try { return toText(value, 'A printed value') ?? String(value); } catch { return String(value); }
  };
  const print = (...values) => {
    const line = values.map(show).join(' ') + '\\n';
    log.length += line.length;
    if (log.text.length < setup.outputChars) log.text += line.slice(0, setup.outputChars - log.text.length);
  };
  const console = Object.freeze({ log: print, info: print, warn: print, error: print, debug: print });

  const RealDate = Date;
  class FixedDate extends RealDate {
    constructor(...args) { if (args.length === 0) super(setup.now); else super(...args); }
    static now() { return setup.now; }
  }
  let state = setup.seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const fixedMath = Object.create(null, { ...Object.getOwnPropertyDescriptors(Math), random: { value: random } });

  let returned;
  try {
    const value = await main(tools, console, FixedDate, fixedMath);
    const used = new Set(unhandled);
    await settle();
    for (const error of unhandled) if (!used.has(error)) throw error;
    const text = toText(value, 'The returned value');
    returned = { ok: true, text: text?.slice(0, setup.outputChars), length: text?.length ?? 0, log };
  } catch (error) {
    const isError = typeof error === 'object' && error !== null && 'message' in error;
    const words = isError ? (error.name === 'Error' ? '' : error.name + ': ') + error.message : 'It threw ' + show(error);
    const lines = isError ? linesOf(error).map((line) => line - before).slice(0, 20) : [];
    returned = { ok: false, error: words.slice(0, 4000), lines, log };
    // A program that failed calls nothing more.
    isOver = true;
    queue = [];
    while (flushing) await flushing;
  }
  return stringify(returned);
};`;
