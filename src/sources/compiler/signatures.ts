import type { FunctionNode } from "./function-nodes.ts";
import type {
  Host,
  Node,
  ParameterDeclaration,
  Signature,
  SignatureParameter,
  Type,
  TypeNode,
} from "./host.ts";
import { isAnyArgument } from "./tool-context.ts";
import { has } from "./types/conversion.ts";

/** A parameter as the checker knows it and, where it is declared, as it is written. */
export interface Parameter {
  /** `undefined` for one that is destructured. */
  readonly name: string | undefined;
  readonly type: Type;
  /** `undefined` for one that only a type shows of: an element of a rest tuple. */
  readonly declaration: ParameterDeclaration | undefined;
  /** What messages point to. */
  readonly node: Node;
  /** The type as it is written. */
  readonly typeNode: TypeNode | undefined;
  readonly isRest: boolean;
  /** Whether `type` is that of one element, where the values of a rest have no array type of their own. */
  readonly isElement?: true;
  readonly isOptional: boolean;
}

/** The parameters that a function declares, without `this`. */
export function declaredParameters(host: Host, fn: FunctionNode): readonly Parameter[] {
  const declarations = parameterDeclarations(host, fn);
  const types = host.typesAt(declarations);
  return declarations.flatMap((declaration, index): Parameter[] => {
    const checked = types[index];
    if (checked === undefined) return [];
    const type = initializedType(host, declaration, checked);
    return [{ ...ofDeclaration(host, declaration), type, typeNode: declaration.type }];
  });
}

/** The parameters of a signature: those of a function's type, with the elements of a rest tuple in their places. */
export function signatureParameters(host: Host, signature: Signature, place: Node): readonly Parameter[] {
  const parameters = host.signatureParameters(signature);
  const isExpanded = parameters.some(({ isRest, type }) => isRest && host.tupleElements(type) !== undefined);
  const names = isExpanded ? host.signatureNames(signature, place) : [];
  return parameters.flatMap((parameter): readonly Parameter[] => {
    const elements = parameter.isRest ? host.tupleElements(parameter.type) : undefined;
    if (elements === undefined) return [ofSignature(host, parameter, place)];
    return elements.map((element, index) => ({
      name: names[parameters.length - 1 + index] || `argument${parameters.length + index}`,
      type: element.type,
      declaration: undefined,
      node: place,
      typeNode: undefined,
      isRest: element.kind === "rest",
      ...(element.kind === "rest" && { isElement: true as const }),
      isOptional: element.kind === "optional",
    }));
  });
}

/** Whether a signature is that of a function as it is declared, no type parameter around it filled in. */
export function isOwnSignature(host: Host, fn: FunctionNode, signature: Signature): boolean {
  if (host.signatureDeclaration(signature) !== fn) return false;
  const declared = host.typesAt(parameterDeclarations(host, fn));
  return host.signatureParameters(signature).every(({ type }, index) => declared[index]?.id === type.id);
}

/** Whether all signatures take the same arguments, by the same names: a model sees no difference. */
export function takeTheSame(host: Host, signatures: readonly Signature[], place: Node): boolean {
  const texts = signatures.map((signature) => {
    const parameters = signatureParameters(host, signature, place);
    const own = host.thisType(signature)?.id ?? null;
    return JSON.stringify([
      own,
      ...parameters.map(({ name, type, isRest, isOptional }) => [
        name ?? null,
        presentType(host, type),
        isRest,
        isOptional,
      ]),
    ]);
  });
  return new Set(texts).size <= 1;
}

/**
 * Whether a function declares the parameters of a signature: as many, of the same types, at the same places.
 * @param bound - How many of the function's parameters `bind` has filled.
 */
export function declaresSignature(
  host: Host,
  fn: FunctionNode,
  parameters: readonly Parameter[],
  bound = 0,
): boolean {
  const declared = declaredParameters(host, fn).slice(bound);
  return (
    declared.length === parameters.length &&
    declared.every(({ type, isRest, isOptional }, index) => {
      const other = parameters[index];
      return (
        other !== undefined &&
        other.isRest === isRest &&
        other.isOptional === isOptional &&
        presentType(host, other.type) === presentType(host, type)
      );
    })
  );
}

/**
 * Whether a function calls its parameters as a signature does. What another function passes on under other names, it may pass on in
 * another order. Names that only places have, such as those of a tuple without names, say nothing.
 */
export function namesParameters(
  host: Host,
  fn: FunctionNode,
  parameters: readonly Parameter[],
  bound = 0,
): boolean {
  const declared = declaredParameters(host, fn).slice(bound);
  return declared.every(({ name }, index) => {
    const other = parameters[index];
    const isPlace = other?.declaration === undefined && /\d$/.test(other?.name ?? "0");
    return isPlace || name === other?.name;
  });
}

/** Whether the code of a function has other names for the parameters of the type by which it is known: what they mean, the code says. */
export function isRenamed(host: Host, fn: FunctionNode, parameters: readonly Parameter[]): boolean {
  if (!("body" in fn) || fn.body === undefined) return false;
  return declaredParameters(host, fn).some(({ name, isRest }, index) => {
    const other = parameters[index];
    if (isRest || other === undefined || other.isRest) return false;
    return name !== undefined && other.name !== undefined && name !== other.name;
  });
}

/** The parameters of a declaration, without `this`. */
function parameterDeclarations({ syntax }: Host, fn: FunctionNode): readonly ParameterDeclaration[] {
  return [...fn.parameters].filter(({ name }) => !(syntax.isIdentifier(name) && name.text === "this"));
}

/** What identifies a type, whether or not a value may be left out. */
function presentType(host: Host, type: Type): string {
  if (!has(type, host.flags.Union)) return String(type.id);
  const members = host.unionMembers(type).filter((member) => !has(member, host.flags.Undefined));
  return members
    .map(({ id }) => id)
    .toSorted((left, right) => left - right)
    .join();
}

function ofDeclaration(
  { syntax }: Host,
  declaration: ParameterDeclaration,
): Omit<Parameter, "type" | "typeNode"> {
  const { name, dotDotDotToken, questionToken, initializer } = declaration;
  return {
    name: syntax.isIdentifier(name) ? name.text : undefined,
    declaration,
    node: declaration,
    isRest: dotDotDotToken !== undefined,
    isOptional: (questionToken ?? initializer) !== undefined,
  };
}

function ofSignature(host: Host, parameter: SignatureParameter, place: Node): Parameter {
  const { name, type, declaration, isOptional, isRest } = parameter;
  if (declaration === undefined) {
    return { name, type, declaration, node: place, typeNode: undefined, isRest, isOptional };
  }
  const [declared] = host.typesAt([declaration]);
  // What was written for a type parameter says nothing of what it has become.
  const typeNode = declared?.id === type.id ? declaration.type : undefined;
  return { ...ofDeclaration(host, declaration), node: place, type, typeNode, isOptional, isRest };
}

/** Where a tool is expected, a parameter without a type has the one of any argument: its default says more. */
function initializedType(host: Host, { type, initializer }: ParameterDeclaration, checked: Type): Type {
  if (type !== undefined || initializer === undefined || !isAnyArgument(host, checked)) return checked;
  const [initial] = host.typesAt([initializer]);
  return (initial && host.widened(initial)) ?? checked;
}
