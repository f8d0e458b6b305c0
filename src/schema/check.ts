import type { Issue, JsonSchema } from "./types.ts";

/** The most issues one validation lists: a model mends a few at a time, and a long array may have thousands. */
const maxIssues = 50;

/** What travels along one validation. */
export interface CheckState {
  /** Keys and indexes from the root to the value being checked. */
  readonly path: (string | number)[];
  /** Collects what is wrong; `undefined` while only the verdict is wanted. */
  issues: Issue[] | undefined;
  /** How many references have been entered and not left: the only way in which a schema recurses. */
  depth: number;
  /** How many more branches of unions may be explored to explain a failure. */
  explanations: number;
  /** Objects that are known not to fit a node, so that nested unions do not check them again and again. */
  failures: Map<SchemaNode, WeakSet<object>> | undefined;
}

/** Whether a value fits. With `state.issues` set, a check says there everything that is wrong. */
export type Check = (value: unknown, state: CheckState) => boolean;

/** A compiled subschema. `check` is complete once the whole schema is compiled. */
export interface SchemaNode {
  readonly schema: JsonSchema | boolean;
  check: Check;
}

/** What a keyword may use while it is compiled. */
export interface Compilation {
  /**
   * The node of a subschema; the same for the same object. `at` names the keyword and key where it stands.
   * Throws a `ConfigurationError` (code `"invalid-schema"`) if it is no schema.
   */
  compile(schema: unknown, ...at: readonly (string | number)[]): SchemaNode;
  /** The node that a `$ref` names. Throws a `ConfigurationError` (code `"invalid-schema"`) if there is none. */
  resolve(reference: string): SchemaNode;
  /** Throws a `ConfigurationError` (code `"invalid-schema"`) that says where in the schema the mistake is. */
  invalid(problem: string): never;
}

/** Compiles one keyword: `operand` is its value, `schema` the object around it. `undefined` if there is nothing to check. */
export type Keyword = (operand: unknown, schema: JsonSchema, compilation: Compilation) => Check | undefined;

/** Keywords by name. */
export type Keywords = Readonly<Record<string, Keyword>>;

/** A state to begin a validation with. */
export function newState(issues?: Issue[]): CheckState {
  return { path: [], issues, depth: 0, explanations: 200, failures: undefined };
}

/** Notes one issue at the current place, if issues are wanted. Always `false`, so that a check can return it. */
export function reject(state: CheckState, message: string, value: unknown, expected?: string): false {
  if (state.issues !== undefined && state.issues.length < maxIssues) {
    state.issues.push({
      path: [...state.path],
      message,
      ...(expected !== undefined && { expected }),
      ...(value !== undefined && { received: value }),
    });
  }
  return false;
}

/** Checks what stands at `key` below the current place. */
export function checkAt(node: SchemaNode, key: string | number, value: unknown, state: CheckState): boolean {
  state.path.push(key);
  const fits = node.check(value, state);
  state.path.pop();
  return fits;
}

/** The verdict alone, even while issues are collected. */
export function accepts(node: SchemaNode, value: unknown, state: CheckState): boolean {
  const { issues } = state;
  state.issues = undefined;
  const fits = node.check(value, state);
  state.issues = issues;
  return fits;
}

/** What `node` finds wrong with the value at the current place, kept apart from the issues collected so far. */
export function explain(node: SchemaNode, value: unknown, state: CheckState): Issue[] {
  const { issues } = state;
  const found: Issue[] = [];
  state.issues = found;
  node.check(value, state);
  state.issues = issues;
  return found;
}
