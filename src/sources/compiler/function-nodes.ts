import type {
  BindingPattern,
  CallSignatureDeclaration,
  FunctionLikeDeclaration,
  FunctionTypeNode,
  Host,
  MethodSignatureDeclaration,
  Node,
  Signature,
  SourceFile,
} from "./host.ts";

/** What declares a function: with its code, or in a type. */
export type FunctionNode =
  | FunctionLikeDeclaration
  | FunctionTypeNode
  | MethodSignatureDeclaration
  | CallSignatureDeclaration;

/** What is known of a function at run time, which identifies its source. */
export interface FunctionShape {
  /** `function.name`, without `bound `; empty for an anonymous function. */
  readonly name: string;
  /**
   * The parameters in order: a name; `...name`; `{a,b}` for an object pattern with these keys; `[]` for an array
   * pattern. Not compared if absent.
   */
  readonly parameters?: readonly string[];
}

/** The function whose head (name, parameters, up to its body) or first token holds `position`, a UTF-16 offset. */
export function functionAtPosition(
  host: Host,
  file: SourceFile,
  position: number,
): FunctionLikeDeclaration | undefined {
  const { syntax } = host;
  let node: Node | undefined = syntax.getTokenAtPosition(file, position);
  for (; node !== undefined && !syntax.isSourceFile(node); node = node.parent) {
    if (!syntax.isFunctionLikeDeclaration(node)) continue;
    if (node.body === undefined || position <= node.body.getStart(file)) return node;
  }
  return undefined;
}

interface ListedFunction {
  readonly node: FunctionLikeDeclaration;
  readonly name: string | undefined;
  /** The parameters as `FunctionShape` writes them, joined. */
  readonly parameters: string;
}

const functionsByFile = new WeakMap<SourceFile, readonly ListedFunction[]>();

/** All functions of a file that have a body, in the order of the text. */
function functionsIn(host: Host, file: SourceFile): readonly ListedFunction[] {
  const cached = functionsByFile.get(file);
  if (cached !== undefined) return cached;
  const functions: ListedFunction[] = [];
  function visit(node: Node): void {
    if (host.syntax.isFunctionLikeDeclaration(node) && node.body !== undefined) {
      functions.push({
        node,
        name: runtimeName(host, node),
        parameters: parameterNames(host, node).join(),
      });
    }
    node.forEachChild(visit);
  }
  visit(file);
  functionsByFile.set(file, functions);
  return functions;
}

/** The functions of a file that have a shape; those whose name only running them can show come in where no other fits. */
export function functionsOfShape(
  host: Host,
  file: SourceFile,
  { name, parameters }: FunctionShape,
): readonly FunctionLikeDeclaration[] {
  const all = functionsIn(host, file);
  const wanted = parameters?.join();
  const exact = all.filter((each) => wanted === undefined || each.parameters === wanted);
  const fitting = exact.length > 0 ? exact : all.filter((each) => isRenamed(each.parameters, wanted ?? ""));
  const named = fitting.filter((each) => each.name === name);
  const chosen = named.length > 0 ? named : fitting.filter((each) => each.name === undefined);
  return chosen.map((each) => each.node);
}

/**
 * Whether parameters differ as esbuild (in tsx, say) rewrites them: a number behind a name that is taken elsewhere in the
 * module, and escapes for what is not ASCII.
 */
function isRenamed(sourceName: string, running: string): boolean {
  const plain = (names: string): string =>
    names
      .replaceAll(/\\u(?:\{([\da-f]+)\}|([\da-f]{4}))/gi, (_, long: string = "", short: string = "") =>
        String.fromCodePoint(Number.parseInt(long || short, 16)),
      )
      .replaceAll(/\d+(?=,|$)/g, "");
  return plain(sourceName) === plain(running);
}

/** The `name` that JavaScript gives a function; `undefined` where only running it can show (computed keys). */
export function runtimeName(host: Host, node: FunctionNode): string | undefined {
  const name = "name" in node ? node.name : undefined;
  if (name !== undefined) return textOfName(host, name);
  return host.syntax.isFunctionDeclaration(node) ? "default" : nameFromHolder(host, node);
}

/** The name that an anonymous function takes from what it is assigned to. */
function nameFromHolder(host: Host, node: Node): string | undefined {
  const { syntax } = host;
  const { parent } = node;
  const isWrapping =
    syntax.isParenthesizedExpression(parent) ||
    syntax.isAsExpression(parent) ||
    syntax.isSatisfiesExpression(parent);
  if (isWrapping) return nameFromHolder(host, parent);
  if (syntax.isExportAssignment(parent)) return "default";
  const isNaming =
    syntax.isVariableDeclaration(parent) ||
    syntax.isPropertyAssignment(parent) ||
    syntax.isPropertyDeclaration(parent) ||
    syntax.isParameterDeclaration(parent) ||
    syntax.isBindingElement(parent);
  if (isNaming) return parent.name === undefined ? "" : textOfName(host, parent.name);
  const isAssigned =
    syntax.isBinaryExpression(parent) && parent.operatorToken.kind === syntax.SyntaxKind.EqualsToken;
  return isAssigned && syntax.isIdentifier(parent.left) ? parent.left.text : "";
}

function textOfName(host: Host, name: Node): string | undefined {
  const { syntax } = host;
  if (syntax.isComputedPropertyName(name)) return undefined;
  const isText =
    syntax.isIdentifier(name) ||
    syntax.isStringLiteral(name) ||
    syntax.isNumericLiteral(name) ||
    syntax.isPrivateIdentifier(name);
  return isText ? name.text : "";
}

/** The parameters as `FunctionShape` writes them, without `this`. */
export function parameterNames(host: Host, node: FunctionNode): readonly string[] {
  const { syntax } = host;
  return [...node.parameters]
    .filter((parameter) => !(syntax.isIdentifier(parameter.name) && parameter.name.text === "this"))
    .map(({ name, dotDotDotToken }) => {
      const text = syntax.isIdentifier(name) ? name.text : patternText(host, name);
      return dotDotDotToken === undefined ? text : `...${text}`;
    });
}

function patternText(host: Host, pattern: BindingPattern): string {
  const { syntax } = host;
  if (!syntax.isObjectBindingPattern(pattern)) return "[]";
  const keys = [...pattern.elements].map((element) => {
    const key = element.propertyName ?? element.name;
    const text = key === undefined ? "" : (textOfName(host, key) ?? "");
    return element.dotDotDotToken === undefined ? text : `...${text}`;
  });
  return `{${keys.join(",")}}`;
}

/** What declares a signature, if that is a function or the type of one. */
export function functionOfSignature(host: Host, signature: Signature): FunctionNode | undefined {
  const { syntax } = host;
  const node = host.signatureDeclaration(signature);
  const isFunction =
    node !== undefined &&
    (syntax.isFunctionLikeDeclaration(node) ||
      syntax.isFunctionTypeNode(node) ||
      syntax.isMethodSignatureDeclaration(node) ||
      syntax.isCallSignatureDeclaration(node));
  return isFunction ? node : undefined;
}
