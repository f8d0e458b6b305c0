import type { FunctionDescription } from "../compiler/index.ts";
import { SchemaNotFoundError } from "../../errors.ts";

const remedy =
  "This program runs with Yarn Plug'n'Play, which keeps packages in archives that TypeScript does not read: write " +
  'nodeLinker: node-modules in .yarnrc.yml, run "yarn install", and start the program again.';

/**
 * A description, with what to do where Yarn's loader resolves packages: only it finds their declarations, those of Skein
 * included, so that what depends on a package has no types.
 */
export function withLoaderRemedy(description: FunctionDescription): FunctionDescription {
  if (process.versions["pnp"] === undefined || !(description instanceof SchemaNotFoundError))
    return description;
  const { data, cause, message } = description;
  return new SchemaNotFoundError(`${message}\n${remedy}`, { data, cause });
}
