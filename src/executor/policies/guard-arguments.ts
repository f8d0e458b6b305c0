import { UnknownArgumentError } from "../../errors.ts";
import { argumentDefaultsOf } from "../../schema/argument-defaults.ts";
import {
  type Alternatives,
  anything,
  describeMembers,
  type DescribedMembers,
  stateDefault,
} from "../../schema/described-members.ts";
import type { ArgumentDefault, ArgumentDefaults } from "../../schema/function-schema.ts";
import { matchLinear } from "../../schema/patterns/match-linear.ts";
import { provideMatcher } from "../../schema/patterns/pattern.ts";
import type { Schema } from "../../schema/types.ts";
import type { PolicyContext } from "../../tool/policy.ts";
import type { Tool } from "../../tool/types.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { closest } from "../../base/util/closest.ts";

/** The most names that an error lists. */
const mostNames = 20;

/** What the language and its tools read of every object: `JSON.stringify`, `await`, inspection. Absent, and not a mistake. */
const inspected: ReadonlySet<string> = new Set(["toJSON", "then", "inspect", "nodeType", "asymmetricMatch"]);

/** Whose arguments are guarded, and for what. */
interface Guarded {
  readonly tool: string;
  /** The policy's option, such as `approval`. */
  readonly option: string;
  readonly schema: Schema;
  /** Whether a value may have more properties than the schema names: a library's schema makes what it likes of its input. */
  readonly isTransformed: boolean;
}

/** What schemas say of their members, by the list of schemas and the root they stand in. */
const described = new WeakMap<Schema, WeakMap<Alternatives, DescribedMembers>>();

/**
 * What gives a policy's function the arguments of a call: read-only, and without the properties that the tool's schema does not
 * have. A read of one throws an `UnknownArgumentError`: a misspelled name must not pass for a value that is not there.
 */
export function argumentGuard(tool: Tool, option: string): (input: unknown) => unknown {
  const { name, inputSchema: schema } = tool;
  // Names of properties may be tested by patterns that nothing has tested before: another library has validated the arguments.
  provideMatcher(matchLinear);
  const guarded = { tool: name, option, schema, isTransformed: schema.validateAsync !== undefined };
  const root: Alternatives = [schema.jsonSchema];
  const whole = { properties: argumentDefaultsOf(schema) ?? {} };
  return (input) => guard(input, guarded, { schemas: root, path: "", defaults: whole });
}

/** Where a value stands among the arguments. */
interface Position {
  readonly schemas: Alternatives;
  readonly path: string;
  /** What the function puts in place of what is left out. */
  readonly defaults?: ArgumentDefault | undefined;
}

function guard(value: unknown, guarded: Guarded, position: Position): unknown {
  const { path } = position;
  const inner = (member: unknown): unknown => guard(member, guarded, { schemas: anything, path });
  // Copies: what a policy does to them does nothing to the call.
  const typed = (copy: object): object => guardMembers(copy, guarded, path);
  if (value instanceof Date) return typed(new Date(value));
  if (value instanceof URL) return typed(new URL(value));
  if (value instanceof Uint8Array) return typed(value.slice());
  if (value instanceof Set) return typed(new Set([...value].map(inner)));
  if (value instanceof Map)
    return typed(new Map([...value].map(([key, member]) => [inner(key), inner(member)])));
  // Nothing to guard, or methods of another class, which may need the instance itself, and no schema says what it has.
  if (!Array.isArray(value) && !isPlainObject(value)) return value;
  // A proxy must report what is frozen as it is, so it stands before a copy then.
  const target = Object.isExtensible(value) ? value : Array.isArray(value) ? [...value] : { ...value };
  return new Proxy(target, new ArgumentHandler(guarded, position));
}

/** Puts a prototype before that of a copy, which stays what it is: a read of a member that its class does not have throws. */
function guardMembers(copy: object, { tool, option }: Guarded, path: string): object {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(copy));
  return Object.setPrototypeOf(
    copy,
    strictPrototype(Object.getPrototypeOf(copy), (name) =>
      unknownArgument({ tool, option, argument: `${path}.${name}`, name, names }),
    ),
  );
}

/** A prototype that inherits from another, and throws for what is not there either. */
function strictPrototype(parent: object | null, unknown: (name: string) => Error): object {
  return new Proxy(Object.create(parent), {
    get(target, name, receiver) {
      if (typeof name === "symbol" || name in target || inspected.has(name))
        return Reflect.get(target, name, receiver);
      throw unknown(name);
    },
  });
}

/** What a policy's function gets beside the arguments. A read of anything else throws: `{ contxt }` must not pass for an absent context. */
export function policyScope(tool: string, option: string, { context, agent }: PolicyContext): PolicyContext {
  const names = ["context", "agent"];
  const prototype = strictPrototype(Object.prototype, (name) =>
    unknownName(`The scope of the tool ${tool} has no "${name}"`, {
      tool,
      option,
      argument: name,
      name,
      names,
    }),
  );
  // oxlint-disable-next-line no-restricted-properties -- a literal of this line, onto an object without properties
  return Object.assign(Object.create(prototype), { context, agent });
}

interface UnknownArgument {
  readonly tool: string;
  readonly option: string;
  /** With its path. */
  readonly argument: string;
  readonly name: string;
  /** Those there are. */
  readonly names: readonly string[];
}

function unknownArgument(unknown: UnknownArgument): UnknownArgumentError {
  return unknownName(`The tool ${unknown.tool} has no argument "${unknown.argument}"`, unknown);
}

function unknownName(
  problem: string,
  { tool, option, argument, name, names }: UnknownArgument,
): UnknownArgumentError {
  const [near] = closest(name, names, 1);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  const listed = names.slice(0, mostNames).join(", ") || "none";
  return new UnknownArgumentError(
    `${problem}, which its ${option} reads.${hint} Available: ${listed}${names.length > mostNames ? ", …" : ""}.`,
    { tool, option, argument, available: names },
  );
}

class ArgumentHandler implements ProxyHandler<object> {
  readonly #guarded: Guarded;
  readonly #schemas: Alternatives;
  readonly #path: string;
  readonly #defaults: ArgumentDefaults;
  /** Names that the program has found in the object, by listing them or by asking whether they are there. */
  #checkedNames: Set<string> | undefined;

  constructor(guarded: Guarded, { schemas, path, defaults }: Position) {
    this.#guarded = guarded;
    this.#schemas = schemas;
    this.#path = path;
    this.#defaults = defaults?.properties ?? {};
  }

  get(target: object, name: string | symbol): unknown {
    if (typeof name === "symbol") return Reflect.get(target, name);
    const isOwn = Object.hasOwn(target, name);
    if (Array.isArray(target)) return this.#getItem(target, name, isOwn);
    const schemas = this.#members.property(name);
    if (schemas && (!isOwn || Reflect.get(target, name) === undefined)) return this.#leaveOut(name, schemas);
    if (schemas) return this.#inner(target, name, schemas);
    if (isOwn && (this.#guarded.isTransformed || this.#checkedNames?.has(name)))
      return this.#inner(target, name, anything);
    if (!isOwn && name in Object.prototype) return Reflect.get(target, name);
    if (!isOwn && inspected.has(name)) return undefined;
    throw this.#unknown(name);
  }

  has(target: object, name: string | symbol): boolean {
    const isThere = Object.hasOwn(target, name);
    if (isThere) this.#find(name);
    else this.#assertNotUnknown(name);
    return isThere;
  }

  ownKeys(target: object): (string | symbol)[] {
    this.#assertNoneUnknown(target);
    return Reflect.ownKeys(target);
  }

  getOwnPropertyDescriptor(target: object, name: string | symbol): PropertyDescriptor | undefined {
    const descriptor = Reflect.getOwnPropertyDescriptor(target, name);
    if (!descriptor) this.#assertNotUnknown(name);
    if (!descriptor?.configurable || typeof name === "symbol") return descriptor;
    this.#find(name);
    const { enumerable = false } = descriptor;
    return { value: this.get(target, name), enumerable, writable: true, configurable: true };
  }

  set(): never {
    throw this.#readOnly();
  }

  defineProperty(): never {
    throw this.#readOnly();
  }

  deleteProperty(): never {
    throw this.#readOnly();
  }

  setPrototypeOf(): never {
    throw this.#readOnly();
  }

  preventExtensions(): never {
    throw this.#readOnly();
  }

  get #members(): DescribedMembers {
    const { schema } = this.#guarded;
    let bySchemas = described.get(schema);
    if (!bySchemas) described.set(schema, (bySchemas = new WeakMap()));
    let members = bySchemas.get(this.#schemas);
    if (!members) bySchemas.set(this.#schemas, (members = describeMembers(this.#schemas, schema.jsonSchema)));
    return members;
  }

  #getItem(target: readonly unknown[], name: string, isOwn: boolean): unknown {
    // What iterates asks for the length, and stops before items that are left out.
    if (name === "length") this.#assertNoneUnknown(target);
    if (isOwn) return this.#inner(target, name, this.#members.item(Number(name)));
    this.#assertNotUnknown(name);
    if (name in Array.prototype || inspected.has(name) || /^\d+$/.test(name))
      return Reflect.get(target, name);
    throw this.#unknown(name);
  }

  #inner(target: object, name: string, schemas: Alternatives): unknown {
    const defaults = this.#defaultOf(name);
    return guard(Reflect.get(target, name), this.#guarded, { schemas, path: this.#pathOf(name), defaults });
  }

  #defaultOf(name: string): ArgumentDefault | undefined {
    return Object.hasOwn(this.#defaults, name) ? this.#defaults[name] : undefined;
  }

  /** A read of what the call leaves out: `undefined` is what the function gets, if no default takes its place. */
  #leaveOut(name: string, schemas: Alternatives): undefined {
    this.#assertNotUnknown(name);
    const { option, schema } = this.#guarded;
    if (option !== "approval") return undefined;
    const initial = this.#defaultOf(name);
    const askFirst = `Ask first whether it is there: "${name}" in args.`;
    if (initial?.isPossible)
      throw this.#leftOut(
        name,
        `whose default, if its function has one, its declaration does not show. ${askFirst}`,
      );
    if (initial || !stateDefault(schemas, schema.jsonSchema)) return undefined;
    throw this.#leftOut(name, `whose default only its schema states. ${askFirst}`);
  }

  #assertNoneUnknown(target: object): void {
    for (const name of Object.keys(this.#defaults))
      if (!Object.hasOwn(target, name)) this.#assertNotUnknown(name);
  }

  /** A default that only the function knows must not pass for a value that is not there. */
  #assertNotUnknown(name: string | symbol): void {
    if (typeof name === "symbol" || !this.#defaultOf(name)?.isUnknown) return;
    throw this.#leftOut(name, "whose default only its function knows. Write a constant default, or none.");
  }

  #leftOut(name: string, problem: string): UnknownArgumentError {
    const { tool, option } = this.#guarded;
    const argument = this.#pathOf(name);
    return new UnknownArgumentError(
      `The ${option} of the tool ${tool} reads the argument "${argument}", which the call leaves out, and ${problem}`,
      { tool, option, argument, available: this.#members.names },
    );
  }

  #pathOf(name: string): string {
    return this.#path === "" ? name : `${this.#path}.${name}`;
  }

  #find(name: string | symbol): void {
    if (typeof name === "string") (this.#checkedNames ??= new Set()).add(name);
  }

  #unknown(name: string): UnknownArgumentError {
    const { tool, option } = this.#guarded;
    const { names } = this.#members;
    return unknownArgument({ tool, option, argument: this.#pathOf(name), name, names });
  }

  #readOnly(): TypeError {
    const { tool, option } = this.#guarded;
    return new TypeError(
      `The arguments of the tool ${tool} are read-only in its ${option}. Copy them: { ...args }.`,
    );
  }
}
