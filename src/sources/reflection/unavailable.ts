import type { FunctionSchema } from "../../schema/function-schema.ts";
import type { SchemaNotFoundError } from "../../errors.ts";
import { unseenRemedy, wasBuilt } from "../../base/util/built-program.ts";
import { nextRemedy, runsInNext } from "../../base/util/next-runtime.ts";
import { notFound, typeNotFound, writeSchema } from "./failures.ts";

/** Where a program runs that cannot look for schemas, and what to do there. */
interface BuiltPlace {
  readonly reason: string;
  readonly remedy: string;
}

const plugin = 'Build it with Skein\'s plugin: import { skein } from "skein/plugin", and plugins: ';

/** What is left where the build is set up. */
const whereSeen = "If that is done, list the function where the build sees it (tools: [fn], tool(fn))";

/** Tells runtimes apart by what they say of themselves: no builtin can be imported here. */
function currentPlace(): BuiltPlace {
  const versions = read("process", "versions");
  if (read(versions, "bun") !== undefined) return bunPlace();
  if (read("navigator", "userAgent") === "Cloudflare-Workers") {
    return {
      reason: "a Worker (workerd) has no sources",
      remedy: `${plugin}[skein.vite()] or [skein.esbuild()]`,
    };
  }
  const isNext = runsInNext();
  if ("EdgeRuntime" in globalThis) {
    return {
      reason: "an edge runtime has no sources",
      remedy: isNext ? nextRemedy : `${plugin}[skein.esbuild()]`,
    };
  }
  if ("document" in globalThis || "importScripts" in globalThis) {
    return { reason: "a browser has no sources", remedy: `${plugin}[skein.vite()]` };
  }
  if (read(versions, "node") === undefined) {
    return {
      reason: "this runtime does not report where a function's source is",
      remedy: `${plugin}[skein.esbuild()]`,
    };
  }
  return {
    reason: "this program was built, and the build attached no schema to the function",
    remedy: isNext ? nextRemedy : `${plugin}[skein.vite()] (or rolldown, rollup, webpack, esbuild)`,
  };
}

function bunPlace(): BuiltPlace {
  // Where Bun keeps the files of a program that it has compiled.
  if (/^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(String(read("Bun", "main")))) {
    return {
      reason: "an executable that Bun compiled has no sources",
      remedy:
        "Build it with Bun.build({ entrypoints, compile: { outfile }, plugins: [skein.bun()] }) and skein of skein/plugin, or run " +
        '"skein attach dist" and then "bun build --compile dist/main.js"',
    };
  }
  return {
    reason: "Bun does not report where a function's source is",
    remedy:
      'Start it with "bun --preload skein/register app.ts", or build it with plugins: [skein.bun()] of skein/plugin',
  };
}

/** A property of an object, or of a global one by its name; `undefined` where there is none. */
function read(object: unknown, name: string): unknown {
  const value: unknown = typeof object === "string" ? Reflect.get(globalThis, object) : object;
  return (typeof value === "object" || typeof value === "function") && value !== null
    ? Reflect.get(value, name)
    : undefined;
}

/** Stands in for reflection where it cannot work: every answer is an error that names the place and what to do there. */
export function describeFunctions(
  functions: readonly Function[],
  _origins?: readonly unknown[],
): Promise<readonly (FunctionSchema | SchemaNotFoundError)[]> {
  const { reason, remedy } = currentPlace();
  const likely = wasBuilt() ? unseenRemedy : `${remedy}. ${whereSeen}`;
  const whole = `${likely}, or ${writeSchema}`;
  return Promise.resolve(functions.map((fn) => notFound(fn, reason, { remedy: whole })));
}

/** Likewise for the types of `output`. */
export function describeOutput(_calledAt: Error): Promise<FunctionSchema | SchemaNotFoundError> {
  const { reason, remedy } = currentPlace();
  const whole = `${remedy}. Or give a JSON Schema, or a zod, valibot or arktype schema instead`;
  return Promise.resolve(typeNotFound(reason, { remedy: whole }));
}

/** Likewise for programs of models, which run unchecked here. */
export function openProgramChecker(): Promise<undefined> {
  return Promise.resolve(undefined);
}
