import { withoutLeadingParameters } from "./bound.ts";
import type { FunctionNode } from "./function-nodes.ts";
import { describeFunction, type FunctionDescription } from "./functions.ts";
import type { Expression, Host, Type } from "./host.ts";
import { elementsOf, expectedTool, type Expectation, type Expectations } from "./use-sites-expectations.ts";
import { followValue, isDeclaredFunction, methodsOf, type Value } from "./use-sites-values.ts";

/** The schemas of the functions in a value: see `Attachment` of `skein/attach`, which reads it when the program runs. */
export type SchemaTree = string | readonly (SchemaTree | null)[] | { readonly [name: string]: SchemaTree };

/** Describes values by what is expected of them. */
export interface Attachments {
  /** `null` where there is nothing to attach: no function, or one that is seen elsewhere. */
  of(expression: Expression, expectation: Expectation): SchemaTree | null;
  /** The schemas of those entries of a record that an expectation speaks of. */
  ofRecord(entries: ReadonlyMap<string, Value>, expectation: Expectation): SchemaTree | null;
}

/** What is told while values are described. */
export interface AttachmentListener {
  /** A tool has no schema, and why. */
  problem(reason: string): void;
  /** A function was described. */
  described(node: FunctionNode): void;
}

/** Makes a describer of values. */
export function createAttachments(
  host: Host,
  expectations: Expectations,
  listener: AttachmentListener,
): Attachments {
  function of(expression: Expression, expectation: Expectation): SchemaTree | null {
    if (expectation.tool && isDeclaredFunction(host, expression)) {
      return ofValue(followValue(host, expression), expectation);
    }
    const [type] = host.typesAt([expression]);
    if (type === undefined) return null;
    // Whoever gives a value the type of a tool has it seen there.
    if (expectations.of(type) !== undefined) return null;
    if (expectation.toolkit) return ofToolkit(type, expectation);
    if (!mayHold(host, type, expectation)) return null;
    if (type.flags & host.flags.Any) return missing("its type is any");
    return ofValue(followValue(host, expression), expectation);
  }

  /** The methods; and the name of the class, which goes in front of theirs where names clash, and which minifiers change. */
  function ofToolkit(type: Type, expectation: Expectation): SchemaTree | null {
    const methods = ofRecord(methodsOf(host, type), expectation);
    const symbol = type.getSymbol();
    const isNamed = symbol !== undefined && host.isClass(symbol) && !symbol.name.startsWith("__");
    if (methods === null || !isNamed) return methods;
    return { ...methods, constructor: nameOnly(symbol.name) };
  }

  function missing(reason: string): null {
    listener.problem(reason);
    return null;
  }

  function ofValue(value: Value, expectation: Expectation): SchemaTree | null {
    if (value.kind === "expression") return of(value.expression, expectation);
    if (value.kind === "unseen") return missing(value.reason);
    if (value.kind === "function") return expectation.tool ? ofFunction(value, false) : null;
    if (value.kind === "record") return ofRecord(value.entries, expectation);
    if (!expectation.list) return null;
    const schemas = value.items.map((item) => ofValue(item, expectedTool));
    return schemas.every((schema) => schema === null) ? null : schemas;
  }

  function ofFunction(
    { node, name, bound }: Value & { readonly kind: "function" },
    isMethod: boolean,
  ): SchemaTree | null {
    listener.described(node);
    const description: FunctionDescription = describeFunction(host, node, name);
    const isHidden = description instanceof Error ? description.data["hidden"] : description.hidden;
    // All that a toolkit asks about such a method is whether it is one.
    if (isMethod && isHidden) return nameOnly(name);
    if (description instanceof Error) return missing(description.message);
    return JSON.stringify(withoutLeadingParameters(description, bound));
  }

  /** A method that its class keeps to itself is no tool, whatever its types are. */
  function ofMethod(value: Value): SchemaTree | null {
    const method = value.kind === "expression" ? followValue(host, value.expression) : value;
    return method.kind === "function" ? ofFunction(method, true) : ofValue(method, expectedTool);
  }

  function ofRecord(
    entries: ReadonlyMap<string, Value>,
    expectation: Expectation,
  ): Readonly<Record<string, SchemaTree>> | null {
    const { record, toolkit, properties } = expectation;
    const schemas = [...entries].flatMap(([name, value]) => {
      if (toolkit && name.startsWith("_")) return [];
      const inner = record ? expectedTool : properties.get(name);
      const schema = toolkit ? ofMethod(value) : inner ? ofValue(value, inner) : null;
      return schema === null ? [] : [[name, schema] as const];
    });
    return schemas.length === 0 ? null : Object.fromEntries(schemas);
  }

  return { of, ofRecord };
}

/** The schema of what is no tool, but has a name. */
function nameOnly(name: string): string {
  return JSON.stringify({ name, inputSchema: {}, parameters: [], hidden: true });
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
