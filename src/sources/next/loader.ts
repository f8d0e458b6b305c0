import { openSession } from "../plugin/open-session.ts";
import type { BuildSession } from "../plugin/session.ts";
import type { EditMap, Transformed } from "../plugin/transformer.ts";

/** The part of a loader's context that both bundlers of Next.js have: https://webpack.js.org/api/loaders. */
export interface LoaderContext {
  readonly resourcePath: string;
  readonly mode?: string;
  async(): (error: unknown, code?: string, map?: EditMap) => void;
  addDependency(file: string): void;
  emitWarning(warning: Error): void;
  getOptions(): unknown;
}

let session: BuildSession | undefined;

/** Attaches schemas in a file, as the first of its loaders. */
async function attach(context: LoaderContext, code: string): Promise<Transformed | undefined> {
  if (/[\\/]node_modules[\\/]/.test(context.resourcePath)) return undefined;
  if (session === undefined) session = openSession();
  // A loader gets no notice of changes: it looks before each file, but for a build, which reads each file once.
  else if (context.mode !== "production") session.begin();
  const result = await session.transform(context.resourcePath, code);
  if (result === undefined) return undefined;
  for (const file of [...result.files, ...result.configFiles]) context.addDependency(file);
  const [first] = result.problems;
  if (first !== undefined && isStrict(context.getOptions())) throw new Error(first);
  for (const problem of result.problems) context.emitWarning(warningOf(problem));
  return result;
}

/** A warning of the program, not of the loader: no stack leads to it. */
function warningOf(problem: string): Error {
  const warning = new Error(problem);
  delete warning.stack;
  return warning;
}

function isStrict(options: unknown): boolean {
  return typeof options === "object" && options !== null && "strict" in options && options.strict === true;
}

async function skeinLoader(this: LoaderContext, code: string, map?: EditMap): Promise<void> {
  const done = this.async();
  try {
    const result = await attach(this, code);
    if (result?.code === undefined) done(null, code, map);
    else done(null, result.code, result.map);
  } catch (error) {
    done(error);
  }
}

export default skeinLoader;
