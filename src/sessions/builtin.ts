import { builtinModule } from "../base/util/builtin-module.ts";
import { ConfigurationError } from "../errors.ts";

/**
 * One of Node's modules, asked for at run time: bundles for other runtimes have nothing to resolve.
 * @throws ConfigurationError (`unavailable`) on a runtime without it. `user` is what needs it.
 */
export function builtin<Name extends "node:fs" | "node:path" | "node:sqlite">(
  name: Name,
  user: string,
): NonNullable<ReturnType<typeof process.getBuiltinModule<Name>>> {
  const implementation = builtinModule(name);
  if (implementation) return implementation;
  throw new ConfigurationError(`${user} needs ${name}, which this runtime does not have.`, {
    code: "unavailable",
    data: { module: name },
  });
}
