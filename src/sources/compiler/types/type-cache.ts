import type { JsonSchema } from "../../../schema/types.ts";
import type { Host, Type } from "../host.ts";
import type { AttemptFinding } from "./attempts.ts";
import { has, type TypePlace } from "./conversion.ts";
import { writtenSymbol } from "./type-names.ts";

/** What came of types that are the same wherever they stand: those with a name and without type arguments. */
export interface TypeCache {
  /** The key of such a type as it is written; `undefined` for all others. */
  keyOf(type: Type, place: TypePlace): string | undefined;
  schemaOf(key: string): JsonSchema | undefined;
  keepSchema(key: string, schema: JsonSchema): void;
  /** Why JSON cannot carry a type, at a place. */
  problemOf(key: string, place: TypePlace): AttemptFinding | undefined;
  keepProblem(key: string, place: TypePlace, problem: AttemptFinding): void;
  /** How many schemas there are, to go back to. */
  count(): number;
  /** Forgets the schemas after the first `count`: notes and definitions that belong to them are gone. */
  forgetAfter(count: number): void;
}

/** Starts without any type. */
export function createTypeCache(host: Host): TypeCache {
  const schemas = new Map<string, JsonSchema>();
  const problems = new Map<string, { readonly suffix: string; readonly problem: AttemptFinding }>();
  return {
    keyOf(type, { typeNode }) {
      if (!has(type, host.flags.Object) || host.arrayElement(type) !== undefined) return undefined;
      if (host.typeArguments(type).length > 0 || type.getAliasTypeArguments().length > 0) return undefined;
      const symbol = type.getAliasSymbol() ?? type.getSymbol();
      const isPlain = symbol !== undefined && !host.isAnonymous(symbol) && !host.isFromLibrary(symbol);
      // An alias may have a comment of its own.
      return isPlain ? `${type.id} ${writtenSymbol(host, typeNode)?.id ?? ""}` : undefined;
    },
    schemaOf: (key) => schemas.get(key),
    keepSchema: (key, schema) => schemas.set(key, schema),
    problemOf(key, { path, node }) {
      const problem = problems.get(key);
      return problem && { ...problem.problem, path: path + problem.suffix, node };
    },
    keepProblem(key, { path }, problem) {
      const suffix = problem.path.startsWith(path) ? problem.path.slice(path.length) : "";
      problems.set(key, { suffix, problem });
    },
    count: () => schemas.size,
    forgetAfter(count) {
      for (const key of [...schemas.keys()].slice(count)) schemas.delete(key);
    },
  };
}
