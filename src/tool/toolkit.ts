import { hasAttachedSchema, knownSchema } from "../schema/attach/schemas.ts";
import { ConfigurationError, SchemaNotFoundError } from "../errors.ts";
import type { FunctionSchema } from "../schema/function-schema.ts";
import { assertKnownOptions, readOptions } from "../base/options/known-options.ts";
import { functionToolOptions, namespaced } from "./define.ts";
import { loadDerive } from "./features.ts";
import { captureCall } from "./origins.ts";
import { policyOf } from "./policy-of.ts";
import type { ToolArguments } from "./policy.ts";
import type { ToolFunction } from "./tool-function.ts";
import type { FunctionTool, FunctionToolOptions, Tool, ToolkitInstance, Toolset } from "./types.ts";

/** Options for every method of a toolkit. `concurrency` counts the calls of all of them together. */
export interface ToolkitOptions<I = ToolArguments, C = unknown> extends Omit<
  FunctionToolOptions<I, C>,
  "name" | "description" | "input" | "offload"
> {
  /** Options of single methods by name, which go before the toolkit's; `false` leaves a method out. */
  readonly methods?: { readonly [method: string]: FunctionToolOptions<never, never> | false };
}

/**
 * Makes tools of an instance's public methods, own function properties included: one tool a method, `this` kept.
 * Methods that are declared `private` or `protected`, or are so by their comment, or begin with `_`, are left out, and so are those that every object has (`toString`, `toJSON`, `valueOf`), unless `methods` names them. `close()` disposes of the
 * instance, if it says how (`Symbol.asyncDispose`, `Symbol.dispose`).
 * ```ts
 * new Agent({ name: "Maths", tools: [toolkit(new MathToolkit(), { timeout: 5_000 })] });
 * ```
 */
export function toolkit<I extends object = ToolArguments, C = unknown>(
  instance: ToolkitInstance,
  options?: ToolkitOptions<I, C>,
): Toolset;
/** Makes one toolkit of the functions of a plain object. */
export function toolkit<I extends object = ToolArguments, C = unknown>(
  functions: { readonly [name: string]: ToolFunction },
  options?: ToolkitOptions<I, C>,
): Toolset;
export function toolkit<I extends object = ToolArguments, C = unknown>(
  instance: ToolkitInstance,
  options: ToolkitOptions<I, C> = {},
): Toolset {
  if (typeof instance !== "object" || instance === null || Array.isArray(instance)) {
    throw new ConfigurationError(
      `toolkit() takes an instance of a class. Write ${instanceExample(instance)}.`,
      { code: "invalid-tool" },
    );
  }
  const name = className(instance) || "toolkit";
  const methods = methodsOf(instance, options, name, toolkit);
  if (methods.length === 0) {
    throw new ConfigurationError(
      `The toolkit ${name} has no public method. Write toolkit(new Kit()) of a class with methods, or list functions in tools: [getWeather].`,
      { code: "invalid-tool" },
    );
  }
  let tools: Promise<readonly Tool[]> | undefined;
  return Object.freeze({
    name,
    tools: () => {
      tools ??= deriveMethods(methods, name);
      // What failed once may succeed later (a file that was being written), so failures are not remembered.
      tools.catch(() => (tools = undefined));
      return tools;
    },
    close: () => dispose(instance),
  });
}

function instanceExample(value: unknown): string {
  if (Array.isArray(value))
    return "toolkit(new Kit()), or list the functions themselves, tools: [getWeather]";
  return typeof value === "function" ? "toolkit(new Kit()), not toolkit(Kit)" : "toolkit(new Kit())";
}

async function dispose(instance: object): Promise<void> {
  const disposable: Partial<AsyncDisposable & Disposable> = instance;
  if (disposable[Symbol.asyncDispose]) await disposable[Symbol.asyncDispose]?.();
  else disposable[Symbol.dispose]?.();
}

/** The name of an instance's class, also where a minifier has changed it. */
function className({ constructor }: object): string | undefined {
  return constructor && (knownSchema(constructor)?.name || constructor.name);
}

/** A method that may become a tool. */
interface Method extends FunctionTool {
  /** What the instance has it as. */
  readonly method: string;
  /** Whether nothing but being a method of its class makes it a tool. */
  readonly isUnnamed: boolean;
}

async function deriveMethods(methods: readonly Method[], kit: string): Promise<readonly Tool[]> {
  const { deriveTools, findAll } = await loadDerive();
  const findings = await findAll(methods);
  assertPublic(methods, findings, kit);
  const visible = methods.filter((method) => !isHidden(findings.get(method)));
  return deriveTools(visible, findings);
}

/** @throws SchemaNotFoundError for methods that may be private: JavaScript has lost that, and a value of any type. */
function assertPublic(
  methods: readonly Method[],
  findings: ReadonlyMap<FunctionTool, FunctionSchema | SchemaNotFoundError>,
  kit: string,
): void {
  const doubtful = methods.flatMap((source) => {
    const finding = source.isUnnamed ? findings.get(source) : undefined;
    const place = finding && doubtfulPlace(finding);
    return place === undefined ? [] : [{ method: source.method, place }];
  });
  const [first] = doubtful;
  if (first === undefined) return;
  const list = doubtful.map(({ method, place }) => (place ? `  - ${method} (${place})` : `  - ${method}`));
  throw new SchemaNotFoundError(
    `Cannot determine whether these methods of ${kit} are public:\n${list.join("\n")}\n` +
      "If you have written them in JavaScript, write @public in the comment of each method that is one: /** @public @param {string} city */. " +
      'If a compiler has written them from TypeScript, run "skein attach DIR" after the compiler, or build with Skein\'s plugin. ' +
      "In TypeScript, pass the instance on by the type of its class. " +
      `Or name the method: toolkit(instance, { methods: { ${first.method}: {} } }), or false to leave it out.`,
    { data: { toolkit: kit, methods: doubtful.map(({ method }) => method) } },
  );
}

/** Where a method is written that may be private, empty where that is not known; `undefined` for one that is public or hidden. */
function doubtfulPlace(finding: FunctionSchema | SchemaNotFoundError): string | undefined {
  if (isHidden(finding)) return undefined;
  if (!(finding instanceof SchemaNotFoundError)) {
    return finding.public ? undefined : (finding.memberAt ?? finding.untypedAt ?? "");
  }
  // What lacks types in JavaScript would need @public next.
  const { memberAt } = finding.data;
  return typeof memberAt === "string" ? memberAt : undefined;
}

/** What is private may well have types that no schema can express: that is not a mistake. */
function isHidden(finding: FunctionSchema | SchemaNotFoundError | undefined): boolean {
  if (finding instanceof SchemaNotFoundError) return finding.data.hidden === true;
  return finding?.hidden === true;
}

/**
 * The methods with their options. The call of `called` passed the instance on.
 * @throws ConfigurationError for options of an unknown method.
 */
function methodsOf(
  instance: object,
  options: ToolkitOptions<never, never>,
  kit: string,
  called: Function,
): readonly Method[] {
  const { methods: overrides = {}, ...shared } = readOptions(
    options,
    { ...functionToolOptions, methods: true },
    `toolkit(${kit}, { ... })`,
  );
  const functions = functionsOf(instance);
  assertKnownOptions(
    overrides,
    Object.fromEntries([...functions.keys()].map((name) => [name, true])),
    `methods of toolkit(${kit})`,
  );
  const { concurrency } = shared;
  const isOfClass = Object.getPrototypeOf(Object.getPrototypeOf(instance) ?? {}) !== null;
  const calledAt = [...functions.values()].every(hasAttachedSchema) ? undefined : captureCall(called);
  const defaults = {
    ...shared,
    ...(typeof concurrency === "number" && { concurrency: { limit: concurrency } }),
  };
  const { members, hiddenMembers } = knownSchema(instance.constructor ?? instance) ?? {};
  return [...functions].flatMap(([method, fn]): readonly Method[] => {
    const isUnnamed = isOfClass && !Object.hasOwn(overrides, method);
    const override = Object.hasOwn(overrides, method) ? overrides[method] : {};
    const isInternal = members && !members.includes(method) && !hasAttachedSchema(fn);
    const isProtocol = protocol.has(method) && !Object.hasOwn(overrides, method);
    if (override === false || isInternal || isProtocol || hiddenMembers?.includes(method)) return [];
    const place = `${method} of toolkit(${kit})`;
    const own: FunctionToolOptions<never, never> & { name: string } = {
      name: method,
      ...defaults,
      ...methodOptions(override, place),
    };
    const name = namespaced(own.name, own);
    const origin = calledAt && { calledAt, path: [0, method], ...(isUnnamed && { isMethod: true as const }) };
    const policy = policyOf(own, place);
    return [{ fn, name, options: own, policy, self: instance, method, isUnnamed, ...(origin && { origin }) }];
  });
}

/** @throws ConfigurationError for options that are written and undefined, too: they were meant to guard. */
function methodOptions(
  options: FunctionToolOptions<never, never> | undefined,
  place: string,
): FunctionToolOptions<never, never> {
  if (options !== undefined) return readOptions(options, functionToolOptions, place);
  throw new ConfigurationError(`The options of ${place} are undefined. Leave them out, or write {}.`, {
    code: "invalid-option",
  });
}

/** What every object has, or the language asks of one: nothing that a model should call. */
const protocol: ReadonlySet<string> = new Set([
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "then",
  "toJSON",
  "toLocaleString",
  "toString",
  "valueOf",
]);

/** Methods by name, from the instance up its classes; what a subclass overrides is listed once. */
function functionsOf(instance: object): ReadonlyMap<string, ToolFunction> {
  const methods = new Map<string, ToolFunction>();
  for (
    let owner = instance;
    owner !== null && Object.getPrototypeOf(owner) !== null;
    owner = Object.getPrototypeOf(owner)
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (name === "constructor" || name.startsWith("_") || methods.has(name)) continue;
      if (typeof value === "function") methods.set(name, value);
    }
  }
  return methods;
}
