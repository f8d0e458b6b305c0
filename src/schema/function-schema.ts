import type { JsonValue } from "../base/util/json.ts";
import type { JsonSchema } from "./types.ts";

/** How one parameter of a function gets its value from the model's arguments. */
export type ParameterPlan =
  /** The property of that name. */
  | { readonly kind: "property"; readonly name: string; readonly default?: ArgumentDefault }
  /** The whole object of arguments: a destructured sole parameter. */
  | { readonly kind: "object"; readonly default?: ArgumentDefault }
  /** The array in the property of that name, spread. */
  | { readonly kind: "rest"; readonly name: string; readonly default?: ArgumentDefault }
  /** The injected `ToolContext`; the model never sees it. */
  | { readonly kind: "context" };

/**
 * A type that JSON has no form for. A model writes a `Date` as `date-time` (RFC 3339), a bigint as its decimal digits, a
 * `URL` as its text, a `Uint8Array` as base64 (RFC 4648), a `Set` as an array of different items, and a `Map` as
 * an object or, if its keys are not strings, as an array of pairs.
 */
export type RevivedType = "date" | "bigint" | "url" | "base64" | "set" | "map";

/**
 * What a function puts in place of an argument that a call leaves out: its own initializers. A default that only a comment or a
 * JSON Schema speaks of is none.
 */
export type ArgumentDefault = {
  /** In the form that a model would write; absent where there is none. */
  readonly value?: JsonValue;
  /** What the value is then made, where JSON has no form for it. */
  readonly type?: RevivedType;
  /** There is one, and only the function knows it when it runs: `amount = limit()`. */
  readonly isUnknown?: true;
  /** There may be one: a declaration without a body, as in an interface, does not show it. */
  readonly isPossible?: true;
  /** Those of its properties and items, where the function takes it apart: `{ amount = 1000 }`. */
  readonly properties?: ArgumentDefaults;
};

/** Defaults by the names of properties, or the indices of items. */
export interface ArgumentDefaults {
  readonly [name: string]: ArgumentDefault;
}

/** A function as a tool: what its signature and doc comment say, as plain data. */
export interface FunctionSchema {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** One entry for each parameter, in order. */
  readonly parameters: readonly ParameterPlan[];
  /**
   * Which values of the input are turned into what before the call, by the place of their schema: a JSON Pointer as a
   * fragment, such as `#/properties/when` or `#/$defs/Event/properties/at`.
   */
  readonly revive?: Readonly<Record<string, RevivedType>>;
  readonly deprecated?: boolean;
  /**
   * The schema comes from elsewhere (`tool(fn, { input })`): `inputSchema` is an outline of the signature's, for that one to be
   * compared with, or says nothing.
   */
  readonly placementOnly?: true;
  /** The type that the function declares for `this`, without which it fails: it must be bound, or called on an object. */
  readonly thisType?: string;
  /**
   * It says what the type of one expression is, of a function whose own types are others: of a generic method, for each instance.
   * A function that is found with two of them has none.
   */
  readonly instance?: true;
  /** A method declared `private` or `protected`, which a toolkit leaves out. */
  readonly hidden?: boolean;
  /**
   * A member of a class that is known to be for everybody: by TypeScript, a declaration, or `@public` in JavaScript. A toolkit
   * of a class makes tools of no others by itself.
   */
  readonly public?: true;
  /** Of a class: its private properties. The functions that they hold may be public elsewhere, so they are not `hidden`. */
  readonly hiddenMembers?: readonly string[];
  /**
   * Of a class that declarations describe: the names that they list. What its instances have besides is internal to the
   * package, so a toolkit leaves that out.
   */
  readonly members?: readonly string[];
  /** `file:line` of a JavaScript function without parameters and without any type: it may have lost its name in a build. */
  readonly untypedAt?: string;
  /** `file:line` of a method of a JavaScript class of which nothing shows whether it is public. */
  readonly memberAt?: string;
  /** Things that could be expressed only in part, one sentence each, with `file:line`. */
  readonly warnings?: readonly string[];
}
