import { Session, type Debugger, type Profiler, type Runtime } from "node:inspector";

/** Where a function's code starts in the script that runs, and what script that is. Both counted from 0. */
export interface RuntimeLocation {
  readonly line: number;
  readonly column: number;
  /** The script's URL or path; `undefined` where V8 does not tell. */
  readonly url: string | undefined;
  /** The script's `sourceMappingURL`; known only if the debugger domain was asked. */
  readonly sourceMapUrl: string | undefined;
}

/** A function as V8 knows it, behind any `bind`. */
export interface RuntimeFunction {
  /** The source text of the function itself; that of a bound function is its target's. */
  readonly text: string;
  /** How many leading parameters `bind` has filled already. */
  readonly boundArguments: number;
  /** `undefined` for a function that is not JavaScript. */
  readonly location: RuntimeLocation | undefined;
}

interface Script {
  readonly url: string;
  readonly sourceMapUrl?: string | undefined;
}

/** How thoroughly to look for scripts: `"debugger"` also tells their source maps, and takes two to three times as long. */
export type Thoroughness = "profiler" | "debugger";

let calls = 0;

/**
 * Asks V8's inspector where functions stand, all of them in one session, which is closed before this returns.
 * Throws where the inspector is not permitted.
 */
export function inspectFunctions(
  functions: readonly Function[],
  thoroughness: Thoroughness,
): readonly RuntimeFunction[] {
  const session = new Session();
  session.connect();
  // The inspector sees the main context only: `process` is the one object that all contexts of a thread share.
  const key = `__skein_functions_${(calls += 1)}`;
  try {
    Reflect.set(process, key, functions);
    const scripts = thoroughness === "profiler" ? profiledScripts(session) : debuggedScripts(session);
    return functions.map((_function, index) => inspectOne(session, `process.${key}[${index}]`, scripts));
  } finally {
    Reflect.deleteProperty(process, key);
    session.disconnect();
  }
}

function inspectOne(
  session: Session,
  expression: string,
  scripts: ReadonlyMap<string, Script>,
): RuntimeFunction {
  const evaluated = answer<Runtime.EvaluateReturnType>((reply) =>
    session.post("Runtime.evaluate", { expression }, reply),
  );
  let target: Runtime.RemoteObject | undefined = evaluated.result;
  let boundArguments = 0;
  for (;;) {
    if (target?.objectId === undefined) break;
    const inner = internals(session, target.objectId);
    const location: Debugger.Location | undefined = inner.get("[[FunctionLocation]]")?.value;
    const text = target.description ?? "";
    const next = inner.get("[[TargetFunction]]");
    if (location !== undefined || next === undefined) {
      return { text, boundArguments, location: location && locate(location, scripts) };
    }
    boundArguments += Number(/\((\d+)\)/.exec(inner.get("[[BoundArgs]]")?.description ?? "")?.[1] ?? 0);
    target = next;
  }
  return { text: "", boundArguments, location: undefined };
}

function locate(location: Debugger.Location, scripts: ReadonlyMap<string, Script>): RuntimeLocation {
  const script = scripts.get(location.scriptId);
  return {
    line: location.lineNumber,
    column: location.columnNumber ?? 0,
    url: script?.url,
    sourceMapUrl: script?.sourceMapUrl,
  };
}

function internals(session: Session, objectId: string): ReadonlyMap<string, Runtime.RemoteObject> {
  const { internalProperties = [] } = answer<Runtime.GetPropertiesReturnType>((reply) =>
    session.post("Runtime.getProperties", { objectId, ownProperties: true }, reply),
  );
  return new Map(internalProperties.flatMap(({ name, value }) => (value ? [[name, value]] : [])));
}

/** Script ids and URLs, without the debugger domain, whose start is slow. */
function profiledScripts(session: Session): ReadonlyMap<string, Script> {
  session.post("Profiler.enable");
  const coverage = answer<Profiler.GetBestEffortCoverageReturnType>((reply) =>
    session.post("Profiler.getBestEffortCoverage", reply),
  );
  session.post("Profiler.disable");
  return new Map(coverage.result.map(({ scriptId, url }) => [scriptId, { url }]));
}

/** Script ids, URLs and source maps. Left enabled, the debugger domain would slow down every `await`. */
function debuggedScripts(session: Session): ReadonlyMap<string, Script> {
  const scripts = new Map<string, Script>();
  session.on("Debugger.scriptParsed", ({ params }) => {
    scripts.set(params.scriptId, { url: params.url, sourceMapUrl: params.sourceMapURL });
  });
  answer<Debugger.EnableReturnType>((reply) => session.post("Debugger.enable", reply));
  session.post("Debugger.disable");
  return scripts;
}

type Reply<T> = (error: Error | null, result: T) => void;

/** What the inspector answers. In Node, a session of the same thread answers before `post` returns. */
function answer<T>(send: (reply: Reply<T>) => void): T {
  const answers: { readonly error: Error | null; readonly result: T }[] = [];
  send((error, result) => answers.push({ error, result }));
  const [first] = answers;
  if (first === undefined) throw new Error("V8's inspector did not answer");
  if (first.error) throw first.error;
  return first.result;
}
