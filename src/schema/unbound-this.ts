/** Why a function that declares a type for `this` cannot be a tool as it is, and what to write. */
export function unboundThisMessage(name: string, thisType: string): string {
  const fn = name === "" ? "fn" : name;
  return (
    `The function ${fn} needs this to be ${thisType}, and a tool is called without one. ` +
    `Pass ${fn}.bind(object), or an arrow function that calls it on the object: (city: string) => ${fn}.call(object, city).`
  );
}
