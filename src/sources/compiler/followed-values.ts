import type { FunctionNode } from "./function-nodes.ts";
import type { CallExpression, Expression, Node, Type } from "./host.ts";

/** A function that is written out, or declared. */
export interface FunctionValue {
  readonly kind: "function";
  readonly node: FunctionNode;
  readonly name: string;
  /** How many of its parameters `bind` has filled. */
  readonly bound: number;
  /** What `bind` has filled them with. */
  readonly boundTo?: readonly Expression[];
  /** The type by which it is reached, where that may say more than its declaration. */
  readonly type?: Type | undefined;
  /** The object whose method it is, where it is reached by way of one. */
  readonly member?: ObjectMember | undefined;
  /** What has the type, where that is all that is known: a variable, a property, a function that returns it. */
  readonly typed?: Node;
  /** The call whose code has it. */
  readonly creation?: CallExpression | undefined;
}

/** `object.name`. */
export interface ObjectMember {
  readonly object: Expression;
  readonly name: string;
  /** The type of the object there, where a cast says another one. */
  readonly type?: Type | undefined;
}

/** What a call returns that takes functions, such as `memoize(fn)`: its type shows what it takes. */
export interface WrappedValue {
  readonly kind: "wrapped";
  readonly call: CallExpression;
  readonly type: Type;
  /** The functions among the arguments. */
  readonly functions: readonly Expression[];
  /** How many of its parameters `bind` has filled: `type` is what it was before. */
  readonly bound: number;
}

/** A value that some other code may have replaced: an element of a list that has a name, an entry of a record, a method. */
interface Replaceable {
  readonly replaceable?: boolean;
}

/** What is known of a value from the text alone, without running it. */
export type Value =
  | (FunctionValue & Replaceable)
  | (WrappedValue & Replaceable)
  | { readonly kind: "list"; readonly items: readonly Value[] }
  | { readonly kind: "record"; readonly entries: ReadonlyMap<string, Value> }
  /** Not followed yet. */
  | ({
      readonly kind: "expression";
      readonly expression: Expression;
      readonly type?: Type;
      readonly member?: ObjectMember | undefined;
      readonly creation?: CallExpression | undefined;
    } & Replaceable)
  /** Cannot be determined, and why. */
  | { readonly kind: "unseen"; readonly reason: string };

/** A function as the member of an object by which it is reached. */
export function asMember(value: Value, member: ObjectMember | undefined): Value {
  const isFollowed = value.kind === "function" || value.kind === "expression";
  return isFollowed && member !== undefined && value.member === undefined ? { ...value, member } : value;
}

/** A value, or all that a list or record holds, as what may have been replaced. */
export function asReplaceable(value: Value): Value {
  if (value.kind === "unseen") return value;
  if (value.kind === "list") return { ...value, items: value.items.map(asReplaceable) };
  if (value.kind !== "record") return { ...value, replaceable: true };
  const entries = [...value.entries].map(([name, entry]) => [name, asReplaceable(entry)] as const);
  return { ...value, entries: new Map(entries) };
}
