import type { FunctionNode } from "./function-nodes.ts";
import type { Host, Node } from "./host.ts";
import {
  followValue,
  returnedByCode,
  type FunctionValue,
  type Value,
  type WrappedValue,
} from "./use-sites-values.ts";

/** Where the code of a function stands. */
export interface WrittenPlace {
  readonly file: string;
  /** Its first token. Lines and columns are counted from 0. */
  readonly start: Position;
  /** Where its body starts. */
  readonly body: Position;
  /** How many of its parameters `bind` has filled. */
  readonly bound: number;
}

/** A place in a source file. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where the function stands that runs, as the text says; `undefined` where only running it shows: of a package's wrapper, of decorators. */
export function writtenPlace(host: Host, value: FunctionValue | WrappedValue): WrittenPlace | undefined {
  const fn = value.kind === "function" ? value : returnedFunction(host, value);
  const node = fn && withBody(host, fn.node);
  if (fn === undefined || node === undefined || isDecorated(host, node)) return undefined;
  const source = node.getSourceFile();
  const positionOf = (offset: number): Position => {
    const { line, character } = source.getLineAndCharacterOfPosition(offset);
    return { line, column: character };
  };
  return {
    file: source.fileName,
    start: positionOf(node.getStart(source)),
    body: positionOf(node.body.getStart(source)),
    bound: fn.bound,
  };
}

function returnedFunction(host: Host, { call }: WrappedValue): FunctionValue | undefined {
  const result: Value = returnedByCode(host, call);
  const value = result.kind === "expression" ? followValue(host, result.expression) : result;
  return value.kind === "function" ? value : undefined;
}

/** The declaration that has the code: overloads have none. */
function withBody(host: Host, node: FunctionNode): (Node & { readonly body: Node }) | undefined {
  const name = "name" in node ? node.name : undefined;
  const symbol = name === undefined ? undefined : host.symbolAt(name);
  const declarations: readonly Node[] = symbol === undefined ? [] : host.declarationsOf(symbol);
  return [node, ...declarations].find((each) => hasBody(host, each));
}

function hasBody({ syntax }: Host, node: Node): node is Node & { readonly body: Node } {
  return syntax.isFunctionLikeDeclaration(node) && node.body !== undefined;
}

/** Whether a decorator may have put another function in its place. */
function isDecorated({ syntax }: Host, node: Node): boolean {
  for (let at: Node | undefined = node; at !== undefined && !syntax.isSourceFile(at); at = at.parent) {
    const modifiers = "modifiers" in at && Array.isArray(at.modifiers) ? at.modifiers : [];
    const { Decorator } = syntax.SyntaxKind;
    if (modifiers.some(({ kind }: { readonly kind: number }) => kind === Decorator)) return true;
    if (syntax.isClassLikeDeclaration(at)) return false;
  }
  return false;
}
