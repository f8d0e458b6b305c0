import type { FunctionSchema } from "../../schema/function-schema.ts";
import { toPlacementSchema } from "../../schema/placement-schema.ts";
import { SchemaNotFoundError } from "../../errors.ts";
import {
  createReport,
  isJavaScript,
  placeText,
  signatureError,
  unseenNull,
  type Report,
} from "./diagnostics.ts";
import type { DocComment } from "./doc-comments.ts";
import { callBeforeComment, emptyDoc, functionDoc } from "./function-docs.ts";
import { runtimeName, type FunctionNode } from "./function-nodes.ts";
import type { Host, Node, Signature, Type } from "./host.ts";
import { withExpectedTypes, withInheritedDoc, withParameterComments } from "./inherited-docs.ts";
import { outputSchemaOf, outputSchemaOfType } from "./output.ts";
import { describeParameters, type Input } from "./parameters.ts";
import { prefetch } from "./prefetch.ts";
import { declaredParameters, signatureParameters, type Parameter } from "./signatures.ts";
import { namesToolContext } from "./named-contexts.ts";
import { neededThis, neededThisOf, thisParameter } from "./this-types.ts";
import { contextProblem, isToolContext } from "./tool-context.ts";
import { holdsContext, holdsUnresolved } from "./types/context-within.ts";
import { createConversion } from "./types/convert.ts";
import type { Conversion } from "./types/conversion.ts";
import { isContextName, isOfPackage, unresolvedMessage, unresolvedName } from "./unresolved.ts";
import { contextPlaces, ownContextPlaces, undeclaredContext } from "./undeclared-contexts.ts";
import { lacksTypes, readsArguments, untypedParts } from "./untyped.ts";

/** A function's schema, or why it has none. */
export type FunctionDescription = FunctionSchema | SchemaNotFoundError;

/**
 * Describes a function from its signature and its doc comment.
 * @param name - The tool's name; by default the one that JavaScript gives the function.
 * @param inner - What has a comment that speaks of it, where it has none: the function that it wraps, the call that returned it.
 */
export function describeFunction(
  host: Host,
  node: FunctionNode,
  name: string = runtimeName(host, node) ?? "",
  inner?: WordSource,
): FunctionDescription {
  prefetch(host, [node.getSourceFile()]);
  const report = createReport();
  const declared = declaredSignature(host, node, report);
  const parameters = withExpectedTypes(host, declared, declaredParameters(host, declared));
  reportUntyped(host, declared, parameters, report);
  const own = functionDoc(host, declared);
  const words = inner && own.summary === "" ? completed(own, docOfInner(host, inner, parameters)) : own;
  const doc = withInheritedDoc(host, declared, words, report);
  if (doc === emptyDoc) warnOfComment(host, declared, report);
  reportThis(host, declared, doc, report);
  const member = memberOf(host, node);
  const isHidden = isDeclaredHidden(host, member) || isHiddenByComment(doc);
  const isOpen = !isHidden && isClassMember(host, member);
  const isPublic = isOpen && isForEverybody(host, member);
  const memberAt = isOpen && !isPublic ? placeText(declared) : undefined;
  const thisType = neededThis(host, declared, doc);
  const described = describeAs(
    host,
    { name, doc, parameters, node: declared, isHidden, thisType, memberAt },
    report,
  );
  if (described instanceof SchemaNotFoundError) return described;
  const outputSchema = outputSchemaOf(host, declared);
  return {
    ...described,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(isHidden ? { hidden: true } : {}),
    ...(isPublic ? { public: true as const } : {}),
    ...(memberAt === undefined ? {} : { memberAt }),
    ...(parameters.length === 0 && lacksTypes(host, declared) ? { untypedAt: placeText(declared) } : {}),
  };
}

/** What has a comment that speaks of a function: one that it wraps, or the call that returned it. */
export interface WordSource {
  readonly node: Node;
  /** How many parameters `bind` has filled: their entries speak of nothing. */
  readonly bound: number;
}

/** Where the descriptions of a signature come from. */
export interface SignatureDocs {
  readonly name: string;
  readonly documented: WordSource | undefined;
  /** The expression that has the type. */
  readonly node: Node;
}

/** Describes a function by its type alone, for an expression without a declaration. */
export function describeSignature(
  host: Host,
  signature: Signature,
  { name, documented, node }: SignatureDocs,
): FunctionDescription {
  const report = createReport();
  const parameters = signatureParameters(host, signature, node);
  const doc = documented ? docOfInner(host, documented, parameters) : emptyDoc;
  const thisType = neededThisOf(host, signature);
  const described = describeAs(host, { name, doc, parameters, node, isHidden: false, thisType }, report);
  if (described instanceof SchemaNotFoundError) return described;
  const result = host.returnType(signature);
  const outputSchema = result && outputSchemaOfType(host, result, node);
  return { ...described, ...(outputSchema === undefined ? {} : { outputSchema }) };
}

/** A comment without a summary, with what another one says besides. */
function completed(doc: DocComment, other: DocComment): DocComment {
  if (doc === emptyDoc) return other;
  const parameters = new Map([...other.parameters, ...doc.parameters]);
  return { summary: other.summary, parameters, tags: [...doc.tags, ...other.tags] };
}

/** What a comment says of parameters is checked before each call: where it is not read, that must be seen. */
function warnOfComment(host: Host, node: Node, report: Report): void {
  const call = callBeforeComment(host, node);
  if (call === undefined) return;
  const message = "the comment above this call is not read, as it may speak of another function";
  report.warning("", call, `${message}: write it in front of the function`);
}

/** What a wrapped function's comment says of those parameters that have the same names. */
function docOfInner(host: Host, { node, bound }: WordSource, parameters: readonly Parameter[]): DocComment {
  const comment = functionDoc(host, node);
  const fn = host.syntax.isFunctionLikeDeclaration(node) ? node : undefined;
  const doc = fn ? withParameterComments(host, fn, withInheritedDoc(host, fn, comment, undefined)) : comment;
  const filled = fn && bound > 0 ? declaredParameters(host, fn).slice(0, bound) : [];
  const names = new Set(parameters.map(({ name }) => name));
  for (const { name } of filled) names.delete(name);
  const isTaken = (path: string): boolean => names.has(/^[^.[\]]*/.exec(path)?.[0]);
  return { ...doc, parameters: new Map([...doc.parameters].filter(([path]) => isTaken(path))) };
}

function reportUntyped(host: Host, fn: FunctionNode, parameters: readonly Parameter[], report: Report): void {
  for (const { declaration, type } of parameters) {
    const parts = declaration ? untypedParts(host, fn, declaration, type) : [];
    for (const { path, node, message } of parts) report.problem(path, node, message, "untyped");
  }
  if (readsArguments(host, fn)) {
    report.problem("arguments", fn, "it reads arguments that its signature does not name", "untyped");
  }
}

/** A tool is called as a function, or on its instance: a context as `this` is never injected. */
function reportThis(host: Host, fn: FunctionNode, { tags }: DocComment, report: Report): void {
  const parameter = thisParameter(host, fn);
  const isWritten = parameter?.type !== undefined && namesToolContext(host, parameter.type);
  if (!isWritten && !tags.some(({ name, text }) => name === "this" && /\bToolContext\b/.test(text))) return;
  const remedy = "write the ToolContext as a parameter of its own, such as context: ToolContext";
  report.problem("this", parameter ?? fn, `it is not injected: ${remedy}`);
}

/** An unresolved name is `any` to the checker: the real type is unknown. */
function reportUnresolved(host: Host, parameters: readonly Parameter[], report: Report): void {
  for (const { name, typeNode, node } of parameters) {
    const missing = typeNode && unresolvedName(host, typeNode);
    if (typeNode === undefined || missing === undefined) continue;
    if (isOfPackage(typeNode) && !isContextName(missing, typeNode)) continue;
    report.problem(name ?? "", node, unresolvedMessage(missing, node.getSourceFile().fileName));
  }
}

interface Described {
  readonly name: string;
  readonly doc: DocComment;
  readonly parameters: readonly Parameter[];
  readonly node: Node;
  readonly isHidden: boolean;
  /** The type that it requires of `this`. */
  readonly thisType: string | undefined;
  /** Where it is written, if nothing shows whether it is public. */
  readonly memberAt?: string | undefined;
}

/** Reports contexts that are in the source, but not in the types that the checker derives from it. */
function reportHiddenContexts(host: Host, parameters: readonly Parameter[], report: Report): boolean {
  for (const { declaration, type } of parameters) {
    if (declaration?.type === undefined || isToolContext(host, type)) continue;
    if (!namesToolContext(host, declaration.type)) continue;
    report.problem(declaration.name.getText(), declaration, contextProblem);
  }
  return report.problems.length > 0;
}

function describeAs(
  host: Host,
  { name, doc, parameters, node, isHidden, thisType, memberAt }: Described,
  report: Report,
): FunctionDescription {
  reportUnresolved(host, parameters, report);
  // Nothing can be converted without a type.
  if (report.problems.length > 0) return signatureError(name, report.problems, { isHidden, memberAt });
  const conversion = createConversion(host, report);
  const input = describeParameters(conversion, parameters, doc);
  if (!host.strictNulls) report.warning("", node, unseenNull);
  const isHiding = report.problems.length === 0 && reportHiddenContexts(host, parameters, report);
  const schema = {
    ...assemble(name, doc, conversion, input, report),
    ...(thisType === undefined ? {} : { thisType }),
  };
  if (report.problems.length === 0) return schema;
  const takesContext = isHiding || takesContextAsArgument(host, parameters, report);
  return signatureError(name, report.problems, {
    isHidden,
    memberAt,
    placement: takesContext ? undefined : toPlacementSchema(schema),
  });
}

/** Whether an argument contains a context, or may contain one: a schema for it would let the model invent the context. */
function takesContextAsArgument(host: Host, parameters: readonly Parameter[], { problems }: Report): boolean {
  if (problems.some(({ message }) => message === contextProblem)) return true;
  const mayHold = (type: Type): boolean => holdsContext(host, type) || holdsUnresolved(host, type);
  return parameters.some(({ type }) => !isToolContext(host, type) && mayHold(type));
}

function assemble(
  name: string,
  doc: DocComment,
  conversion: Conversion,
  input: Input,
  report: Report,
): FunctionSchema {
  const { properties, required, additionalProperties, plans } = input;
  const { schema, revive } = conversion.finish({
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties,
  });
  return {
    name,
    ...(doc.summary === "" ? {} : { description: doc.summary }),
    inputSchema: schema,
    parameters: plans,
    ...(Object.keys(revive).length > 0 ? { revive } : {}),
    ...(doc.tags.some((tag) => tag.name === "deprecated") ? { deprecated: true } : {}),
    ...(report.warnings.length > 0 ? { warnings: report.warnings } : {}),
  };
}

/** The class property whose value is the function; else the function itself. */
function memberOf({ syntax }: Host, node: Node): Node {
  let at = node;
  while (syntax.isParenthesizedExpression(at.parent) || syntax.isAsExpression(at.parent)) at = at.parent;
  return syntax.isPropertyDeclaration(at.parent) ? at.parent : node;
}

/** Whether instances have a member of that name: false for static and `#private` ones. */
function isClassMember({ syntax }: Host, member: Node): boolean {
  if (member.parent === undefined || !syntax.isClassLikeDeclaration(member.parent)) return false;
  const isNamed = syntax.isMethodDeclaration(member) || syntax.isPropertyDeclaration(member);
  const isPrivate = isNamed && syntax.isPrivateIdentifier(member.name);
  return !isPrivate && !hasModifier(member, [syntax.SyntaxKind.StaticKeyword]);
}

/** Whether a member is certainly public. JavaScript has no `private`, so a comment there must say `@public`. */
export function isForEverybody(host: Host, member: Node): boolean {
  if (!isJavaScript(member.getSourceFile().fileName)) return true;
  return functionDoc(host, member).tags.some(({ name }) => name === "public");
}

/** Whether a comment marks a method as private. */
export function isHiddenByComment({ tags }: DocComment): boolean {
  const isHiding = (word: string): boolean => /^(?:internal|private|protected)$/.test(word);
  return tags.some(({ name, text }) => isHiding(name === "access" ? text.trim() : name));
}

/** Whether a member is declared private or protected, or marked so by its comment. */
export function isDeclaredHidden({ syntax }: Host, node: Node): boolean {
  const { PrivateKeyword, ProtectedKeyword } = syntax.SyntaxKind;
  return hasModifier(node, [PrivateKeyword, ProtectedKeyword]);
}

function hasModifier(node: Node, kinds: readonly number[]): boolean {
  const modifiers = "modifiers" in node && Array.isArray(node.modifiers) ? node.modifiers : [];
  return modifiers.some(({ kind }: { readonly kind: number }) => kinds.includes(kind));
}

/** The declaration that callers see: the first overload where there are several. */
export function declaredSignature(host: Host, node: FunctionNode, report: Report): FunctionNode {
  const name = "name" in node ? node.name : undefined;
  const symbol = name === undefined ? undefined : host.symbolAt(name);
  const declarations = symbol === undefined ? [] : host.declarationsOf(symbol);
  const functions = declarations.filter((declaration) => host.syntax.isFunctionLikeDeclaration(declaration));
  const overloads = functions.filter((declaration) => declaration.body === undefined);
  const [first] = overloads;
  if (first === undefined) return node;
  if (overloads.length > 1) {
    report.warning("", first, `the first of ${overloads.length} overloads is described`);
  }
  // The arguments decide which overload is called: if one of them takes a context there, no other may take a model's value.
  const contexts = overloads.map((overload) => ownContextPlaces(host, overload).map(({ index }) => index));
  if (new Set(contexts.map(String)).size > 1) {
    report.problem("", first, "only some of its overloads take a ToolContext");
  } else if (undeclaredContext(host, contextPlaces(host, first), declaredParameters(host, first))) {
    report.problem("", first, "its code takes a ToolContext where this overload has none");
  }
  return first;
}
