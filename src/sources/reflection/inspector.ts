import { Session, type Debugger, type Profiler, type Runtime } from "node:inspector";
import type { LinePosition } from "../compiler/index.ts";

/** Where a function's code starts in the script that runs, and what script that is. Both counted from 0. */
export interface RuntimeLocation {
  readonly line: number;
  readonly column: number;
  /** The script's URL or path; `undefined` where V8 does not report it. */
  readonly url: string | undefined;
  /** The script's `sourceMappingURL`; known only if the debugger domain was used. */
  readonly sourceMapUrl: string | undefined;
  /** The script's text, in which line and column count; known only if the debugger domain was used. */
  readonly scriptText: string | undefined;
}

/** A function as V8 knows it, behind any `bind` and any `Proxy`. */
export interface RuntimeFunction {
  /** The source text of the function itself; that of a bound function is its target's. */
  readonly text: string;
  /** How many leading parameters `bind` has filled already. */
  readonly boundArguments: number;
  /** `undefined` for a function that is not JavaScript. */
  readonly location: RuntimeLocation | undefined;
}

/** How thoroughly to look for scripts: `"debugger"` also returns texts and source maps, and takes two to three times as long. */
export type Thoroughness = "profiler" | "debugger";

let calls = 0;

/**
 * Asks V8's inspector where functions stand, all of them in one session, which is closed when this is done.
 * Rejects where the inspector is not permitted.
 */
export async function inspectFunctions(
  functions: readonly Function[],
  thoroughness: Thoroughness,
): Promise<readonly RuntimeFunction[]> {
  const session = new Session();
  session.connect();
  // The inspector sees the main context only. Builtin modules are what all contexts of a thread share: Jest has a `process`
  // of its own for each test.
  const key = `__skein_functions_${(calls += 1)}`;
  try {
    Reflect.set(Session, key, functions);
    const targets: Target[] = [];
    const expression = `process.getBuiltinModule("node:inspector").Session.${key}`;
    for (const value of await valuesOf(session, expression)) {
      targets.push(await inspectOne(session, value));
    }
    const ids = new Set(targets.flatMap(({ place }) => place?.scriptId ?? []));
    const scripts = await (thoroughness === "profiler"
      ? profiledScripts(session, ids)
      : debuggedScripts(session, ({ scriptId }) => ids.has(scriptId)));
    return targets.map(({ place, ...facts }) => ({ ...facts, location: place && locate(place, scripts) }));
  } finally {
    Reflect.deleteProperty(Session, key);
    session.disconnect();
  }
}

/** The running scripts whose texts have these hashes, by hash. Rejects where the inspector is not permitted. */
export async function inspectScripts(hashes: ReadonlySet<string>): Promise<ReadonlyMap<string, Script>> {
  const session = new Session();
  session.connect();
  try {
    const hashOf = new Map<string, string>();
    const scripts = await debuggedScripts(session, ({ scriptId, hash }) => {
      if (hashes.has(hash)) hashOf.set(scriptId, hash);
      return hashes.has(hash);
    });
    return new Map([...scripts].map(([id, script]) => [hashOf.get(id) ?? "", script]));
  } finally {
    session.disconnect();
  }
}

/** The running scripts that are wanted, in the order in which they were loaded. Rejects where the inspector is not permitted. */
export async function inspectScriptsWhere(
  isWanted: (url: string, sourceMapUrl: string | undefined) => boolean,
): Promise<readonly Script[]> {
  const session = new Session();
  session.connect();
  try {
    const scripts = await debuggedScripts(session, ({ url, sourceMapURL }) => isWanted(url, sourceMapURL));
    return [...scripts]
      .toSorted(([left], [right]) => Number(left) - Number(right))
      .map(([, script]) => script);
  } finally {
    session.disconnect();
  }
}

/** A position that V8 counts in a script, counted in the script's text. */
export function positionInText(
  { line, column }: LinePosition,
  { start = { line: 0, column: 0 } }: Pick<Script, "start">,
): LinePosition {
  return { line: line - start.line, column: line === start.line ? column - start.column : column };
}

interface Target extends Omit<RuntimeFunction, "location"> {
  readonly place: Debugger.Location | undefined;
}

/** What an array holds. Asked for together, the values cost two questions. */
async function valuesOf(session: Session, expression: string): Promise<readonly Runtime.RemoteObject[]> {
  const { result: array } = await answer<Runtime.EvaluateReturnType>((reply) =>
    session.post("Runtime.evaluate", { expression }, reply),
  );
  const { objectId = "" } = array;
  const { result } = await answer<Runtime.GetPropertiesReturnType>((reply) =>
    session.post("Runtime.getProperties", { objectId, ownProperties: true }, reply),
  );
  return result.flatMap(({ name, value }) => (value === undefined || name === "length" ? [] : [value]));
}

async function inspectOne(session: Session, value: Runtime.RemoteObject): Promise<Target> {
  let target: Runtime.RemoteObject | undefined = value;
  let boundArguments = 0;
  while (target?.objectId !== undefined) {
    const inner = await internals(session, target.objectId);
    const place: Debugger.Location | undefined = inner.get("[[FunctionLocation]]")?.value;
    const next = inner.get("[[TargetFunction]]") ?? inner.get("[[Target]]");
    if (place !== undefined || next === undefined) {
      return { text: target.description ?? "", boundArguments, place };
    }
    boundArguments += Number(/\((\d+)\)/.exec(inner.get("[[BoundArgs]]")?.description ?? "")?.[1] ?? 0);
    target = next;
  }
  return { text: "", boundArguments, place: undefined };
}

async function internals(
  session: Session,
  objectId: string,
): Promise<ReadonlyMap<string, Runtime.RemoteObject>> {
  const { internalProperties = [] } = await answer<Runtime.GetPropertiesReturnType>((reply) =>
    session.post("Runtime.getProperties", { objectId, ownProperties: true }, reply),
  );
  return new Map(internalProperties.flatMap(({ name, value }) => (value ? [[name, value]] : [])));
}

/** A script that V8 has parsed. */
export interface Script {
  readonly url: string;
  readonly sourceMapUrl?: string | undefined;
  readonly text?: string | undefined;
  /** Where the text starts, as V8 counts: before column 0 for what is wrapped into a function. */
  readonly start?: { readonly line: number; readonly column: number };
}

type Scripts = ReadonlyMap<string, Script>;

function locate(
  { scriptId, lineNumber, columnNumber = 0 }: Debugger.Location,
  scripts: Scripts,
): RuntimeLocation {
  const script = scripts.get(scriptId);
  return {
    ...positionInText({ line: lineNumber, column: columnNumber }, script ?? {}),
    url: script?.url,
    sourceMapUrl: script?.sourceMapUrl,
    scriptText: script?.text,
  };
}

/** Scripts whose URLs are known: a program that makes new functions of old code need not ask again. */
const profiled = new Map<string, Script>();

/** Script ids and URLs, without the debugger domain, whose start is slow. */
async function profiledScripts(session: Session, ids: ReadonlySet<string>): Promise<Scripts> {
  if ([...ids].every((id) => profiled.has(id))) return profiled;
  await answer<void>((reply) => session.post("Profiler.enable", reply));
  const { result } = await answer<Profiler.GetBestEffortCoverageReturnType>((reply) =>
    session.post("Profiler.getBestEffortCoverage", reply),
  );
  await answer<void>((reply) => session.post("Profiler.disable", reply));
  for (const { scriptId, url } of result) profiled.set(scriptId, { url });
  return profiled;
}

type ParsedScript = Debugger.ScriptParsedEventDataType;

/** Whatever the debugger knows of scripts. Left enabled, the domain would slow down every `await`. */
async function debuggedScripts(
  session: Session,
  isWanted: (script: ParsedScript) => boolean,
): Promise<Scripts> {
  const scripts = new Map<string, Script>();
  session.on("Debugger.scriptParsed", ({ params }) => {
    const { scriptId, url, sourceMapURL: sourceMapUrl, startLine: line, startColumn: column } = params;
    if (isWanted(params)) scripts.set(scriptId, { url, sourceMapUrl, start: { line, column } });
  });
  await answer<Debugger.EnableReturnType>((reply) => session.post("Debugger.enable", reply));
  try {
    for (const [scriptId, script] of scripts) {
      const { scriptSource: text } = await answer<Debugger.GetScriptSourceReturnType>((reply) =>
        session.post("Debugger.getScriptSource", { scriptId }, reply),
      );
      scripts.set(scriptId, { ...script, text });
    }
  } finally {
    await answer<void>((reply) => session.post("Debugger.disable", reply));
  }
  return scripts;
}

/** The URLs and paths of the scripts that are loaded in this process, as far as V8 still has them. */
export async function loadedScripts(): Promise<ReadonlySet<string>> {
  const session = new Session();
  session.connect();
  try {
    const urls = new Set<string>();
    session.on("Debugger.scriptParsed", ({ params }) => urls.add(params.url));
    await answer<Debugger.EnableReturnType>((reply) => session.post("Debugger.enable", reply));
    await answer<void>((reply) => session.post("Debugger.disable", reply));
    return urls;
  } finally {
    session.disconnect();
  }
}

type Reply<T> = (error: Error | null, result: T) => void;

/** What the inspector answers: in Node before `post` returns, in Deno later. */
function answer<T>(send: (reply: Reply<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    send((error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });
}
