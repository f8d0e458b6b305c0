import { isConstraint } from "./constraints.ts";
import type { Report } from "./diagnostics.ts";
import { leadingDocComment, type DocComment, type ParameterDoc } from "./doc-comments.ts";
import { emptyDoc, functionDoc } from "./function-docs.ts";
import { functionOfSignature, type FunctionNode } from "./function-nodes.ts";
import type { Host, Node, Type } from "./host.ts";
import { isOurs } from "./own-package.ts";
import { libraryPath } from "./shapes.ts";
import type { Parameter } from "./signatures.ts";

/** How many classes and interfaces above one another are looked into. */
const mostBases = 10;

/** What declares a function, and the comment that speaks of it. */
interface Documented {
  readonly node: FunctionNode;
  readonly doc: DocComment;
}

/**
 * A function's comment, completed by the type that is expected where it stands, of each parameter that has no words of its own; of a
 * method without a comment, that of what it overrides or implements.
 */
export function withInheritedDoc(
  host: Host,
  fn: FunctionNode,
  own: DocComment,
  report: Report | undefined,
): DocComment {
  // A comment of its own is all that a method says, as for editors.
  const isSilent = own.summary === "" && own.parameters.size === 0;
  const bases = isSilent ? basesOf(host, fn, mostBases) : [];
  const all = bases.length > 0 ? bases : expectedOf(host, fn, own);
  if (all.length === 0) return own;
  const parameters = new Map(own.parameters);
  for (const [path, entry] of inheritedEntries(host, fn, own, all, report)) parameters.set(path, entry);
  const summary = own.summary || (bases.find(({ doc }) => doc.summary !== "")?.doc.summary ?? "");
  const isSame = summary === own.summary && parameters.size === own.parameters.size;
  return isSame ? own : { ...own, summary, parameters };
}

/** A function's `@param` entries, and the comments within its parameter list as entries. */
export function withParameterComments(
  { syntax }: Host,
  { parameters }: FunctionNode,
  doc: DocComment,
): DocComment {
  const entries = new Map(doc.parameters);
  for (const parameter of parameters) {
    const comment = leadingDocComment(parameter);
    if (comment === undefined || !syntax.isIdentifier(parameter.name)) continue;
    const { description = "", tags = [] } = entries.get(parameter.name.text) ?? {};
    entries.set(parameter.name.text, {
      description: description || comment.summary,
      tags: [...comment.tags, ...tags],
    });
  }
  return entries.size === doc.parameters.size && entries.size === 0 ? doc : { ...doc, parameters: entries };
}

function inheritedEntries(
  host: Host,
  fn: FunctionNode,
  own: DocComment,
  bases: readonly Documented[],
  report: Report | undefined,
): ReadonlyMap<string, ParameterDoc> {
  const result = new Map<string, ParameterDoc>();
  const names = parametersOf(host, fn).map(({ name }) =>
    host.syntax.isIdentifier(name) ? name.text : undefined,
  );
  const hasWords = new Set(
    parametersOf(host, fn).flatMap((each) => (leadingDocComment(each) ? [each.name.getText()] : [])),
  );
  for (const { node, doc } of bases) {
    const places = new Map(parametersOf(host, node).map(({ name }, place) => [name.getText(), place]));
    for (const [path, entry] of withParameterComments(host, node, doc).parameters) {
      const [root = ""] = /^[^.[]*/.exec(path) ?? [];
      const place = places.get(root);
      if (place === undefined || own.parameters.has(path) || hasWords.has(path)) continue;
      const isNamed = names[place] === root || (place < names.length && names[place] === undefined);
      if (isNamed) result.set(path, joined(result.get(path), entry));
      else if (place < names.length) warnOfNames(report, fn, names[place] ?? root, root, entry);
    }
  }
  return result;
}

/** What several declarations say of one parameter holds together. */
function joined(before: ParameterDoc | undefined, { description, tags }: ParameterDoc): ParameterDoc {
  return {
    description: before?.description || description,
    tags: [...(before?.tags ?? []), ...tags],
  };
}

/** Under another name, a parameter may mean something else. */
function warnOfNames(
  report: Report | undefined,
  fn: FunctionNode,
  name: string,
  other: string,
  { tags }: ParameterDoc,
): void {
  const constraint = tags.find((tag) => isConstraint(tag.name));
  if (constraint === undefined) return;
  const message = `@${constraint.name} of "${other}", as its type calls it, is left out: write it in the comment of the function`;
  report?.warning(name, fn, message);
}

function parametersOf({ syntax }: Host, fn: FunctionNode): readonly FunctionNode["parameters"][number][] {
  return [...fn.parameters].filter(({ name }) => !(syntax.isIdentifier(name) && name.text === "this"));
}

/** The members that a method, or a function in a property of a class, implements or overrides. */
function basesOf(host: Host, fn: FunctionNode, depth: number): readonly Documented[] {
  const { syntax } = host;
  const member = syntax.isMethodDeclaration(fn) ? fn : fn.parent;
  const owner = member?.parent;
  const isMember =
    member !== undefined && (syntax.isMethodDeclaration(member) || syntax.isPropertyDeclaration(member));
  if (!isMember || depth === 0 || owner === undefined || !syntax.isClassLikeDeclaration(owner)) return [];
  const types = [...(owner.heritageClauses ?? [])].flatMap((clause) => [...clause.types]);
  if (types.length === 0 || !syntax.isIdentifier(member.name)) return [];
  const name = member.name.text;
  const declarations = host.typesAt(types).flatMap((type) => {
    const property = type && host.properties(type).find((each) => each.name === name);
    return property?.declarations() ?? [];
  });
  return declarations.flatMap((declaration) => {
    const node = functionIn(host, declaration);
    if (node === undefined || !isOfProgram(node)) return [];
    const comment = leadingDocComment(declaration) ?? functionDoc(host, node);
    const doc = comment.summary === "" && comment.parameters.size === 0 ? emptyDoc : comment;
    return [{ node, doc }, ...(doc === emptyDoc ? basesOf(host, node, depth - 1) : [])];
  });
}

/** The function that a member declares, in a type or with its code. */
function functionIn({ syntax }: Host, member: Node): FunctionNode | undefined {
  if (syntax.isMethodDeclaration(member) || syntax.isMethodSignatureDeclaration(member)) return member;
  const isTyped = syntax.isPropertySignatureDeclaration(member) || syntax.isPropertyDeclaration(member);
  if (!isTyped) return undefined;
  if (member.type !== undefined && syntax.isFunctionTypeNode(member.type)) return member.type;
  const value = syntax.isPropertyDeclaration(member) ? member.initializer : undefined;
  const isFunction = value && (syntax.isArrowFunction(value) || syntax.isFunctionExpression(value));
  return isFunction ? value : undefined;
}

/** Parameters of a function, those without a type as the function type writes them that is expected there. */
export function withExpectedTypes(
  host: Host,
  fn: FunctionNode,
  parameters: readonly Parameter[],
): readonly Parameter[] {
  const isTyped = ({ declaration, isRest }: Parameter): boolean =>
    isRest || (declaration?.type ?? declaration?.initializer) !== undefined;
  if (parameters.every(isTyped)) return parameters;
  const expected = expectedFunction(host, fn);
  if (expected === undefined || expected === fn || !isOfProgram(expected)) return parameters;
  const nodes = parametersOf(host, expected).map(({ type }) => type);
  const places = new Map(parametersOf(host, fn).map((declaration, place) => [declaration, place]));
  return parameters.map((parameter) => {
    const place = parameter.declaration && places.get(parameter.declaration);
    const typeNode = place === undefined || isTyped(parameter) ? undefined : nodes[place];
    const [type] = typeNode === undefined ? [] : host.typesAt([typeNode]);
    // What was written for a type parameter says nothing of what it has become.
    return type && presentId(host, type) === presentId(host, parameter.type)
      ? { ...parameter, typeNode }
      : parameter;
  });
}

function presentId(host: Host, type: Type): number {
  return (host.withoutAbsence(type) ?? type).id;
}

/** The function type that is expected of a function expression, or of a method of an object literal. */
function expectedOf(host: Host, fn: FunctionNode, own: DocComment): readonly Documented[] {
  const isWhole = parametersOf(host, fn).every((each) => own.parameters.has(each.name.getText()));
  const node = isWhole ? undefined : expectedFunction(host, fn);
  if (node === undefined || node === fn || !isOfProgram(node)) return [];
  const holder = [node, node.parent].map(leadingDocComment).find((doc) => doc !== undefined);
  return [{ node, doc: holder ?? emptyDoc }];
}

function expectedFunction(host: Host, fn: FunctionNode): FunctionNode | undefined {
  const { syntax } = host;
  if (syntax.isMethodDeclaration(fn) && syntax.isObjectLiteralExpression(fn.parent)) {
    const whole = host.contextualType(fn.parent);
    const name = fn.name.getText();
    const property = whole && host.properties(whole).find((each) => each.name === name);
    return property && ofType(host, property.type);
  }
  const isExpression = syntax.isArrowFunction(fn) || syntax.isFunctionExpression(fn);
  const isFree = syntax.isVariableDeclaration(fn.parent) && fn.parent.type === undefined;
  const type = isExpression && !isFree ? host.contextualType(fn) : undefined;
  return type && ofType(host, type);
}

function ofType(host: Host, type: Type): FunctionNode | undefined {
  const present = host.withoutAbsence(type) ?? type;
  const signature = host.callSignature(present);
  return signature && functionOfSignature(host, signature);
}

/** Whether the program declares something: libraries, and Skein itself, speak of functions in general. */
function isOfProgram(node: Node): boolean {
  const { fileName } = node.getSourceFile();
  return !libraryPath.test(fileName) && !isOurs(fileName);
}
