import type { Expression, Host, Type } from "./host.ts";

/** What is expected of a value, as far as tools are concerned. */
export interface Expectation {
  /** A function that becomes a tool. */
  readonly tool: boolean;
  /** A list of such functions. */
  readonly list: boolean;
  /** A record of such functions. */
  readonly record: boolean;
  /** An object whose public methods become tools. */
  readonly toolkit: boolean;
  /** An object with such values in these properties: an agent's options, say. */
  readonly properties: ReadonlyMap<string, Expectation>;
}

/** Tells what types expect. */
export interface Expectations {
  /** What a type expects; `undefined` where it is unrelated to tools. */
  of(type: Type): Expectation | undefined;
  /** What the place of an expression expects. */
  at(expression: Expression): Expectation | undefined;
}

const none: Expectation = { tool: false, list: false, record: false, toolkit: false, properties: new Map() };

/** A single function. */
export const expectedTool: Expectation = { ...none, tool: true };

/** An object type with more properties than this belongs neither to Skein nor to a program's own options. */
const mostProperties = 60;

/** Reads expectations off types: Skein marks its own with symbols that no value has. */
export function createExpectations(host: Host): Expectations {
  const cached = new Map<number, Expectation | undefined>();

  function of(type: Type, depth = 0): Expectation | undefined {
    if (cached.has(type.id)) return cached.get(type.id);
    // A type that refers to itself expects, within itself, nothing more.
    cached.set(type.id, undefined);
    const expectation = read(type, depth);
    if (depth === 0 || expectation !== undefined) cached.set(type.id, expectation);
    else cached.delete(type.id);
    return expectation;
  }

  function read(type: Type, depth: number): Expectation | undefined {
    const { flags } = host;
    if (type.flags & flags.Union) return joined(host.unionMembers(type).map((member) => of(member, depth)));
    if (type.flags & flags.Intersection) return mark(type) ?? ofObject(type, depth);
    if (type.flags & flags.Instantiable) {
      const constraint = host.constraintOf(type);
      return constraint && of(constraint, depth);
    }
    return type.flags & flags.Object ? ofObject(type, depth) : undefined;
  }

  function mark(type: Type): Expectation | undefined {
    const names = host.properties(type).map(({ name }) => name);
    if (names.some((name) => name.includes("@toolFunction@"))) return expectedTool;
    return names.some((name) => name.includes("@toolkitInstance@")) ? { ...none, toolkit: true } : undefined;
  }

  function ofObject(type: Type, depth: number): Expectation | undefined {
    const elements = elementsOf(host, type);
    if (elements !== undefined) return isTool(elements, depth) ? { ...none, list: true } : undefined;
    if (host.isCallable(type)) return undefined;
    const values = host.indexSignatures(type).map(({ value }) => value);
    if (isTool(values, depth)) return { ...none, record: true };
    if (depth > 0) return undefined;
    const members = host.properties(type);
    if (members.length > mostProperties) return undefined;
    const properties = members.flatMap(({ name, type: member }) => {
      const expectation = of(member, depth + 1);
      return expectation === undefined ? [] : [[name, expectation] as const];
    });
    return properties.length === 0 ? undefined : { ...none, properties: new Map(properties) };
  }

  function isTool(types: readonly Type[], depth: number): boolean {
    return types.some((type) => of(type, depth + 1)?.tool === true);
  }

  return {
    of: (type) => of(type),
    at: (expression) => {
      const type = host.contextualType(expression);
      return type && of(type);
    },
  };
}

/** The types of a list's elements; `undefined` for what is not a list. */
export function elementsOf(host: Host, type: Type): readonly Type[] | undefined {
  const tuple = host.tupleElements(type)?.map((element) => element.type);
  const element = tuple === undefined ? host.arrayElement(type) : undefined;
  return element === undefined ? tuple : [element];
}

function joined(expectations: readonly (Expectation | undefined)[]): Expectation | undefined {
  const some = expectations.filter((expectation) => expectation !== undefined);
  if (some.length < 2) return some[0];
  return {
    tool: some.some(({ tool }) => tool),
    list: some.some(({ list }) => list),
    record: some.some(({ record }) => record),
    toolkit: some.some(({ toolkit }) => toolkit),
    properties: new Map(some.flatMap(({ properties }) => [...properties])),
  };
}
