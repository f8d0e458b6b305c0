import type { JsonSchema } from "../../../schema/types.ts";
import type { Report } from "../diagnostics.ts";
import type { Host, Node, Type, TypeNode } from "../host.ts";
import type { Attempts, AttemptFinding } from "./attempts.ts";
import type { unmarked } from "./revival.ts";
import type { Structure } from "./structure.ts";

/** Where a type stands: for messages, and for the order in which its author wrote a union. */
export interface TypePlace {
  /** The parameter, or the path to a property of it. */
  readonly path: string;
  /** The declaration that messages point to. */
  readonly node: Node;
  /** The type as written, where it is written. */
  readonly typeNode: TypeNode | undefined;
  /** The written union of which the type is a member. */
  readonly union?: TypeNode | undefined;
}

/** The types met where unions may come from, in the order of the text. */
export interface WrittenOrder {
  /** Adds all types that stand within a written type. */
  note(host: Host, typeNode: TypeNode | undefined): void;
  /** The place of a type by its key; after all others for one that was never met. */
  rank(key: string): number;
}

/** The conversion of one function's types. */
export interface Conversion {
  readonly host: Host;
  readonly report: Report;
  /**
   * `input` for what a model writes: objects are closed, and what cannot be made from JSON is a problem. `output` for what
   * a function returns and is then written as JSON: objects may have more properties than their types say.
   */
  readonly direction: "input" | "output";
  /** The order in which types were written so far. */
  readonly order: WrittenOrder;
  /** Which parts of the schemas are equal. */
  readonly structure: Structure;
  /** Recursive types by name: the schema's `$defs`. */
  readonly definitions: ReadonlyMap<string, JsonSchema>;
  /** Reports a problem of the whole: even where it is met in what may be left out, there is no schema. */
  refuse(place: TypePlace, message: string): void;
  /** Notes that something is left out, since JSON cannot carry it; `what` stands before "left out". */
  noteLeftOut(path: string, what: string, problem: AttemptFinding): void;
  /** Converts what may be left out: the first problem instead of the schema where there is any. */
  readonly attempt: Attempts["run"];
  /** The whole as it is published: with `$defs`, without marks, and where these stood. */
  finish(schema: JsonSchema): ReturnType<typeof unmarked>;
  /** The schema of `type`. What cannot be expressed goes to `report`, and the schema is then of no use. */
  convert(type: Type, place: TypePlace): JsonSchema;
}

/** Whether `type` has any of `flags`. */
export function has(type: Type, flags: number): boolean {
  return (type.flags & flags) !== 0;
}

/** Whether a value of `type` may be left out: `undefined`, `void`, or a union with one of them. */
export function allowsUndefined(host: Host, type: Type): boolean {
  const absent = host.flags.Undefined | host.flags.Void;
  return has(type, absent) || host.unionMembers(type).some((member) => has(member, absent));
}
