import type { SchemaNotFoundError } from "../../errors.ts";
import type { Expression, Host, Type } from "./host.ts";
import { bare } from "./use-sites-expressions.ts";
import { hiddenContext } from "./use-sites-functions.ts";
import { followValue, methodsOf, type Value } from "./use-sites-values.ts";

/** How many names are followed to where an instance is created. */
const mostSteps = 10;

/** The methods of an instance that take a context, where the type by which it is passed on hides it: an override may add one. */
export function hiddenMethods(
  host: Host,
  expression: Expression,
  type: Type,
): ReadonlyMap<string, SchemaNotFoundError> {
  const actual = actualMethods(host, expression);
  const errors = new Map<string, SchemaNotFoundError>();
  for (const property of host.properties(type)) {
    const entry = actual.get(property.name);
    const value = entry?.kind === "expression" ? followValue(host, entry.expression) : entry;
    if (value?.kind !== "function" && value?.kind !== "wrapped") continue;
    const error = hiddenContext(host, value, host.callSignatures(property.type), expression);
    if (error !== undefined) errors.set(property.name, error);
  }
  return errors;
}

/** The methods of what an expression stands for, as it is created: `new Kit()`, or an object that is written out. */
function actualMethods(host: Host, expression: Expression): ReadonlyMap<string, Value> {
  const created = creationOf(host, expression);
  if (host.syntax.isNewExpression(created)) {
    const [type] = host.typesAt([created]);
    return type === undefined ? new Map() : methodsOf(host, type);
  }
  const value = followValue(host, created);
  return value.kind === "record" ? value.entries : new Map();
}

function creationOf(host: Host, expression: Expression): Expression {
  let at = bare(host, expression);
  for (let steps = 0; steps < mostSteps && host.syntax.isIdentifier(at); steps += 1) {
    const symbol = host.symbolAt(at);
    const declaration = symbol && host.declarationOf(symbol);
    const isCreated = declaration !== undefined && host.syntax.isVariableDeclaration(declaration);
    if (!isCreated || declaration.initializer === undefined) break;
    at = bare(host, declaration.initializer);
  }
  return at;
}
