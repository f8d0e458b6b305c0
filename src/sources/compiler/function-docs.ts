import { leadingDocComment, type DocComment } from "./doc-comments.ts";
import { passesOn } from "./passed-on.ts";
import type { CallExpression, Host, Node } from "./host.ts";

/** Of a function without a comment. */
export const emptyDoc: DocComment = { summary: "", parameters: new Map(), tags: [] };

/**
 * The doc comment of a function: its own, else that of the variable, property or statement that it is the value of, or that the
 * result of a call is which passes it on.
 */
export function functionDoc(host: Host, node: Node): DocComment {
  const { doc, lost } = commentOf(host, node);
  return lost === undefined ? doc : emptyDoc;
}

/** The call that keeps the comment above it from being a function's own: nothing shows of which function it speaks. */
export function callBeforeComment(host: Host, node: Node): CallExpression | undefined {
  const { doc, lost } = commentOf(host, node);
  return doc.parameters.size > 0 ? lost : undefined;
}

function commentOf(
  host: Host,
  node: Node,
): { readonly doc: DocComment; readonly lost?: CallExpression | undefined } {
  const passed: { readonly call: CallExpression; readonly value: Node }[] = [];
  for (let at: Node | undefined = node; at !== undefined; at = holderOf(host, at)) {
    const doc = leadingDocComment(at);
    // Only now are types worth asking for.
    if (doc) return { doc, lost: passed.find(({ call, value }) => !passesOn(host, call, value))?.call };
    const call = callAround(host, at);
    if (call !== undefined) passed.push({ call, value: at });
  }
  return { doc: emptyDoc };
}

/**
 * The doc comments of a function that start on a line with other code before them: TypeScript takes them for comments of that
 * code. Right before a function expression or a variable, it reads them all the same.
 */
export function unreadComments(host: Host, node: Node): readonly string[] {
  const comments: string[] = [];
  for (let at: Node | undefined = node; at !== undefined; at = holderOf(host, at)) {
    const file = at.getSourceFile();
    const trivia = file.text.slice(at.getFullStart(), at.getStart(file));
    const comment = at.getFullStart() === 0 ? null : /^[^\S\n]*(\/\*\*(?!\/)[^]*?\*\/)/.exec(trivia);
    if (comment?.[1] !== undefined) comments.push(comment[1]);
  }
  return comments;
}

/** The node whose comment also speaks of `node`, if there is one. */
function holderOf(host: Host, node: Node): Node | undefined {
  const { syntax } = host;
  const { parent } = node;
  if (parent === undefined) return undefined;
  if (syntax.isVariableDeclarationList(parent)) {
    return parent.declarations[0] === node ? parent : undefined;
  }
  const holds =
    syntax.isVariableDeclaration(parent) ||
    syntax.isVariableStatement(parent) ||
    syntax.isParenthesizedExpression(parent) ||
    syntax.isAsExpression(parent) ||
    syntax.isSatisfiesExpression(parent) ||
    syntax.isNonNullExpression(parent) ||
    syntax.isTypeAssertion(parent) ||
    syntax.isAwaitExpression(parent) ||
    syntax.isReturnStatement(parent) ||
    syntax.isPropertyAssignment(parent) ||
    syntax.isPropertyDeclaration(parent) ||
    syntax.isExportAssignment(parent) ||
    syntax.isExpressionStatement(parent);
  if (holds) return parent;
  if (syntax.isBinaryExpression(parent)) return parent.right === node ? parent : undefined;
  return callAround(host, node) ?? boundBy(host, node);
}

/** The call that gets `node` as an argument. */
function callAround({ syntax }: Host, node: Node): CallExpression | undefined {
  const { parent } = node;
  return parent !== undefined && syntax.isCallExpression(parent) && parent.expression !== node
    ? parent
    : undefined;
}

/** The call of `node.bind(self)`. */
function boundBy({ syntax }: Host, { parent }: Node): Node | undefined {
  const isBound = syntax.isPropertyAccessExpression(parent) && parent.name.text === "bind";
  return isBound && syntax.isCallExpression(parent.parent) ? parent.parent : undefined;
}
