import { SchemaNotFoundError } from "../../errors.ts";
import { displayPath } from "./diagnostics.ts";
import { dependenciesOf } from "./dependencies.ts";
import type { Expression, Host, Node, ObjectLiteralExpression, SourceFile } from "./host.ts";
import { describeOutput, outputCalls } from "./output-types.ts";
import { isLeftOutEntry, leftOutMethods } from "./left-out-methods.ts";
import { createAttachments, type ToolTree } from "./use-sites-attachments.ts";
import { findClashes, functionUse, type FunctionUse } from "./use-sites-clashes.ts";
import { createExpectations } from "./use-sites-expectations.ts";
import { createPlaceReader, placesIn } from "./use-sites-places.ts";
import { TypeScriptCrash } from "./typescript-process.ts";
import { bare, prefetchSymbols } from "./use-sites-expressions.ts";
import { methodsOfLiteral } from "./use-sites-values.ts";
import { shownTags } from "./script-tags.ts";

import { placementOf, schemasOf, type SchemaTree } from "./use-sites-schemas.ts";

export type { SchemaTree } from "./use-sites-schemas.ts";

/** An expression that is expected to be a tool, or to hold tools, or a call of `output`, with their schemas. */
export interface UseSite {
  /** UTF-16 offsets of the expression. */
  readonly start: number;
  readonly end: number;
  /** For `{ name }`: the name. */
  readonly shorthand: string | undefined;
  readonly schemas: SchemaTree;
}

/** The tools that a file uses. */
export interface UseSites {
  /** The text that the offsets speak of. */
  readonly text: string;
  /** Whether the file is an ECMAScript module. */
  readonly isModule: boolean;
  readonly sites: readonly UseSite[];
  /** The functions that have a schema there. */
  readonly uses: readonly FunctionUse[];
  /** Tools whose schema cannot be determined, one message each, with `file:line`. */
  readonly problems: readonly string[];
  /** The other files whose text decides what the schemas are. */
  readonly files: ReadonlySet<string>;
}

/** Finds where a file uses tools: the expressions whose contextual type is one of Skein's tool types; and calls of `output`. */
export function findUseSites(host: Host, source: SourceFile): UseSites {
  const sites: UseSite[] = [];
  const problems: string[] = [];
  const uses: FunctionUse[] = [];
  const declaring = new Set<string>();
  const expectations = createExpectations(host);
  let current: Node = source;
  const attachments = createAttachments(host, expectations, {
    unseen: (reason) => problems.push(problemAt(source, current, reason)),
    used: (node, schema) => {
      if (!host.syntax.isExpression(current) || !hasOwnSchema(host, current)) {
        uses.push(functionUse(node, current, schema));
      }
    },
    described: (node) => declaring.add(node.getSourceFile().fileName),
    checksOverrides: "all",
  });
  const expectationOf = createPlaceReader(host, expectations);
  const expected = placesIn(host, source).flatMap((expression) => {
    const expectation = expectationOf(expression);
    return expectation === undefined || isLeftOutEntry(host, expression) ? [] : [{ expression, expectation }];
  });
  prefetchSymbols(
    host,
    expected.map(({ expression }) => expression),
  );
  for (const { expression, expectation } of expected) {
    current = expression;
    const refuse = (reason: string): void => void problems.push(problemAt(source, expression, reason));
    const tree = describeOrRefuse(refuse, () =>
      host.syntax.isObjectLiteralExpression(expression)
        ? attachments.ofRecord(visibleMethods(host, expression), expectation)
        : attachments.of(expression, expectation),
    );
    const schemas = hasOwnSchema(host, expression)
      ? attachedPlacement(tree, refuse)
      : attachedSchemas(tree, refuse);
    if (schemas === null) continue;
    const { parent } = expression;
    const shorthand = host.syntax.isShorthandPropertyAssignment(parent) ? expression.getText() : undefined;
    sites.push({ start: expression.getStart(source), end: expression.end, shorthand, schemas });
  }
  for (const call of outputCalls(host, source)) {
    const described = describeOutput(host, call);
    declaring.add(source.fileName);
    if (described instanceof SchemaNotFoundError)
      problems.push(problemAt(source, call.node, described.message));
    else {
      const { node } = call;
      const schemas = JSON.stringify(described);
      sites.push({ start: node.getStart(source), end: node.end, shorthand: undefined, schemas });
    }
  }
  problems.push(...findClashes(uses));
  const files = new Set([...declaring].flatMap((file) => [...dependenciesOf(host, file)]));
  files.delete(source.fileName);
  return { text: shownTags(source.text), isModule: isModule(host, source), sites, uses, problems, files };
}

function visibleMethods(host: Host, literal: ObjectLiteralExpression): ReturnType<typeof methodsOfLiteral> {
  const leftOut = leftOutMethods(host, literal);
  return new Map([...methodsOfLiteral(host, literal)].filter(([name]) => !leftOut.has(name)));
}

/** What TypeScript crashes on is refused where it stands. */
function describeOrRefuse(
  refuse: (reason: string) => void,
  describe: () => ToolTree | null,
): ToolTree | null {
  try {
    return describe();
  } catch (error) {
    if (!(error instanceof TypeScriptCrash)) throw error;
    refuse(error.message);
    return null;
  }
}

function attachedSchemas(tree: ToolTree | null, refuse: (reason: string) => void): SchemaTree | null {
  return tree && schemasOf(tree, ({ message }) => refuse(message));
}

function attachedPlacement(tree: ToolTree | null, refuse: (reason: string) => void): SchemaTree | null {
  const placement = tree?.kind === "function" ? placementOf(tree.description) : undefined;
  if (placement !== undefined) return placement;
  if (tree !== null) refuse("its parameters are not known: write tool({ name, input, execute }) instead");
  return null;
}

function problemAt(source: SourceFile, node: Node, reason: string): string {
  const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  const text = node.getText(source).replaceAll(/\s+/g, " ");
  const excerpt = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return `${displayPath(source.fileName)}:${line}: no schema can be attached to ${excerpt}: ${reason}`;
}

function isModule({ syntax }: Host, source: SourceFile): boolean {
  return source.statements.some(
    (statement) =>
      syntax.isImportDeclaration(statement) ||
      syntax.isExportDeclaration(statement) ||
      syntax.isExportAssignment(statement) ||
      ("modifiers" in statement &&
        Array.isArray(statement.modifiers) &&
        statement.modifiers.some(({ kind }) => kind === syntax.SyntaxKind.ExportKeyword)),
  );
}

/** Whether `expression` is the function of `tool(fn, { input })`: all that it needs is how its arguments are placed. */
function hasOwnSchema(host: Host, expression: Expression): boolean {
  const { syntax } = host;
  const { parent } = expression;
  if (!syntax.isCallExpression(parent) || parent.arguments[0] !== expression) return false;
  const options = parent.arguments[1] && bare(host, parent.arguments[1]);
  if (options === undefined || !syntax.isObjectLiteralExpression(options)) return false;
  return options.properties.some((property) => "name" in property && property.name?.getText() === "input");
}
