import { declaredMembers, hiddenMembers } from "./declared-classes.ts";
import type { SchemaNotFoundError } from "../../errors.ts";
import type { FunctionSchema } from "../../schema/function-schema.ts";
import { isForEverybody, type FunctionDescription } from "./functions.ts";
import type { Expression, Host, Node, Type } from "./host.ts";
import { leftOutMethods } from "./left-out-methods.ts";
import { elementsOf, expectedTool, type Expectation, type Expectations } from "./use-sites-expectations.ts";
import { isDeclaredFunction, withTypes } from "./use-sites-expressions.ts";
import { describeValue } from "./use-sites-functions.ts";
import { hiddenMethods } from "./use-sites-instances.ts";
import { refuseListed, refuseUnseenCode, refuseUnseenFunction } from "./running-code.ts";
import { refuseOverridden } from "./overrides.ts";
import {
  asMember,
  followValue,
  methodsOf,
  reachedBy,
  type FunctionValue,
  type Value,
  type WrappedValue,
} from "./use-sites-values.ts";
import { writtenPlace, type WrittenPlace } from "./written-places.ts";

/** The functions in a value, described: one, a list of them by place, with `null` for other values, or those of an object. */
export type ToolTree =
  | {
      readonly kind: "function";
      readonly description: FunctionDescription;
      /** Where the function stands that the text says, if another may have taken its place by the time it is called. */
      readonly sourcePlace?: WrittenPlace | undefined;
      /** Whose type alone shows what it takes: the function that runs may take its context there, or name its parameters otherwise. */
      readonly typeOnly?: "function" | "wrapper" | undefined;
      /** The error for a method that is known by its type, if what runs passes all that it gets to another function. */
      readonly unseen?: SchemaNotFoundError | undefined;
    }
  | { readonly kind: "list"; readonly items: readonly (ToolTree | null)[] }
  | { readonly kind: "record"; readonly entries: ReadonlyMap<string, ToolTree> };

type RecordTree = ToolTree & { readonly kind: "record" };

/** Describes values by what is expected of them. */
export interface Attachments {
  /** `null` where there is nothing to describe: no function, or one that is seen elsewhere. */
  of(expression: Expression, expectation: Expectation): ToolTree | null;
  /** Those entries of a record that an expectation speaks of. */
  ofRecord(entries: ReadonlyMap<string, Value>, expectation: Expectation): ToolTree | null;
}

/** What is reported while values are described. */
export interface AttachmentListener {
  /** What a value is cannot be determined from the text, and why. */
  unseen(reason: string): void;
  /** A function was described, from what stands there. */
  described(node: Node): void;
  /** A function whose code is there has a schema. */
  used?(node: Node, schema: FunctionSchema): void;
  /** Whether values that have the type of a tool are followed as well: they are seen where they are given it. */
  readonly followsTools?: boolean;
  /**
   * Which methods that may be others when the program runs are refused: a build cannot look at the ones that run, and nobody at the
   * ones that run within wrappers.
   */
  readonly checksOverrides: "all" | "wrapped";
}

/** Makes a describer of values. */
export function createAttachments(
  host: Host,
  expectations: Expectations,
  listener: AttachmentListener,
): Attachments {
  function of(expression: Expression, expectation: Expectation, isReplaceable?: boolean): ToolTree | null {
    const follow = (): Value => followValue(host, expression, isReplaceable);
    const whole = withTypes(host, expression);
    const isPlain = whole === expression && isDeclaredFunction(host, expression);
    if (expectation.tool && isPlain) return ofValue(follow(), expectation);
    const [own, cast] = host.typesAt([expression, whole]);
    const type = cast && expectations.of(cast) === undefined ? cast : own;
    if (type === undefined) return null;
    if (expectations.of(type) !== undefined) {
      // A value that is given the type of a tool is seen there.
      return listener.followsTools ? ofValue(follow(), expectation) : null;
    }
    if (expectation.toolkit) return ofToolkit(expression, type, expectation);
    if (!mayHold(host, type, expectation)) return null;
    if (type.flags & host.flags.Any) return unseen("its type is any");
    const value = follow();
    if (value.kind !== "function" && value.kind !== "wrapped") return ofValue(value, expectation);
    return expectation.tool ? ofFunction(value, expression, type) : null;
  }

  /** The methods; and the name of the class, which goes in front of theirs where names clash, and which minifiers change. */
  function ofToolkit(expression: Expression, type: Type, expectation: Expectation): ToolTree | null {
    const symbol = type.getSymbol();
    const isNamed = symbol !== undefined && host.isClass(symbol) && !symbol.name.startsWith("__");
    const members = isNamed ? declaredMembers(host, symbol, type) : undefined;
    const hidden = hiddenMembers(host, type);
    const leftOut = leftOutMethods(host, expression);
    const visible = new Map(
      [...methodsOf(host, type)].flatMap(([name, value]) => {
        if (hidden.has(name) || leftOut.has(name)) return [];
        return [[name, asMember(value, { object: expression, name, type })] as const];
      }),
    );
    const methods = withHidden(ofRecord(visible, expectation), expression, type);
    const entries = new Map(methods && withVisibility(host, type, methods.entries));
    const privateProperties: string[] = [];
    for (const [name, node] of hidden) {
      listener.described(node);
      if (members || name.startsWith("_")) continue;
      // A property may hold a function that is a tool elsewhere: it is not hidden itself.
      if (isNamed && !host.syntax.isMethodDeclaration(node)) privateProperties.push(name);
      else entries.set(name, nameOnly(name));
    }
    if (entries.size === 0 && !members && privateProperties.length === 0) return ofNoMethods(type);
    if (isNamed) {
      const lists = {
        ...(members && { members }),
        ...(privateProperties.length > 0 && { hiddenMembers: privateProperties }),
      };
      entries.set("constructor", nameOnly(symbol.name, lists));
    }
    return { kind: "record", entries };
  }

  /** What may be a function when the program runs would then have no schema. */
  function ofNoMethods(type: Type): null {
    const unknown = host.properties(type).find((property) => property.type.flags & host.flags.Any);
    return unknown
      ? unseen(`the type of its member "${unknown.name}" is any: write the function's type`)
      : null;
  }

  function withHidden(methods: RecordTree | null, expression: Expression, type: Type): RecordTree | null {
    if (methods === null) return null;
    const entries = new Map(methods.entries);
    for (const [name, description] of hiddenMethods(host, expression, type)) {
      const method = entries.get(name);
      if (method && !isHiddenMethod(method)) entries.set(name, { kind: "function", description });
    }
    return { kind: "record", entries };
  }

  function unseen(reason: string): null {
    listener.unseen(reason);
    return null;
  }

  function ofValue(value: Value, expectation: Expectation): ToolTree | null {
    if (value.kind === "expression") return of(value.expression, expectation, value.replaceable);
    if (value.kind === "unseen") return unseen(value.reason);
    if (value.kind === "function" || value.kind === "wrapped") {
      return expectation.tool ? ofFunction(value) : null;
    }
    if (value.kind === "record") return ofRecord(value.entries, expectation);
    if (!expectation.list) return null;
    const items = value.items.map((item) => ofValue(item, expectedTool));
    return items.every((item) => item === null) ? null : { kind: "list", items };
  }

  function ofFunction(
    value: Value & (FunctionValue | WrappedValue),
    expression?: Expression,
    type?: Type,
  ): ToolTree & { readonly kind: "function" } {
    const { description: own, node } = describeValue(host, value, expression, type);
    listener.described(node);
    const isChecked = listener.checksOverrides === "all" || value.kind === "wrapped";
    const listed =
      value.kind === "function" && !(own instanceof Error)
        ? refuseListed(host, value, type ?? value.type, own.name, replacedWithin)
        : undefined;
    const description = listed ?? ((isChecked && refuseReplaced(value, own)) || own);
    const isItself = value.kind === "function" && hasCode(value) && value.bound === 0;
    if (isItself && !(description instanceof Error) && !description.hidden) {
      listener.used?.(value.node, description);
    }
    const sourcePlace = value.replaceable ? writtenPlace(host, value) : undefined;
    const declared = value.kind === "wrapped" ? "wrapper" : "function";
    if (hasCode(value)) return { kind: "function", description, sourcePlace };
    const unseen = value.kind === "function" ? refuseReplaced(value, description) : undefined;
    return { kind: "function", description, sourcePlace, typeOnly: declared, unseen };
  }

  function replacedWithin(value: FunctionValue, expression: Expression): SchemaNotFoundError | undefined {
    return refuseReplaced(value, describeValue(host, value, expression).description, true);
  }

  /** The error for a method, or one that a wrapper calls, which may be another one when the program runs. */
  function refuseReplaced(
    value: FunctionValue | WrappedValue,
    description: FunctionDescription,
    isWrapped = false,
  ): SchemaNotFoundError | undefined {
    if (value.kind === "function") {
      const isTool = !(description instanceof Error) && !description.hidden;
      if (!isTool) return undefined;
      const unseen = isWrapped ? undefined : refuseUnseenFunction(host, value, description.name);
      return unseen ?? refuseOverridden(host, value, description, (read) => listener.described(read));
    }
    const name = description instanceof Error ? "" : description.name;
    const unseenCode =
      description instanceof Error ? undefined : refuseUnseenCode(host, value, name, replacedWithin);
    if (unseenCode !== undefined) return unseenCode;
    for (const argument of value.functions) {
      const inner = followValue(host, argument);
      if (inner.kind !== "function" && inner.kind !== "wrapped") continue;
      const error = refuseReplaced(inner, describeValue(host, inner, argument).description, true);
      if (error !== undefined) return error;
    }
    return undefined;
  }

  /** A method that its class keeps to itself is not a tool, whatever its types are. */
  function ofMethod(value: Value): ToolTree | null {
    const method =
      value.kind === "expression"
        ? asMember(
            reachedBy(followValue(host, value.expression, value.replaceable), value.type),
            value.member,
          )
        : value;
    if (method.kind !== "function") return ofValue(value, expectedTool);
    const described = ofFunction(method);
    // All that a toolkit asks about such a method is whether it is one.
    return isHiddenMethod(described) ? nameOnly(method.name) : described;
  }

  function ofRecord(values: ReadonlyMap<string, Value>, expectation: Expectation): RecordTree | null {
    const { record, toolkit, properties } = expectation;
    const entries = [...values].flatMap(([name, value]) => {
      if (toolkit && name.startsWith("_")) return [];
      const inner = record ? expectedTool : properties.get(name);
      const tree = toolkit ? ofMethod(value) : inner ? ofValue(value, inner) : null;
      return tree === null ? [] : [[name, tree] as const];
    });
    return entries.length === 0 ? null : { kind: "record", entries: new Map(entries) };
  }

  return { of, ofRecord };
}

/** Whether the code of a function stands there: what calls return, and what types declare, has none. */
function hasCode(value: FunctionValue | WrappedValue): boolean {
  return value.kind === "function" && "body" in value.node && value.node.body !== undefined;
}

function isHiddenMethod(tree: ToolTree): boolean {
  if (tree.kind !== "function") return false;
  const { description } = tree;
  return (description instanceof Error ? description.data["hidden"] : description.hidden) === true;
}

/** The schema of what is not a tool, but has a name. */
function nameOnly(name: string, lists: Pick<FunctionSchema, "members" | "hiddenMembers"> = {}): ToolTree {
  const description = { name, inputSchema: {}, parameters: [], hidden: true, ...lists };
  return { kind: "function", description };
}

/** Which methods are for everybody counts by the type's members: a private one may hold a function that is public elsewhere. */
function withVisibility(
  host: Host,
  type: Type,
  methods: ReadonlyMap<string, ToolTree>,
): ReadonlyMap<string, ToolTree> {
  const declarations = new Map(host.properties(type).map((each) => [each.name, each.declaration()]));
  const entries = [...methods].map(([name, tree]): readonly [string, ToolTree] => {
    const node = declarations.get(name);
    if (node === undefined || tree.kind !== "function") return [name, tree];
    const { description } = tree;
    if (description instanceof Error || description.hidden) return [name, tree];
    const { public: _own, ...others } = description;
    const visible = isForEverybody(host, node) ? { ...others, public: true as const } : others;
    return [name, { ...tree, description: visible }];
  });
  return new Map(entries);
}

/** Whether a value of `type` can be, or hold, what is expected. Not a tool that is made already, nor plain data. */
function mayHold(host: Host, type: Type, expectation: Expectation): boolean {
  const { flags } = host;
  if (type.flags & flags.Any) return true;
  if (type.flags & flags.Union) {
    return host.unionMembers(type).some((member) => mayHold(host, member, expectation));
  }
  if (!(type.flags & (flags.Object | flags.Intersection | flags.Instantiable))) return false;
  if (host.isCallable(type)) return expectation.tool;
  const elements = elementsOf(host, type);
  if (elements !== undefined) {
    return expectation.list && elements.some((element) => mayHold(host, element, expectedTool));
  }
  const members = host.properties(type);
  if (expectation.record) return members.some((member) => mayHold(host, member.type, expectedTool));
  return members.some((member) => {
    const inner = expectation.properties.get(member.name);
    return inner !== undefined && mayHold(host, member.type, inner);
  });
}
