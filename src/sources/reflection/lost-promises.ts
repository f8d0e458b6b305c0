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
  /** Whether the program looks whether the value is there. */
  readonly isCondition?: boolean;
}

/**
 * Promises that a program does not wait for, and TypeScript has nothing against: calls that stand alone, callbacks of `forEach` and
 * `filter`, promises as conditions, in texts and in what is returned.
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

const isPromise = (type = ""): boolean => type.startsWith("Promise<");

/** Not one that may be missing: a program may well look whether it is there. */
const isSurelyPromise = (type = ""): boolean => /^Promise<[^]*>$/.test(type);

function suspect(node: Node, text: string, isLost = isPromise): Suspect {
  return { nodes: [node], at: node, judge: ([type]) => (isLost(type) ? text : undefined) };
}

const alone = "This call is not awaited. Did you forget to use 'await'?";
const asValue = "This value is a promise. Did you forget to use 'await'?";
const inside = "This value has a promise in it. Use 'await', or 'await Promise.all(...)' for a list.";
const returned =
  "The program returns a promise within a value. Use 'await', or 'await Promise.all(...)' for a list.";

function suspectsIn(file: Node, syntax: typeof Syntax): readonly Suspect[] {
  const suspects: Suspect[] = [];
  const items = new Set<string>();
  const places = [{ node: file, functions: 0 }];
  // A list that grows while it is walked: a program may be nested as deep as it likes.
  for (const { node, functions } of places) {
    suspects.push(...suspectsAt(node, functions, syntax));
    if (isItem(node, syntax)) items.add(node.name.text);
    const inner = isFunction(node, syntax) ? functions + 1 : functions;
    node.forEachChild((child) => void places.push({ node: child, functions: inner }));
  }
  const isItemNamed = (node: Node): boolean => syntax.isIdentifier(node) && items.has(node.text);
  return suspects.filter(({ at, isCondition }) => !isCondition || !isItemNamed(at));
}

/** A variable for an item of a list or a record, which may be missing, whatever its type. */
function isItem(
  node: Node,
  syntax: typeof Syntax,
): node is Syntax.VariableDeclaration & { name: Syntax.Identifier } {
  if (!syntax.isVariableDeclaration(node) || !syntax.isIdentifier(node.name)) return false;
  return node.initializer !== undefined && syntax.isElementAccessExpression(node.initializer);
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
  return [
    ...conditionsAt(node, syntax).map((each) => ({
      ...suspect(each, asValue, isSurelyPromise),
      isCondition: true,
    })),
    ...valuesAt(node, syntax)
      .filter((each) => !isPlain(each, syntax))
      .map((each) => suspect(each, asValue)),
  ];
}

/** What is used as a condition, where TypeScript does not look itself. An item of a list or a record may be missing, whatever its type. */
function conditionsAt(node: Node, syntax: typeof Syntax): readonly Node[] {
  return conditionOf(node, syntax).filter(
    (each) => !isPlain(each, syntax) && !syntax.isElementAccessExpression(each),
  );
}

function conditionOf(node: Node, syntax: typeof Syntax): readonly Node[] {
  const { ExclamationToken, BarBarToken, QuestionQuestionToken } = syntax.SyntaxKind;
  if (syntax.isWhileStatement(node) || syntax.isDoStatement(node)) return [node.expression];
  if (syntax.isPrefixUnaryExpression(node)) return node.operator === ExclamationToken ? [node.operand] : [];
  if (!syntax.isBinaryExpression(node)) return [];
  const { kind } = node.operatorToken;
  return kind === BarBarToken || kind === QuestionQuestionToken ? [node.left] : [];
}

/** What is used as a text, a number or an object. */
function valuesAt(node: Node, syntax: typeof Syntax): readonly Node[] {
  if (syntax.isTemplateSpan(node) || syntax.isSpreadAssignment(node)) return [node.expression];
  const { ExclamationToken, PlusToken, PlusEqualsToken, InKeyword } = syntax.SyntaxKind;
  if (syntax.isPrefixUnaryExpression(node)) return node.operator === ExclamationToken ? [] : [node.operand];
  if (!syntax.isBinaryExpression(node)) return [];
  const { kind } = node.operatorToken;
  if (kind === InKeyword) return [node.right];
  return kind === PlusToken || kind === PlusEqualsToken ? [node.left, node.right] : [];
}

function isPlain(node: Node, syntax: typeof Syntax): boolean {
  return syntax.isStringLiteral(node) || syntax.isNumericLiteral(node) || syntax.isAwaitExpression(node);
}

/** Methods of lists that call a function, and do not wait for it. */
const deciding: ReadonlySet<string> = new Set(
  "filter find findIndex findLast findLastIndex some every".split(" "),
);

/** Functions that make a promise into something else. */
const conversions: ReadonlyMap<string, (type?: string) => boolean> = new Map([
  ["String", isPromise],
  ["Number", isPromise],
  ["Boolean", isSurelyPromise],
]);

/** Methods that make a text of a value, or of a list. */
const texts: ReadonlySet<string> = new Set(["join", "toString", "toLocaleString"]);

function suspectsInCall(call: CallExpression, syntax: typeof Syntax): readonly Suspect[] {
  const { expression, arguments: values } = call;
  const isOpen = (node: Node): boolean => !isPlain(node, syntax);
  if (syntax.isIdentifier(expression)) {
    const isLost = conversions.get(expression.text);
    return isLost ? values.filter(isOpen).map((value) => suspect(value, asValue, isLost)) : [];
  }
  if (!syntax.isPropertyAccessExpression(expression)) return [];
  const { expression: owner, name } = expression;
  const [callback] = values;
  if (callback && (name.text === "forEach" || deciding.has(name.text)))
    return [{ nodes: [owner, callback], at: callback, judge: (types) => judgeCallback(name.text, types) }];
  if (texts.has(name.text)) return [{ nodes: [owner], at: owner, judge: judgeText }];
  const global = syntax.isIdentifier(owner) ? owner.text : "";
  const isPrinted = global === "console" || (global === "JSON" && name.text === "stringify");
  return isPrinted
    ? values.filter(isOpen).map((each) => ({ nodes: [each], at: each, judge: judgeText }))
    : [];
}

/** A value of which a text is made. */
function judgeText([type]: readonly string[]): string | undefined {
  if (holdsPromise(type)) return inside;
  return isPromise(type) ? asValue : undefined;
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
  return (
    /(?:[{;] [^:;{}()]+: |\[|, )Promise</.test(type) || /^(?:\((?:[^()]* \| )?)?Promise<[^]*\[\]$/.test(type)
  );
}
