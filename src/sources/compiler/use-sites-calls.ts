import { dependenciesOf } from "./dependencies.ts";
import type { CallExpression, Expression, Host, NewExpression, Node, SourceFile } from "./host.ts";
import { createAttachments, type ToolTree } from "./use-sites-attachments.ts";
import { createExpectations } from "./use-sites-expectations.ts";
import { createPlaceReader } from "./use-sites-places.ts";

/** The functions that a call is given as tools. */
export interface ToolsAtCall {
  /** By argument: described as a build describes them; `null` for other values, and for those that only running the program shows. */
  readonly arguments: readonly (ToolTree | null)[];
  /** The files whose text decides what they are, the file of the call among them. */
  readonly files: ReadonlySet<string>;
}

/** What the innermost call, or `new`, at an offset is given; `undefined` where none stands. */
export function toolsAtCall(host: Host, source: SourceFile, offset: number): ToolsAtCall | undefined {
  const call = callAt(host, source, offset);
  if (call === undefined) return undefined;
  const files = new Set([source.fileName]);
  const expectations = createExpectations(host);
  const expectationOf = createPlaceReader(host, expectations);
  const attachments = createAttachments(host, expectations, {
    // Only running the program shows them: the caller has the values.
    unseen: () => {},
    described: (node) => files.add(node.getSourceFile().fileName),
    followsTools: true,
    checksOverrides: "wrapped",
  });
  let isSpread = false;
  const trees = [...(call.arguments ?? [])].map((argument: Expression) => {
    // How many arguments a spread list makes, only running it can show: those after it are at other places.
    isSpread ||= host.syntax.isSpreadElement(argument);
    const expectation = isSpread ? undefined : expectationOf(argument);
    return expectation === undefined ? null : attachments.of(argument, expectation);
  });
  return {
    arguments: trees,
    files: new Set([...files].flatMap((file) => [...dependenciesOf(host, file)])),
  };
}

/** V8 says where a call is by its callee: the name of a method, `new` itself. */
function callAt(
  { syntax }: Host,
  source: SourceFile,
  offset: number,
): CallExpression | NewExpression | undefined {
  let node: Node | undefined = syntax.getTokenAtPosition(source, offset);
  for (; node !== undefined && !syntax.isSourceFile(node); node = node.parent) {
    if (syntax.isNewExpression(node) && node.getStart(source) <= offset) return node;
    if (syntax.isCallExpression(node) && offset < node.expression.end) return node;
  }
  return undefined;
}
