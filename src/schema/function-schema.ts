import type { JsonSchema } from "./types.ts";

/** How one parameter of a function gets its value from the model's arguments. */
export type ParameterPlan =
  /** The property of that name. */
  | { readonly kind: "property"; readonly name: string }
  /** The whole object of arguments: a destructured sole parameter. */
  | { readonly kind: "object" }
  /** The array in the property of that name, spread. */
  | { readonly kind: "rest"; readonly name: string }
  /** The injected `ToolContext`; the model never sees it. */
  | { readonly kind: "context" };

/** A function as a tool: what its signature and doc comment say, as plain data. */
export interface FunctionSchema {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** One entry for each parameter, in order. */
  readonly parameters: readonly ParameterPlan[];
  readonly deprecated?: boolean;
  /** A method declared `private` or `protected`, which a toolkit leaves out. */
  readonly hidden?: boolean;
  /** Things that could be expressed only in part, one sentence each, with `file:line`. */
  readonly warnings?: readonly string[];
}
