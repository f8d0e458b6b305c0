import { mostPatternSteps } from "./patterns/pattern.ts";
import type { Issue, JsonSchema } from "./types.ts";
import { preview } from "./words.ts";

/** The most issues one validation lists: a model mends a few at a time, and a long array may have thousands. */
const maxIssues = 50;

/** What travels along one validation. */
export interface CheckState {
  /** Keys and indexes from the root to the value being checked; kept only while issues are collected. */
  readonly path: (string | number)[];
  /** Collects what is wrong; `undefined` while only the verdict is wanted. */
  issues: Issue[] | undefined;
  /** How many levels of the schema lie between here and the root: references are the only way in which a schema recurses. */
  depth: number;
  /** Whether something was nested too deeply to be checked. */
  isTooDeep: boolean;
  /** How many references may still be followed, and alternatives tried. Below zero, the verdict is that the value does not fit. */
  steps: number;
  /** How much work may still be spent on patterns. */
  patternSteps: number;
  /** How many more branches of unions may be explored to explain a failure. */
  explanations: number;
  /** How many more names may be compared with those there are: a reader needs few hints. */
  hints: number;
  /** Nodes that a value is known not to fit, so that nested unions do not check it again and again. */
  failures: Map<unknown, Set<SchemaNode>> | undefined;
  /**
   * The members of the value that schemas have looked at, for `unevaluatedItems` and `unevaluatedProperties`; `undefined`
   * where nobody asks.
   */
  evaluated: Set<string | number> | undefined;
  /** The resources that were entered and not left, outermost first, without the main one: what `$dynamicRef` looks through. */
  readonly scope: Resource[];
}

/** Whether a value fits. With `state.issues` set, a check says there everything that is wrong. */
export type Check = (value: unknown, state: CheckState) => boolean;

/** A schema with an identifier of its own, and all that stands within it as far as the next such schema. */
export interface Resource {
  /** Absolute, without a fragment. */
  readonly uri: string;
  readonly schema: unknown;
  /** The schemas that `$anchor`, `$dynamicAnchor` or a fragment in draft 7's `$id` names. */
  readonly anchors: Map<string, JsonSchema>;
  /** Those that `$dynamicAnchor` names. */
  readonly dynamicAnchors: Map<string, JsonSchema>;
  /** Whether a keyword of `schema` means anything in the resource's draft and vocabularies. */
  readonly knows: (keyword: string, schema: JsonSchema) => boolean;
}

/** A subschema and where it stands. */
export interface SchemaNode {
  readonly schema: JsonSchema | boolean;
  readonly resource: Resource;
  /** Its place in its document, such as `"#/properties/city"`. */
  readonly at: string;
  /** How many levels of its document stand above it. */
  readonly depth: number;
  /** Compiles the schema when first called, unless that is done. */
  check: Check;
  /** The part of `check` that says what kind of value is wanted: `const`, `enum` and `type`; all, until it is compiled. */
  takes: Check;
}

/** What a keyword may use while it is compiled, and later. */
export interface Compilation {
  /** The node of a subschema; the same for the same object. Throws a `ConfigurationError` (code `"invalid-schema"`) if it is not a schema. */
  compile(schema: unknown): SchemaNode;
  /**
   * The node that a reference names which stands in the schema `from`, by default in the root. Throws a `ConfigurationError`
   * (code `"invalid-schema"`) if there is none.
   */
  resolve(reference: string, from?: JsonSchema | boolean): SchemaNode;
  /** The root. */
  readonly main: SchemaNode;
  /** The schema that is being compiled, and the keyword. */
  node: SchemaNode;
  keyword: string;
  /** Throws a `ConfigurationError` (code `"invalid-schema"`) that names the place and the keyword before the problem. */
  invalid(problem: string): never;
  /** Whether a verdict may depend on the way to a node: set where there is a `$dynamicRef`. */
  dynamic: boolean;
}

/**
 * Compiles one keyword: `operand` is its value, `schema` those keywords around it that mean anything in its dialect.
 * `undefined` if there is nothing to check.
 */
export type Keyword = (operand: unknown, schema: JsonSchema, compilation: Compilation) => Check | undefined;

/** Keywords by name. */
export type Keywords = Readonly<Record<string, Keyword>>;

/** A state to begin a validation with. */
export function newState(issues?: Issue[]): CheckState {
  return {
    path: [],
    issues,
    depth: 0,
    isTooDeep: false,
    steps: 1_000_000,
    patternSteps: mostPatternSteps,
    explanations: 200,
    hints: 20,
    failures: undefined,
    evaluated: undefined,
    scope: [],
  };
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

/** Notes that something else was expected than `value`, of which the message says what is `received`. Always `false`. */
export function rejectOther(
  state: CheckState,
  expected: string,
  value: unknown,
  received: unknown = preview(value),
): false {
  // Most verdicts are wanted without a word.
  if (state.issues === undefined) return false;
  return reject(state, `expected ${expected}, received ${String(received)}`, value, expected);
}

/** Notes that a value is nested too deeply to be checked. Always `false`. */
export function rejectDeep(state: CheckState): false {
  state.isTooDeep = true;
  return reject(state, "is nested too deeply", undefined);
}

/** Notes that no steps are left. Always `false`. */
export function rejectCostly(state: CheckState): false {
  return reject(state, "takes too long to check", undefined);
}

/** Notes that no steps are left to test a text against a pattern. Always `false`. */
export function rejectLong(state: CheckState): false {
  return reject(state, "is too long to be tested against a pattern", undefined);
}

/** Notes one issue at `key` below the current place. Always `false`. */
export function rejectAt(
  key: string,
  state: CheckState,
  message: string,
  value: unknown,
  expected?: string,
): false {
  state.path.push(key);
  reject(state, message, value, expected);
  state.path.pop();
  return false;
}

/** Checks what stands at `key` below the current place. */
export function checkAt(node: SchemaNode, key: string | number, value: unknown, state: CheckState): boolean {
  const { issues, evaluated } = state;
  if (issues === undefined && evaluated === undefined) return node.check(value, state);
  state.evaluated = undefined;
  state.path.push(key);
  const fits = node.check(value, state);
  state.path.pop();
  state.evaluated = evaluated;
  if (fits) evaluated?.add(key);
  return fits;
}

/** Whether the first failure ends a check: no issues are wanted, or no more. */
export function isVerdictEnough({ issues }: CheckState): boolean {
  return issues === undefined || issues.length >= maxIssues;
}

/** Whether every item passes. The first that does not ends it, unless issues are wanted. */
export function every<T>(items: Iterable<T>, state: CheckState, passes: (item: T) => boolean): boolean {
  let all = true;
  for (const item of items) {
    if (passes(item)) continue;
    if (isVerdictEnough(state)) return false;
    all = false;
  }
  return all;
}

/** The verdict alone, even while issues are collected. It counts as a step: long lists may meet many alternatives. */
export function accepts(node: SchemaNode, value: unknown, state: CheckState): boolean {
  return --state.steps >= 0 && quietly(node.check, value, state);
}

/** The verdict of `check` alone. */
export function quietly(check: Check, value: unknown, state: CheckState): boolean {
  const { issues, evaluated } = state;
  state.issues = undefined;
  const fits = evaluated ? track(check, value, state) : check(value, state);
  state.issues = issues;
  return fits;
}

/** Lets `check` note apart what it looks at, which counts for those around only if the value fits. */
export function track(check: Check, value: unknown, state: CheckState): boolean {
  const { evaluated } = state;
  const own = new Set<string | number>();
  state.evaluated = own;
  const fits = check(value, state);
  state.evaluated = evaluated;
  if (fits && evaluated) for (const key of own) evaluated.add(key);
  return fits;
}

/** What `node` finds wrong with the value at the current place, kept apart from the issues collected so far. */
export function explain(node: SchemaNode, value: unknown, state: CheckState): Issue[] {
  const { issues } = state;
  const ownIssues: Issue[] = [];
  state.issues = ownIssues;
  node.check(value, state);
  state.issues = issues;
  return ownIssues;
}
