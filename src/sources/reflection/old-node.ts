import { SchemaNotFoundError } from "../../errors.ts";
import { compareVersions } from "../../base/util/compare-versions.ts";
import { oldestNode } from "../../base/util/oldest-node.ts";

/** The error for a Node that is too old, on which the search would fail in the middle. */
export function oldNodeError({
  node,
  bun,
  deno,
}: Readonly<Record<string, string | undefined>>): SchemaNotFoundError | undefined {
  if (node === undefined || bun || deno || compareVersions(node, oldestNode) >= 0) return undefined;
  return new SchemaNotFoundError(
    `No schema is found: Node ${node} is too old, plain functions need 22.18 or newer. Install a newer Node, or run "npx node@24 main.ts".`,
  );
}
