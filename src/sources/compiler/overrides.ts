import { isDeepStrictEqual } from "node:util";
import { SchemaNotFoundError } from "../../errors.ts";
import type { FunctionSchema, ParameterPlan } from "../../schema/function-schema.ts";
import { createReport, signatureError } from "./diagnostics.ts";
import { parameterNames, type FunctionNode } from "./function-nodes.ts";
import { describeFunction } from "./functions.ts";
import type { Expression, Host, Node } from "./host.ts";
import { findOtherNames } from "./parameter-names.ts";
import { assignmentsOf, memberName, membersOf, type Assignment } from "./program-members.ts";
import { isRelated, ownerOf, type Owner } from "./related-types.ts";
import { refuseTypeAlone } from "./running-code.ts";
import { declaredParameters } from "./signatures.ts";
import { contextPlaces, signatureContextPlaces, unplacedContext } from "./undeclared-contexts.ts";
import { describeText, followShorthand, followValue, type FunctionValue } from "./use-sites-values.ts";

/** A method that is described, and the object whose method it is. */
export interface DescribedMethod {
  readonly value: FunctionValue;
  readonly schema: FunctionSchema;
  readonly owner: Owner;
}

/** What may run in place of a method. */
interface Stranger {
  readonly node: Node;
  /** The parameter that differs; empty where nothing is known of what runs. */
  readonly parameter: string;
  readonly message: string;
  /** Whether it would get a model's argument as its context. */
  readonly takesContext?: true;
  readonly remedy?: string;
}

/**
 * The error for a method that may be another one when the program runs: a build binds what the text says of it to the place
 * where it is used, and an override, or what is assigned to it, gets the arguments of that description.
 * @param consulted - Called with what the answer depends on.
 */
export function refuseOverridden(
  host: Host,
  value: FunctionValue,
  schema: FunctionSchema,
  consulted: (node: Node) => void,
): SchemaNotFoundError | undefined {
  const owner = ownerOf(host, value);
  if (owner === undefined) return undefined;
  const method: DescribedMethod = { value, schema, owner };
  const stranger = overridingMember(host, method, consulted) ?? assignedFunction(host, method, consulted);
  return stranger && refused(method, stranger);
}

function overridingMember(
  host: Host,
  method: DescribedMethod,
  consulted: (node: Node) => void,
): Stranger | undefined {
  const { owner } = method;
  const isOther = (member: Node): boolean => member !== owner.declaration && member !== method.value.node;
  const members = (owner.created ?? membersOf(host, owner.name)).filter(isOther);
  prefetchParameters(host, members);
  for (const member of members) {
    consulted(member);
    const context = hiddenContext(host, method, member);
    if (context !== undefined && (owner.created || isRelated(host, member, owner))) return context;
    const difference = differenceOf(host, method, member);
    if (difference === undefined) continue;
    // Of a method without code, such as an interface's, each that fits may be the one that runs.
    const how = hasCode(method.value.node) ? "by name" : "by type";
    if (owner.created !== undefined || isRelated(host, member, owner, how)) return difference;
  }
  return undefined;
}

/** A function that the program puts in place of a method, unless it takes the same. */
function assignedFunction(
  host: Host,
  method: DescribedMethod,
  consulted: (node: Node) => void,
): Stranger | undefined {
  for (const assignment of assignmentsOf(host, method.owner.name)) {
    consulted(assignment.node);
    const stranger = strangerOf(host, method, assignment);
    if (stranger !== undefined && isOfOwner(host, assignment, method, stranger)) return stranger;
  }
  return undefined;
}

function strangerOf(host: Host, method: DescribedMethod, { node, value }: Assignment): Stranger | undefined {
  const assigned = followValue(host, value);
  const { name } = method.owner;
  const remedy = `Pass a function of your own instead of ${name}, or write its code in the class.`;
  if (assigned.kind !== "function") {
    // Of a property, its type is all that is known anyway: a constructor assigns what it gets, which must leave no choice.
    if (!hasCode(method.value.node))
      return hiddenContext(host, method, value) ?? unknownFunction(host, method, node);
    return { node, parameter: "", message: `${name} is assigned, and what it is then is not known`, remedy };
  }
  if (assigned.node === method.value.node && assigned.bound === 0) return undefined;
  const stranger = hiddenContext(host, method, value) ?? differenceOf(host, method, value);
  return stranger && { ...stranger, node, remedy, message: `${name} is assigned, and ${stranger.message}` };
}

/** A function of which a type alone shows, unless that type leaves no choice. */
function unknownFunction(host: Host, { value, owner }: DescribedMethod, node: Node): Stranger | undefined {
  const parameters = declaredParameters(host, value.node).slice(value.bound);
  if (refuseTypeAlone(host, owner.name, parameters, node) === undefined) return undefined;
  const hidden = parameters.find(({ type }) => (type.flags & host.flags.Any) !== 0);
  const message =
    hidden === undefined
      ? "what runs there cannot be seen, and may name its parameters otherwise"
      : "its type is any, which may hide a ToolContext: write it, or unknown";
  const names = parameters.map(({ name = "value" }) => name).join(", ");
  const remedy = `Pass the function itself, or one of your own with types that calls it: (${names}) => fn(${names}).`;
  return { node, parameter: hidden?.name ?? "", message, remedy };
}

/** Of a value that can be anything, only what would be a hole counts. */
function isOfOwner(
  host: Host,
  { object }: Assignment,
  { owner }: DescribedMethod,
  stranger: Stranger,
): boolean {
  const [own] = host.typesAt([object]);
  const type = own && own.flags & host.flags.Instantiable ? host.constraintOf(own) : own;
  if (type === undefined || owner.type === undefined) return false;
  if (type.flags & host.flags.Any) return stranger.takesContext === true;
  return host.isAssignable(type, owner.type) || host.isAssignable(owner.type, type);
}

/** A context that the member takes where the description has an argument. */
function hiddenContext(host: Host, { schema, value }: DescribedMethod, member: Node): Stranger | undefined {
  const fn = functionOf(host, member);
  const places = fn === undefined ? typePlaces(host, member) : contextPlaces(host, fn);
  const hidden = unplacedContext(places, schema.parameters, value.bound);
  if (hidden === undefined) return undefined;
  const message = `${memberText(host, member)} takes a ToolContext, where the description has an argument of the model`;
  return { node: member, parameter: hidden.name, message, takesContext: true };
}

function typePlaces(host: Host, member: Node): ReturnType<typeof signatureContextPlaces> {
  const [type] = host.typesAt([member]);
  const signatures = type === undefined ? [] : host.callSignatures(type);
  return signatures.flatMap((signature) => signatureContextPlaces(host, signature, member));
}

/** `Mine.run`: the class and the member, or what is assigned. */
function memberText(host: Host, member: Node): string {
  if (host.syntax.isExpression(member)) return describeText(member);
  const holder = member.parent;
  const holderName = host.syntax.isClassLikeDeclaration(holder) ? holder.name?.text : undefined;
  return [holderName, memberName(host, member)].filter((part) => part !== undefined).join(".");
}

/** The first parameter whose name or default is not the described one. One that is left out changes nothing. */
function differenceOf(host: Host, method: DescribedMethod, member: Node): Stranger | undefined {
  const fn = functionOf(host, member);
  if (fn === undefined) return hasCode(method.value.node) ? undefined : unknownFunction(host, method, member);
  const { schema, value } = method;
  const inMember = `in ${memberText(host, member)}`;
  const names = parameterNames(host, fn).slice(value.bound);
  const [other] = findOtherNames(schema.parameters, names);
  if (other !== undefined) {
    const { name, expected } = other;
    const message = `${inMember}, its place is that of "${expected}" in the description`;
    return { node: member, parameter: name, message };
  }
  // A method without code has no defaults, and what takes an object apart gets the same one.
  if (!hasCode(value.node)) return undefined;
  const own = describeFunction(host, fn);
  if (own instanceof SchemaNotFoundError) {
    return { node: member, parameter: "", message: `${memberText(host, member)} cannot be described` };
  }
  for (const [index, plan] of own.parameters.slice(value.bound).entries()) {
    const expected = schema.parameters[index];
    const problem = expected && problemOf(expected, plan);
    if (problem === undefined) continue;
    return {
      node: member,
      parameter: "name" in plan ? plan.name : "",
      message: `${inMember}, ${problem}`,
    };
  }
  return undefined;
}

function problemOf(expected: ParameterPlan, plan: ParameterPlan): string | undefined {
  if (expected.kind === "context" || plan.kind === "context") return undefined;
  // What takes the rest as a list passes it on, as decorators do.
  if (plan.kind === "rest") return undefined;
  if (expected.kind !== plan.kind) return "it is placed in another way";
  const isUnsure = expected.default?.isPossible === true;
  return isUnsure || isDeepStrictEqual(expected.default, plan.default)
    ? undefined
    : "its default is not the described one";
}

/** The function that a member, or what is assigned, stands for. */
function functionOf(host: Host, member: Node): FunctionNode | undefined {
  const { syntax } = host;
  if (syntax.isFunctionLikeDeclaration(member)) return member;
  const initializer = initializerOf(host, member);
  const value = initializer ? followValue(host, initializer) : followShorthand(host, member);
  return value?.kind === "function" && value.bound === 0 ? value.node : undefined;
}

function initializerOf({ syntax }: Host, member: Node): Expression | undefined {
  if (syntax.isPropertyDeclaration(member) || syntax.isPropertyAssignment(member)) return member.initializer;
  return syntax.isExpression(member) ? member : undefined;
}

function hasCode(node: FunctionNode): boolean {
  return "body" in node && node.body !== undefined;
}

/** Asks at once for what `contextPlaces` would ask of one function after the other. */
function prefetchParameters(host: Host, members: readonly Node[]): void {
  const methods = members.filter((member) => host.syntax.isMethodDeclaration(member));
  host.typesAt(methods.flatMap(({ parameters }) => [...parameters]));
}

function refused({ schema, owner }: DescribedMethod, stranger: Stranger): SchemaNotFoundError {
  const { node, parameter, message, remedy = overrideRemedy } = stranger;
  const report = createReport();
  report.problem(parameter, node, message);
  const from = owner.typeName === undefined ? "what its object's type says" : `that of ${owner.typeName}`;
  const summary = `is ${from}, and another method may run`;
  return signatureError(schema.name || owner.name, report.problems, { summary, remedy });
}

const overrideRemedy =
  "Pass the object by its own type, such as toolkit(new Mine()), or declare the method with the parameters of the one that " +
  "runs, its ToolContext and defaults included.";
