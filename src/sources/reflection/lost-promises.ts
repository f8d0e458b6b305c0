import type * as Syntax from "typescript/unstable/ast";
import type * as TypeScript from "typescript/unstable/async";
import type { CallExpression, Node } from "../compiler/host.ts";
import type { ProgramMistake } from "./program-mistake.ts";

/** How many expressions are looked at: each is a question to TypeScript. */
const mostSuspects = 200;

/** Expressions where a promise may be lost, and what is wrong if their types say that it is. */
interface Suspect {
  readonly nodes: readonly Node[];
  /** Where the mistake is. */
  readonly at: Node;
  readonly judge: (types: readonly string[]) => string | undefined;
}

/**
 * Promises that a program does not wait for, and TypeScript has nothing against: calls that stand alone, callbacks of `forEach` and
 * `filter`, promises in texts and in what is returned.
 * @param path - The program, which is the body of its only function.
 */
export async function lostPromises(
  { program, checker }: TypeScript.Project,
  path: string,
  syntax: typeof Syntax,
): Promise<readonly ProgramMistake[]> {
  const file = await program.getSourceFile(path);
  const suspects = file ? suspectsIn(file, syntax).slice(0, mostSuspects) : [];
  const nodes = suspects.flatMap((each) => each.nodes);
  const types = nodes.length === 0 ? [] : await checker.getTypeAtLocation(nodes);
  const texts = new Map<number, Promise<string>>();
  const textOf = (type: TypeScript.Type | undefined): Promise<string> => {
    if (!type) return Promise.resolve("");
    const text = texts.get(type.id) ?? checker.typeToString(type);
    texts.set(type.id, text);
    return text;
  };
  const all = await Promise.all(types.map(textOf));
  const byNode = new Map(nodes.map((node, index) => [node, all[index] ?? ""]));
  return suspects.flatMap(({ nodes: own, at, judge }) => {
    const text = judge(own.map((node) => byNode.get(node) ?? ""));
    return text === undefined ? [] : [{ start: at.getStart(), end: at.end, text }];
  });
}

const isPromise = (type: string | undefined): boolean => type?.startsWith("Promise<") ?? false;

function suspect(node: Node, text: string, isLost = isPromise): Suspect {
  return { nodes: [node], at: node, judge: ([type]) => (isLost(type) ? text : undefined) };
}

const alone = "This call is not awaited. Did you forget to use 'await'?";
const asValue = "This value is a promise. Did you forget to use 'await'?";
const returned =
  "The program returns a promise within a value. Use 'await', or 'await Promise.all(...)' for a list.";

function suspectsIn(file: Node, syntax: typeof Syntax): readonly Suspect[] {
  const suspects: Suspect[] = [];
  const places = [{ node: file, functions: 0 }];
  // A list that grows while it is walked: a program may be nested as deep as it likes.
  for (const { node, functions } of places) {
    suspects.push(...suspectsAt(node, functions, syntax));
    const inner = isFunction(node, syntax) ? functions + 1 : functions;
    node.forEachChild((child) => void places.push({ node: child, functions: inner }));
  }
  return suspects;
}

function isFunction(node: Node, syntax: typeof Syntax): boolean {
  if (syntax.isArrowFunction(node) || syntax.isFunctionExpression(node)) return true;
  return syntax.isFunctionDeclaration(node) || syntax.isMethodDeclaration(node);
}

/** @param functions - How many functions are around it. */
function suspectsAt(node: Node, functions: number, syntax: typeof Syntax): readonly Suspect[] {
  if (syntax.isExpressionStatement(node))
    return syntax.isCallExpression(node.expression) ? [suspect(node.expression, alone)] : [];
  if (syntax.isReturnStatement(node))
    return functions === 1 && node.expression && !isPlain(node.expression, syntax)
      ? [suspect(node.expression, returned, holdsPromise)]
      : [];
  if (syntax.isCallExpression(node)) return suspectsInCall(node, syntax);
  return valuesAt(node, syntax)
    .filter((each) => !isPlain(each, syntax))
    .map((each) => suspect(each, asValue));
}

/** What is used as a text or as a condition. TypeScript looks at other conditions itself. */
function valuesAt(node: Node, syntax: typeof Syntax): readonly Node[] {
  if (syntax.isTemplateSpan(node)) return [node.expression];
  if (syntax.isWhileStatement(node) || syntax.isDoStatement(node)) return [node.expression];
  if (syntax.isPrefixUnaryExpression(node))
    return node.operator === syntax.SyntaxKind.ExclamationToken ? [node.operand] : [];
  if (!syntax.isBinaryExpression(node)) return [];
  const { PlusToken, PlusEqualsToken } = syntax.SyntaxKind;
  const { kind } = node.operatorToken;
  return kind === PlusToken || kind === PlusEqualsToken ? [node.left, node.right] : [];
}

function isPlain(node: Node, syntax: typeof Syntax): boolean {
  return syntax.isStringLiteral(node) || syntax.isNumericLiteral(node) || syntax.isAwaitExpression(node);
}

/** Methods of lists that call a function, and do not wait for it. */
const deciding: ReadonlySet<string> = new Set(
  "filter find findIndex findLast findLastIndex some every".split(" "),
);

function suspectsInCall(call: CallExpression, syntax: typeof Syntax): readonly Suspect[] {
  const { expression, arguments: values } = call;
  if (!syntax.isPropertyAccessExpression(expression)) {
    const isText = syntax.isIdentifier(expression) && expression.text === "String";
    return isText ? values.map((value) => suspect(value, asValue)) : [];
  }
  const { expression: owner, name } = expression;
  const [callback] = values;
  if (callback && (name.text === "forEach" || deciding.has(name.text)))
    return [{ nodes: [owner, callback], at: callback, judge: (types) => judgeCallback(name.text, types) }];
  const global = syntax.isIdentifier(owner) ? owner.text : "";
  const isPrinted = global === "console" || (global === "JSON" && name.text === "stringify");
  return isPrinted
    ? values.filter((each) => !isPlain(each, syntax)).map((each) => suspect(each, asValue))
    : [];
}

function judgeCallback(method: string, [list = "", callback = ""]: readonly string[]): string | undefined {
  const isList = list.endsWith("]") || /^(?:readonly |(?:Readonly)?(?:Array|Set|Map)<)/.test(list);
  if (!isList || !/^(?:<[^]*>)?\([^]*\) => Promise<[^]*>$/.test(callback)) return undefined;
  return method === "forEach"
    ? "forEach does not wait for promises. Use a for loop with 'await', or 'await Promise.all(list.map(...))'."
    : `${method} takes each promise as true. Use 'await Promise.all(list.map(...))' first, and then ${method}.`;
}

/** Whether a type has a promise as an item or a property: what is returned is awaited itself, and is JSON. */
function holdsPromise(type = ""): boolean {
  return /(?:[{;] [^:;{}()]+: |\[|, )Promise</.test(type) || /^\(?Promise<[^]*\[\]$/.test(type);
}
