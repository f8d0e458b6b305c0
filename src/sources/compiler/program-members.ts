import type { Expression, Host, Node, SourceFile } from "./host.ts";

/** `object.name = value`, or `object["name"] = value`. */
export interface Assignment {
  readonly node: Node;
  readonly object: Expression;
  readonly value: Expression;
}

/** The members of classes and object literals that may be functions, and what is assigned to members, by their names. */
interface FileMembers {
  readonly members: ReadonlyMap<string, readonly Node[]>;
  readonly assignments: ReadonlyMap<string, readonly Assignment[]>;
}

/** The members of that name which the program's own classes and object literals declare. */
export function membersOf(host: Host, name: string): readonly Node[] {
  const word = new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`);
  return ownFiles(host)
    .filter(({ text }) => word.test(text))
    .flatMap((file) => readMembers(host, file).members.get(name) ?? []);
}

/** Where the program's own code assigns to members of that name. */
export function assignmentsOf(host: Host, name: string): readonly Assignment[] {
  const text = escaped(name);
  const assignment = new RegExp(`(?:\\.\\s*${text}|\\[\\s*["'\`]${text}["'\`]\\s*\\])\\s*=(?![=>])`);
  return ownFiles(host)
    .filter((file) => assignment.test(file.text))
    .flatMap((file) => readMembers(host, file).assignments.get(name) ?? []);
}

function escaped(name: string): string {
  return name.replaceAll(/[^\w]/g, String.raw`\$&`);
}

const filesByHost = new WeakMap<Host, readonly SourceFile[]>();

/** The program's files, without declarations and packages. */
function ownFiles(host: Host): readonly SourceFile[] {
  const files =
    filesByHost.get(host) ??
    host
      .fileNames()
      .filter((path) => !/\.d\.[cm]?ts$|\.json$/.test(path) && !path.includes("/node_modules/"))
      .flatMap((path) => host.sourceFile(path) ?? []);
  filesByHost.set(host, files);
  return files;
}

const membersByFile = new WeakMap<SourceFile, FileMembers>();

function readMembers(host: Host, file: SourceFile): FileMembers {
  const result = membersByFile.get(file) ?? collectMembers(host, file);
  membersByFile.set(file, result);
  return result;
}

function collectMembers(host: Host, file: SourceFile): FileMembers {
  const { syntax } = host;
  const members = new Map<string, Node[]>();
  const assignments = new Map<string, Assignment[]>();

  function addMember(node: Node): void {
    const isMember =
      syntax.isMethodDeclaration(node) ||
      syntax.isPropertyAssignment(node) ||
      syntax.isPropertyDeclaration(node) ||
      syntax.isShorthandPropertyAssignment(node);
    if (!isMember) return;
    const isDeclaredOnly =
      (syntax.isMethodDeclaration(node) && node.body === undefined) ||
      (syntax.isPropertyDeclaration(node) && node.initializer === undefined);
    const name = plainText(host, node.name);
    if (!isDeclaredOnly && name !== undefined) append(members, name, node);
  }

  function addAssignment(node: Node): void {
    if (!syntax.isBinaryExpression(node) || node.operatorToken.kind !== syntax.SyntaxKind.EqualsToken) return;
    const { left, right } = node;
    const isAccess = syntax.isPropertyAccessExpression(left) || syntax.isElementAccessExpression(left);
    if (!isAccess) return;
    const name = plainText(
      host,
      syntax.isPropertyAccessExpression(left) ? left.name : left.argumentExpression,
    );
    if (name !== undefined) append(assignments, name, { node, object: left.expression, value: right });
  }

  function visit(node: Node): void {
    addMember(node);
    addAssignment(node);
    node.forEachChild(visit);
  }
  visit(file);
  return { members, assignments };
}

/** The name of a member of a class, an object or a type; `undefined` for one that is computed, or other nodes. */
export function memberName(host: Host, member: Node): string | undefined {
  const { syntax } = host;
  const isMember =
    syntax.isMethodDeclaration(member) ||
    syntax.isMethodSignatureDeclaration(member) ||
    syntax.isPropertyDeclaration(member) ||
    syntax.isPropertySignatureDeclaration(member) ||
    syntax.isPropertyAssignment(member) ||
    syntax.isShorthandPropertyAssignment(member);
  return isMember ? plainText(host, member.name) : undefined;
}

function plainText({ syntax }: Host, name: Node): string | undefined {
  return syntax.isIdentifier(name) || syntax.isStringLiteral(name) ? name.text : undefined;
}

function append<Item>(lists: Map<string, Item[]>, name: string, item: Item): void {
  const list = lists.get(name) ?? [];
  list.push(item);
  lists.set(name, list);
}
