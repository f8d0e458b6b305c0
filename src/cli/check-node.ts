import { ConfigurationError } from "../errors.ts";
import { compareVersions } from "../base/util/compare-versions.ts";
import { oldestNode } from "../base/util/oldest-node.ts";

/**
 * Checks the version of Node before anything is imported that older ones lack.
 * @param version - That of this process by default.
 * @throws ConfigurationError if it is older than the package supports.
 */
export function checkNode(version: string = process.versions.node): void {
  if (compareVersions(version, oldestNode) >= 0) return;
  throw new ConfigurationError(
    `Node ${version} is too old: skein needs 22.18 or newer. Install a newer Node, or run "npx node@24 node_modules/.bin/skein".`,
    { code: "old-node", data: { version } },
  );
}
