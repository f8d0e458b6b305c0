import { ConfigurationError } from "../../errors.ts";
import type { Toolset } from "../../tool/types.ts";

/**
 * Stands in for workspaces on runtimes without files.
 * @throws ConfigurationError always.
 */
export async function openWorkspace(_options: object): Promise<Toolset> {
  throw new ConfigurationError(
    "workspace() needs files, which this runtime does not have (an edge runtime or a browser). Run it on Node, Bun or Deno.",
    { code: "unavailable" },
  );
}
