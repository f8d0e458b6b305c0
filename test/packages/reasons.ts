/** Why a function of a package has no schema: the reasons that are right, by what the problem says. */
const reasons: Readonly<Record<string, RegExp>> = {
  "it takes a function": /^a function is not JSON$/,
  "it takes an object of the platform": /^a value of type .+ is not JSON/,
  "it takes an instance of a class with methods or private state": /^an instance of the class /,
  "it takes a type without end": /^the type is nested deeper than 40 levels/,
  "it takes what is larger than a model can read": /^the type has more than 20000 parts$/,
  "it takes an object with symbols as keys": /^a property whose key is a symbol/,
  "it takes a symbol": /^a symbol is not JSON$/,
  "it takes no value at all": /^no value has the type never$/,
};

/** The reason that a problem is an example of; `undefined` for one that is not listed. */
export function reasonOf(message: string): string | undefined {
  const [found] = Object.entries(reasons).find(([, pattern]) => pattern.test(message)) ?? [];
  return found;
}
