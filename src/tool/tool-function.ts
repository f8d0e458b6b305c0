import type { ContextType, ToolContext } from "./tool-context.ts";

/** An object that a model may send: not a `ToolContext`. */
export type ArgumentObject = object & ContextType<never>;

/** Anything that a model may send: not a `ToolContext`. */
type Argument = string | number | boolean | bigint | symbol | null | undefined | ArgumentObject;

/** Marks functions that are expected to be tools, for the compiler. It is never set on a value. */
declare const toolFunction: unique symbol;

interface ToolMark {
  readonly [toolFunction]?: true;
}

/** A context as a parameter: `C` is found by what no argument has, so that no property named `context` passes for one. */
export type InjectedContext<C> = ToolContext<NoInfer<C>> & ContextType<C>;

/** A function whose parameters are, or may be, of these types. Written as a method: those are compared both ways. */
type Taking<Parameters extends readonly unknown[]> = { call(...args: Parameters): unknown }["call"];

/** A function whose context is its n-th parameter: the context must fit it, all else must be data. */
type ContextAfter<Before extends Argument[], Any extends never[], C> = ((
  ...args: [...Any, InjectedContext<C>, ...never[]]
) => unknown) &
  Taking<[...Before, ToolContext<NoInfer<C>>, ...Argument[]]>;

/** A function whose context is at any of the first ten places. */
type ContextAnywhere<
  C,
  Before extends Argument[] = [],
  Any extends never[] = [],
> = Before["length"] extends 10
  ? never
  : ContextAfter<Before, Any, C> | ContextAnywhere<C, [...Before, Argument], [...Any, never]>;

/**
 * Any plain function: its signature and doc comment are the tool. `C` is the context that there is: a function whose
 * `ToolContext` needs another one does not fit, nor does one that has it after its tenth parameter.
 */
export type ToolFunction<C = never> = (Taking<Argument[]> | ContextAnywhere<C>) & ToolMark;

/** A function of one object, and of a context or none. */
export type ObjectFunction<I, C> = (
  | ((input: I, context: InjectedContext<C>) => unknown)
  | ((context: InjectedContext<C>, input: I) => unknown)
) &
  ToolMark;
