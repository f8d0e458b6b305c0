import { staticValue } from "./defaults.ts";
import type { BindingPattern, Host } from "./host.ts";

/** The name of the property that an element of a pattern takes, where it is the same at every call. */
export function keyOf(
  host: Host,
  name: BindingPattern["elements"][number]["propertyName"] | BindingPattern["elements"][number]["name"],
): string | undefined {
  const { syntax } = host;
  if (name === undefined) return undefined;
  if (syntax.isIdentifier(name) || syntax.isStringLiteral(name)) return name.text;
  if (syntax.isNumericLiteral(name)) return String(Number(name.text));
  const key = syntax.isComputedPropertyName(name) ? staticValue(host, name.expression) : undefined;
  return typeof key === "string" || typeof key === "number" ? String(key) : undefined;
}
