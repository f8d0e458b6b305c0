import { dirname } from "node:path";
import { displayPath, restRemedy } from "../compiler/diagnostics.ts";
import { SchemaNotFoundError } from "../../errors.ts";
import { unseenRemedy, wasBuilt } from "../../base/util/built-program.ts";
import { commonJsPlace, isCommonJsFailure } from "../../base/util/common-js-runtime.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { asFailure, helpfulCause, notFound, permissionReason, writeSchema } from "./failures.ts";
import { isBundled, pluginFor, readScriptKind } from "./script-signs.ts";

/** A running function, and the script in which it stands. */
export interface ScriptPlace {
  readonly fn: Function;
  /** Its text as `toString()` gives it. */
  readonly text: string;
  /** The path of the file that runs. */
  readonly script: string;
}

/** A problem of a description: see `SchemaNotFoundError.data`. */
interface DescribedProblem {
  readonly parameter: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly kind?: unknown;
  /** What to do about it. */
  readonly remedy?: unknown;
}

/** One sentence, without its end, that says what to do about the functions of a script that have no types. */
export function remedyFor({ text, script }: ScriptPlace): string {
  const name = displayPath(script);
  const kind = readScriptKind(script, text);
  if (kind.kind === "typescript") return "Write the type of each parameter, such as (city: string)";
  if (kind.kind === "package") return packageRemedy(kind);
  if (kind.kind === "attached") {
    return (
      `${name} was built with schemas, and this function has none: mend what the build warned of, list the function where ` +
      `the build sees it (tools: [fn], tool(fn)), or ${writeSchema}`
    );
  }
  if (kind.kind === "bundle" && wasBuilt()) return `${unseenRemedy}, or ${writeSchema}`;
  if (kind.kind === "bundle") {
    return `${name} is a bundle: build it with Skein's plugin: ${kind.plugin}`;
  }
  if (kind.kind === "minified") {
    return `${name} is minified: build it with Skein's plugin: ${pluginFor("")}; or run "skein attach DIR" before it is minified`;
  }
  if (kind.kind === "compiled") {
    return `${name} is the output of a compiler, without types: run "skein attach ${displayPath(kind.folder)}" after the compiler`;
  }
  return (
    `${name} is JavaScript: write the types in a comment above the function, such as @param {string} city; or, if a ` +
    `compiler has written it, run "skein attach ${displayPath(dirname(script)) || "."}" after the compiler`
  );
}

function packageRemedy({ name, hasTypes }: { readonly name: string; readonly hasTypes: boolean }): string {
  if (hasTypes) {
    return `The types of the package "${name}" do not show which function it is: pass a function of your own that calls it, such as (text: string) => fn(text), or ${writeSchema}`;
  }
  const typings = `@types/${name.replace(/^@([^/]+)\//, "$1__")}`;
  return `The package "${name}" comes without types: npm i -D ${typings}, or ${writeSchema}`;
}

/** The same error, with the remedy that fits the place in which the function runs, if what it lacks is types. */
export function withRemedy(error: SchemaNotFoundError, place: ScriptPlace): SchemaNotFoundError {
  const problems = problemsOf(error);
  // In TypeScript there is one remedy, which the compiler has named.
  if (!problems.some(({ kind, file }) => kind === "untyped" && !/\.[cm]?tsx?$/.test(file))) return error;
  const name = place.fn.name === "" ? "an anonymous function" : `"${place.fn.name}"`;
  const list = problems.map(({ parameter, message, file, line }) => {
    const subject = parameter === "" ? "" : `parameter "${parameter}": `;
    return `  - ${subject}${message} (${displayPath(file)}:${line})`;
  });
  const remedy = `${untypedRemedy(problems, place)}.`;
  const { memberAt, ...data } = error.data;
  return new SchemaNotFoundError(`The types of ${name} are not known:\n${list.join("\n")}\n${remedy}`, {
    data: {
      ...data,
      // A compiler's output needs its types, not a comment that says what is public.
      ...(isHandWritten(place) && memberAt !== undefined && { memberAt }),
      problems: problems.map(({ parameter, message, file, line, kind, remedy: own }) => ({
        parameter,
        message,
        file,
        line,
        kind: String(kind),
        remedy: kind === "untyped" ? remedy : String(own),
      })),
    },
    cause: error.cause,
  });
}

/** What the code reads of `arguments` has no name that a comment could speak of. */
function untypedRemedy(problems: readonly DescribedProblem[], place: ScriptPlace): string {
  const others = problems.filter(({ parameter }) => parameter !== "arguments");
  if (others.length === problems.length || !isHandWritten(place)) return remedyFor(place);
  if (others.length === 0) return `In ${displayPath(place.script)}, ${restRemedy}`;
  return `${remedyFor(place)}; and ${restRemedy}`;
}

function isHandWritten({ script, text }: ScriptPlace): boolean {
  return readScriptKind(script, text).kind === "javascript";
}

/** The problems that an error of a signature names. */
export function problemsOf({ data }: SchemaNotFoundError): readonly DescribedProblem[] {
  const problems: readonly unknown[] = Array.isArray(data["problems"]) ? data["problems"] : [];
  return problems.filter(isProblem);
}

function isProblem(value: unknown): value is DescribedProblem {
  if (typeof value !== "object" || value === null) return false;
  return "parameter" in value && "message" in value && "file" in value && "line" in value;
}

/** The error for a function about which TypeScript did not answer: its process was ended, or it cannot run here. */
export function failed(fn: Function, error: unknown, place?: ScriptPlace): SchemaNotFoundError {
  return asFailure(describeFailure(fn, error, place));
}

function describeFailure(fn: Function, error: unknown, place: ScriptPlace | undefined): SchemaNotFoundError {
  if (place !== undefined && isTypeScriptMissing(error)) {
    return notFound(fn, "TypeScript is not installed here", { remedy: deployedRemedy(place) });
  }
  const reason = permissionReason(error);
  if (reason !== undefined) return notFound(fn, reason, { remedy: `Or ${writeSchema}` });
  const runtime = failedRuntime(error);
  if (runtime !== undefined) return notFound(fn, runtime.reason, { remedy: runtime.remedy });
  return notFound(fn, `TypeScript failed (${errorMessage(error)})`, {
    cause: helpfulCause(error),
    remedy: "It is started again at the next try",
  });
}

/** Where a program is deployed without the packages that only development needs, or with a part of them. */
function isTypeScriptMissing(error: unknown): boolean {
  if (errorMessage(error).startsWith("Unable to resolve @typescript/")) return true;
  if (typeof error !== "object" || error === null || !("code" in error)) return false;
  return error.code === "ERR_MODULE_NOT_FOUND" && /'typescript'/.test(errorMessage(error));
}

function deployedRemedy(place: ScriptPlace): string {
  const isSource = /\.[cm]?tsx?$/.test(place.script);
  return isSource ? "Install it, or build the program with Skein's plugin" : remedyFor(place);
}

/** Why TypeScript cannot run in this program at all, where that is so. */
export function failedRuntime(
  error: unknown,
): { readonly reason: string; readonly remedy: string } | undefined {
  if (isStandaloneDeno()) {
    return {
      reason: 'a program of "deno compile" has no sources',
      remedy: 'Run "skein attach DIR" on the compiled JavaScript, and compile that',
    };
  }
  if (process.env["JEST_WORKER_ID"] !== undefined && isCommonJsFailure(error)) return commonJsPlace;
  if (!isBundled()) return undefined;
  return {
    reason: "the program is a bundle with Skein in it, in which TypeScript cannot run",
    remedy: wasBuilt()
      ? `${unseenRemedy}, or ${writeSchema}`
      : `Build it with Skein's plugin: ${pluginFor()}`,
  };
}

function isStandaloneDeno(): boolean {
  const deno: unknown = Reflect.get(globalThis, "Deno");
  if (typeof deno !== "object" || deno === null) return false;
  const build: unknown = Reflect.get(deno, "build");
  return typeof build === "object" && build !== null && Reflect.get(build, "standalone") === true;
}
