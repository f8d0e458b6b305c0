/** Registered, so that two copies of the package in one program know the same. */
const builtKey: symbol = Symbol.for("skein.built");

/** Notes that a build has attached schemas to functions of this program. */
export function noteBuild(): void {
  Reflect.set(globalThis, builtKey, true);
}

/** Whether a build has: then a function without a schema is one that it did not see. */
export function wasBuilt(): boolean {
  return Reflect.get(globalThis, builtKey) === true;
}

/** What to do about a function that a build did not see, as a sentence without its end. */
export const unseenRemedy: string =
  "Schemas are attached to other functions of this program, so the build did not see this one: mend what the build warned of, or " +
  "list the function where the build sees it (tools: [fn], tool(fn))";
