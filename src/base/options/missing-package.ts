import { ConfigurationError } from "../../errors.ts";

/**
 * The error for a package that only some programs need, and that cannot be loaded.
 *
 * Such a package is imported by `try { return await import("name"); } catch`, the words in a row: of all ways to write it, this
 * one lets every bundler take the package where it is installed, and build without it where it is not.
 * @param need what takes the package, such as `mcp() needs`
 * @param install what to install, if that is more than the package
 */
export function missingPackage(
  need: string,
  name: string,
  cause: unknown,
  install: string = name,
): ConfigurationError {
  return new ConfigurationError(`${need} the package ${name}: npm install ${install}`, {
    code: "missing-package",
    data: { package: name },
    cause,
  });
}
