import type { Report } from "../diagnostics.ts";
import type { Node } from "../host.ts";
import type { TypePlace } from "./conversion.ts";

/**
 * Lets messages about what a package declares point to the signature that uses it: it is there that something can be done.
 * @param outermost - Where the type that is being converted stands.
 */
export function reportingAtUse(report: Report, outermost: () => TypePlace | undefined): Report {
  const placed = (node: Node, message: string): readonly [Node, string] => {
    const use = outermost()?.node;
    const declared = packageFile(node);
    const isForeign = use !== undefined && declared !== undefined && packageFile(use) === undefined;
    return isForeign ? [use, `${message}, as declared in ${declared}`] : [node, message];
  };
  return {
    problems: report.problems,
    warnings: report.warnings,
    problem: (path, node, message, ...rest) => report.problem(path, ...placed(node, message), ...rest),
    warning: (path, node, message) => report.warning(path, ...placed(node, message)),
  };
}

/** A file of a package and the line, without the folders that packages are installed in. */
function packageFile(node: Node): string | undefined {
  const file = node.getSourceFile();
  const path = file.fileName.split("/node_modules/").at(-1);
  if (path === undefined || path === file.fileName) return undefined;
  return `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
}
