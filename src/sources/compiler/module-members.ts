import { declaredMembers } from "./declared-classes.ts";
import { dependenciesOf } from "./dependencies.ts";
import { createReport, signatureError } from "./diagnostics.ts";
import { isDeclaredHidden, type FunctionDescription } from "./functions.ts";
import type { Expression, Host, Node, SourceFile, Type } from "./host.ts";
import { followValue } from "./use-sites-values.ts";
import { describeValue, type DescribedValue } from "./use-sites-functions.ts";

/** A function by the way in which a file would reach it: the module that it would load, and the names from there on. */
export interface ModuleMember {
  readonly specifier: string;
  /** `import * as module from`, or `import module = require()`, which is what the module itself exports. */
  readonly loading: "import" | "require";
  /** Empty for what the module is as a whole. */
  readonly path: readonly string[];
  /** The `name` of the function: what it is called where neither a path nor a declaration does. */
  readonly name: string;
}

/** What declarations say of members. */
export interface DescribedMembers {
  /** In the order of the members; `undefined` for one that is not declared, or without its types. */
  readonly descriptions: readonly (FunctionDescription | undefined)[];
  /** The files whose text decides what they are. */
  readonly files: ReadonlySet<string>;
}

/** The text of a module whose last statement is the list of members. */
export function textOfMembers(members: readonly ModuleMember[]): string {
  const names = new Map<string, string>();
  const lines: string[] = [];
  const expressions = members.map(({ specifier, loading, path }) => {
    const from = JSON.stringify(specifier);
    const name = names.get(loading + from) ?? `module${names.size}`;
    if (!names.has(loading + from)) {
      lines.push(
        loading === "import" ? `import * as ${name} from ${from};` : `import ${name} = require(${from});`,
      );
    }
    names.set(loading + from, name);
    return name + path.map((key) => `[${JSON.stringify(key)}]`).join("");
  });
  return [...lines, `[${expressions.join(", ")}];`].join("\n");
}

/** Describes the members that a module of `textOfMembers` lists. */
export function describeMembers(
  host: Host,
  source: SourceFile,
  members: readonly ModuleMember[],
): DescribedMembers {
  const { syntax } = host;
  const list = source.statements.at(-1);
  const array = list && syntax.isExpressionStatement(list) ? list.expression : undefined;
  const elements = array && syntax.isArrayLiteralExpression(array) ? [...array.elements] : [];
  host.typesAt(elements);
  const files = new Set([source.fileName]);
  const descriptions = members.map((member, index) => {
    const element = elements[index];
    const described = element && describeMember(host, element, member);
    if (described === undefined || isUntyped(described.description)) return undefined;
    files.add(described.node.getSourceFile().fileName);
    return named(described.description, member);
  });
  const all = new Set([...files].flatMap((file) => [...dependenciesOf(host, file)]));
  all.delete(source.fileName);
  return { descriptions, files: all };
}

function describeMember(
  host: Host,
  expression: Expression,
  { path }: ModuleMember,
): DescribedValue | undefined {
  const [type] = host.typesAt([expression]);
  const hidden =
    type && type.flags & host.flags.Any ? describeHidden(host, expression, path.at(-1)) : undefined;
  if (hidden !== undefined) return hidden;
  if (type === undefined || type.flags & host.flags.Any || host.callSignatures(type).length === 0)
    return undefined;
  const value = followValue(host, expression);
  if (value.kind !== "function" && value.kind !== "wrapped") return undefined;
  // The type of a prototype has `any` for what a class leaves open: its methods are what they are declared as.
  return describeValue(host, value, expression, path.at(-2) === "prototype" ? undefined : type);
}

/** A declaration says no more of a private method than that it is one, and nothing of an internal one: enough for a toolkit, which leaves them out. */
function describeHidden(host: Host, expression: Expression, name = ""): DescribedValue | undefined {
  if (!host.syntax.isElementAccessExpression(expression)) return undefined;
  const [owner] = host.typesAt([expression.expression]);
  if (owner === undefined) return undefined;
  const property = host.properties(owner).find((each) => each.name === name);
  const node = property?.declaration() ?? (property ? undefined : declaringClass(host, owner));
  if (node === undefined || (property && !isDeclaredHidden(host, node))) return undefined;
  const report = createReport();
  const reason = property
    ? "it is private, so its declaration has no types"
    : "the declaration of its class lacks it";
  report.problem("", node, reason);
  return { description: signatureError(name, report.problems, { isHidden: true }), node };
}

/** The class that is declared with all its members, of which `type` is that of an instance. */
function declaringClass(host: Host, type: Type): Node | undefined {
  const symbol = type.getSymbol();
  const isDeclared = symbol && host.isClass(symbol) && declaredMembers(host, symbol, type) !== undefined;
  return isDeclared ? host.declarationOf(symbol) : undefined;
}

/** Whether the declarations lack types themselves, or are the JavaScript that was read already. */
function isUntyped(description: FunctionDescription): boolean {
  if (!(description instanceof Error)) return false;
  const problems: readonly unknown[] = Array.isArray(description.data["problems"])
    ? description.data["problems"]
    : [];
  return problems.some((problem) => Object(problem).kind === "untyped");
}

/** The name of the export counts, whatever a minifier has made of the function's; a default has the one that is declared. */
function named(description: FunctionDescription, { path, name }: ModuleMember): FunctionDescription {
  if (description instanceof Error) return description;
  const key = path.at(-1) ?? "default";
  if (key !== "default") return { ...description, name: key };
  const isNameless = /^(?:_?default)?$/.test(description.name);
  return isNameless ? { ...description, name } : description;
}
