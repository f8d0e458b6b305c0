import type { JsonSchema } from "../../../schema/types.ts";
import type { AttemptFinding } from "./attempts.ts";
import { has, type Conversion, type TypePlace } from "./conversion.ts";
import { holdsContext, holdsUnresolved } from "./context-within.ts";
import { contextProblem } from "../tool-context.ts";
import type { Node, Type } from "../host.ts";

/** More of them than this are counted, not listed. */
const mostListed = 3;

/** Notes what was left out of a type, so that a function with many such members has few lines of it. */
export interface LeftOutMember {
  note(path: string, what: string, problem: AttemptFinding): void;
  /** How many notes there are, to go back to. */
  count(): number;
  /** Forgets the notes after the first `count`: what they were about is itself left out. */
  forgetAfter(count: number): void;
  /** Passes the notes to `warn` and forgets them. */
  flush(warn: (finding: AttemptFinding) => void): void;
}

/** Starts with nothing left out. */
export function createLeftOut(): LeftOutMember {
  let notes = new Map<string, AttemptFinding>();
  return {
    note(path, what, problem) {
      const key = `${path} ${what}`;
      const message = `${what}left out, since ${problem.message}${detailOf(path, problem.path)}`;
      if (!notes.has(key)) notes.set(key, { path, node: problem.node, message });
    },
    count: () => notes.size,
    forgetAfter(count) {
      notes = new Map([...notes].slice(0, count));
    },
    flush(warn) {
      const all = [...notes.values()];
      notes = new Map();
      const listed = all.length === mostListed + 1 ? all : all.slice(0, mostListed);
      for (const finding of listed) warn(finding);
      const [next] = all.slice(listed.length);
      const message = `${all.length - listed.length} more members or alternatives that JSON cannot carry are left out`;
      if (next) warn({ path: next.path.split(/[.[]/, 1)[0] ?? "", node: next.node, message });
    },
  };
}

function detailOf(path: string, inner: string): string {
  return inner === path || inner === "" ? "" : ` ("${inner}")`;
}

/**
 * The schema of something that need not be there: a member, an argument. `undefined`, with a note, where JSON cannot carry
 * it, or no more of it than `null`.
 * @param declaration - Where it is declared.
 */
export function optionalSchema(
  conversion: Conversion,
  type: Type,
  place: TypePlace,
  convert: () => JsonSchema,
  declaration: Node | undefined = place.typeNode,
): JsonSchema | undefined {
  const attempt = conversion.attempt(convert);
  if (attempt.problem === undefined && !isReducedToNull(conversion, type, attempt.result))
    return attempt.result;
  if (attempt.problem === undefined) return undefined;
  if (holdsContext(conversion.host, type)) conversion.refuse(place, contextProblem);
  else if (!isOfPackage(declaration) && holdsUnresolved(conversion.host, type))
    conversion.refuse(place, attempt.problem.message);
  else conversion.noteLeftOut(place.path, "", attempt.problem);
  return undefined;
}

/** Whether a package declares it: what it lacks itself, such as the types of a peer dependency, is not a context. */
function isOfPackage(declaration: Node | undefined): boolean {
  return declaration?.getSourceFile().fileName.includes("/node_modules/") === true;
}

function isReducedToNull({ host }: Conversion, type: Type, schema: JsonSchema): boolean {
  if (schema["type"] !== "null") return false;
  const { Null, Undefined, Void } = host.flags;
  return host.unionMembers(type).some((member) => !has(member, Null | Undefined | Void));
}
