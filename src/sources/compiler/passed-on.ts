import { isGenericPlace } from "./generic-places.ts";
import type { CallExpression, Host, Node, Type } from "./host.ts";

/**
 * Whether what a call returns is, to those who read the text, the function that it gets as `value`: `tool(fn, options)`,
 * `memoize(fn)`. Of several functions, that is the one that may be of any type.
 */
export function passesOn(host: Host, call: CallExpression, value: Node): boolean {
  const args = [...call.arguments];
  const [result, ...types] = host.typesAt([call, ...args]);
  if (!isCalled(host, result)) return false;
  const places = [...types.keys()].filter((place) => args[place] === value || isFunction(host, types[place]));
  const [place, ...others] =
    places.length > 1 ? places.filter((each) => isGenericPlace(host, call, each)) : places;
  return place !== undefined && args[place] === value && others.length === 0;
}

/** Whether a value may be called, or is a tool of a function. */
function isCalled(host: Host, type: Type | undefined): boolean {
  if (type === undefined || (type.flags & host.flags.Any) !== 0 || isFunction(host, type)) return true;
  if ((type.flags & host.flags.Object) === 0) return false;
  return host
    .properties(type)
    .some(({ name, type: member }) => functionMembers.has(name) && isFunction(host, member));
}

/** The members of a tool that hold its function. */
const functionMembers: ReadonlySet<string> = new Set(["fn", "execute"]);

function isFunction(host: Host, type: Type | undefined): boolean {
  if (type === undefined || (type.flags & host.flags.Any) !== 0) return false;
  const members = [...host.unionMembers(type), ...host.intersectionMembers(type)];
  return host.isCallable(type) || members.some((member) => isFunction(host, member));
}
