/** A request to a thread. */
export interface ThreadCall {
  /** The module's URL or package name. */
  readonly module: string;
  /** The function that it exports. */
  readonly name: string;
  readonly args: readonly unknown[];
}

/**
 * Runs in a thread: calls a module's function.
 * @throws TypeError if the module has no such function, and whatever the function throws.
 */
export async function callExport({ module, name, args }: ThreadCall): Promise<unknown> {
  const exported: Readonly<Record<string, unknown>> = await import(
    /* @vite-ignore */ /* webpackIgnore: true */ module
  );
  const fn = Object.hasOwn(exported, name) ? exported[name] : undefined;
  if (typeof fn !== "function") {
    throw new TypeError(
      `${module} exports no function "${name}", only: ${Object.keys(exported).join(", ") || "nothing"}.`,
    );
  }
  const value: unknown = await Reflect.apply(fn, undefined, args);
  assertCloneable(value, name);
  return value;
}

/** What cannot be sent would come out as an error without a message. */
function assertCloneable(value: unknown, name: string): void {
  if (typeof value !== "object" && typeof value !== "function") return;
  try {
    structuredClone(value);
  } catch (error) {
    throw new TypeError(`${name} returned what cannot leave its thread: ${String(error)}`, { cause: error });
  }
}
