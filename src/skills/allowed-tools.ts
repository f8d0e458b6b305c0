/** One entry of `allowed-tools`: `Read`, or `Bash(git add:*)` with a pattern of commands. */
export interface AllowedTool {
  readonly name: string;
  readonly pattern?: string;
}

/** The names under which skills allow programs. */
const shells = new Set(["bash", "shell", "run_skill_script"]);

/** The programs that scripts of these extensions are run with; all others are started themselves. */
const interpreters: ReadonlyMap<string, string> = new Map([
  ["sh", "bash"],
  ["bash", "bash"],
  ["py", "python3"],
  ["js", "node"],
  ["mjs", "node"],
  ["cjs", "node"],
  ["ts", "node"],
  ["mts", "node"],
  ["rb", "ruby"],
  ["pl", "perl"],
]);

/** The program that a script is run with, by its extension. */
export function interpreterOf(path: string): string | undefined {
  return interpreters.get(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
}

/** The entries of a list that is separated by spaces or commas, but for those in parentheses. */
export function parseAllowedTools(text: string): readonly AllowedTool[] {
  return [...text.matchAll(/([^\s,()]+)(?:\(([^)]*)\))?/g)].map(([, name = "", pattern]) => ({
    name,
    ...(pattern !== undefined && pattern !== "*" && { pattern: pattern.trim() }),
  }));
}

/** Whether a list lets a skill have a function. All are, without a list. */
export function allowsFunction(list: readonly AllowedTool[] | undefined, name: string): boolean {
  return !list || list.some((entry) => entry.name === name && entry.pattern === undefined);
}

/** Whether a list lets a skill run any script. */
export function allowsScripts(list: readonly AllowedTool[] | undefined): boolean {
  return !list || list.some(isShell);
}

/** Whether a list lets a skill run a script with these arguments: as a command, its pattern has to match one of the ways to write it. */
export function allowsScript(
  list: readonly AllowedTool[] | undefined,
  path: string,
  args: readonly string[],
): boolean {
  if (!list) return true;
  const commands = commandsOf(path, args);
  return list
    .filter(isShell)
    .some(({ pattern }) => pattern === undefined || commands.some((command) => matches(command, pattern)));
}

function isShell({ name }: AllowedTool): boolean {
  return shells.has(name.toLowerCase());
}

/** The ways in which a skill may write the command of a script. */
function commandsOf(path: string, args: readonly string[]): readonly string[] {
  const interpreter = interpreterOf(path);
  const programs = interpreter === "python3" ? ["python3", "python"] : interpreter ? [interpreter] : [];
  return ["", ...programs].flatMap((program) =>
    [path, `./${path}`].map((file) => [...(program === "" ? [] : [program]), file, ...args].join(" ")),
  );
}

/** `git add:*` begins with these words; elsewhere `*` stands for any text. */
function matches(command: string, pattern: string): boolean {
  if (pattern.endsWith(":*")) {
    const words = pattern.slice(0, -2);
    return command === words || command.startsWith(`${words} `);
  }
  const [first = "", ...pieces] = pattern.split("*");
  const last = pieces.pop();
  if (last === undefined) return command === first;
  // "git *" is also "git" alone.
  if (last === "" && pieces.length === 0 && command === first.trimEnd()) return true;
  if (!command.startsWith(first)) return false;
  let from = first.length;
  for (const piece of pieces) {
    const place = command.indexOf(piece, from);
    if (place < 0) return false;
    from = place + piece.length;
  }
  return command.length - last.length >= from && command.endsWith(last);
}
