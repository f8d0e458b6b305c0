import type { Expression, Host, Node } from "./host.ts";
import { bare, withTypes } from "./use-sites-expressions.ts";

const none: ReadonlySet<string> = new Set();

/** The methods that `toolkit(instance, { methods: { name: false } })` leaves out: what they take matters to nobody. */
export function leftOutMethods(host: Host, instance: Expression): ReadonlySet<string> {
  const { syntax } = host;
  const whole = withTypes(host, instance);
  const call = whole.parent;
  if (!syntax.isCallExpression(call) || call.arguments[0] !== whole) return none;
  const callee = bare(host, call.expression);
  const symbol = host.symbolAt(syntax.isPropertyAccessExpression(callee) ? callee.name : callee);
  const options = call.arguments[1];
  if (symbol?.name !== "toolkit" || options === undefined) return none;
  const methods = propertiesOf(host, options)?.get("methods");
  const entries = methods && propertiesOf(host, methods);
  if (entries === undefined) return none;
  const isFalse = (value: Expression): boolean => bare(host, value).kind === syntax.SyntaxKind.FalseKeyword;
  return new Set([...entries].flatMap(([name, value]) => (isFalse(value) ? [name] : [])));
}

/** Whether an expression is an entry of the object of `toolkit({ name }, { methods: { name: false } })`. */
export function isLeftOutEntry(host: Host, expression: Expression): boolean {
  const { syntax } = host;
  const { parent: property } = withTypes(host, expression);
  const isEntry = syntax.isPropertyAssignment(property) || syntax.isShorthandPropertyAssignment(property);
  const object: Node | undefined = isEntry ? property.parent : undefined;
  if (!isEntry || object === undefined || !syntax.isObjectLiteralExpression(object)) return false;
  const { name } = property;
  const isNamed = syntax.isIdentifier(name) || syntax.isStringLiteral(name);
  return isNamed && leftOutMethods(host, object).has(name.text);
}

/** What an object literal sets; `undefined` for anything else, and where something spread or computed may set the same. */
function propertiesOf(host: Host, expression: Expression): ReadonlyMap<string, Expression> | undefined {
  const { syntax } = host;
  const object = bare(host, expression);
  if (!syntax.isObjectLiteralExpression(object)) return undefined;
  const properties = new Map<string, Expression>();
  for (const property of object.properties) {
    const name = syntax.isSpreadAssignment(property) ? undefined : property.name;
    if (name === undefined || !(syntax.isIdentifier(name) || syntax.isStringLiteral(name))) return undefined;
    if (syntax.isPropertyAssignment(property)) properties.set(name.text, property.initializer);
    else properties.delete(name.text);
  }
  return properties;
}
