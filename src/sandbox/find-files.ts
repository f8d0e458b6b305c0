import { SandboxError } from "./errors.ts";
import type { GrepRequest } from "./file-tools.ts";
import { globExpression } from "./glob-expression.ts";
import { assertExtended } from "./grep-pattern.ts";
import type { ExecResult, Sandbox } from "./types.ts";
import { visiblePath } from "./visible-path.ts";

/**
 * For each four arguments, bash expands the pattern $1, and nothing else in it: what a variable holds is not read as a command. The
 * interpreter in memory, which leaves out the slash at the end of a pattern, does not know all of `**`: it lists what is below $2 and matches
 * the expression $3.
 */
const globScript = `shopt -s globstar; IFS=
for path in /*/; do break; done
case $path in */) expands=1 ;; *) expands= ;; esac
while [ $# -gt 0 ]; do
  if [ -n "$expands" ]; then
    for path in $1; do
      if [ -e "$path" ] || [ -L "$path" ]; then printf '%s\\n' "\${path//$'\\n'/\\\\n}"; fi
    done
  elif [ -e "$2" ]; then
    case $1 in
      */) find "$2" -type d | sed "$4" | grep -E -e "$3" | sed 's|$|/|' ;;
      *) find "$2" | sed "$4" | grep -E -e "$3" ;;
    esac
  fi
  shift 4
done
exit 0`;

/**
 * Files and folders by patterns, one a line; nothing where none matches.
 * @throws SandboxError where they cannot be listed.
 */
export async function findFiles(
  box: Sandbox,
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const args = patterns.flatMap((pattern) => {
    const { base, expression } = globExpression(pattern);
    return [pattern, base, expression, pattern.startsWith("./") ? "" : "s|^\\./||"];
  });
  const text = successText(await box.exec(["bash", "-c", globScript, "bash", ...args], { signal }), [0]);
  return [...new Set(text.split("\n"))].map(visiblePath).join("\n");
}

/** Not every grep has a word for a path that is not there. */
const grepScript = `if [ ! -e "$1" ] && [ ! -L "$1" ]; then echo "$1: No such file or directory" >&2; exit 2; fi
path=$1; shift; exec grep "$@" "$path"`;

/**
 * Lines of files that match, and a line in brackets for each file whose matches are not among them; nothing where no line matches.
 * @throws SandboxError for a pattern that means something else to grep, and where nothing could be searched.
 */
export async function searchFiles(
  box: Sandbox,
  { pattern, path, ignoreCase }: GrepRequest,
  signal: AbortSignal,
): Promise<string> {
  assertExtended(pattern);
  const hidden = /(?:^|\/)\.git(?:\/|$)/.test(path) ? [] : ["--exclude-dir=.git"];
  const flags = ["-rnE", ...hidden, ...(ignoreCase ? ["-i"] : [])];
  const file = path.startsWith("-") ? `./${path}` : path;
  const argv = ["bash", "-c", grepScript, "bash", file, ...flags, "-e", pattern, "--"];
  const outcome = await box.exec(argv, { signal });
  const lines = successText(outcome, [0, 1]);
  const notes = notesOf(outcome.stderr);
  if (notes === "" || lines !== "") return lines + notes;
  return outcome.exitCode === 0 ? notes : `No line matches.\n${notes}`;
}

/** What stands for a problem that no answer has to mention: the character is taken as it is, as was meant. */
const harmless = /^grep: warning: stray \\ before [^\w\s]$/;

/** Problems at most that an answer mentions. */
const mostNotes = 20;

/** What grep could not search, or did not print, a line in brackets each. */
function notesOf(stderr: string): string {
  const problems = stderr.split("\n").filter((line) => line.trim() !== "" && !harmless.test(line));
  const notes = problems
    .slice(0, mostNotes)
    .map((line) => `[${line.replace(/^grep: (.*): binary file matches$/, "binary file matches: $1")}]\n`);
  if (problems.length > mostNotes) notes.push(`[${problems.length - mostNotes} more such lines]\n`);
  return notes.join("");
}

function successText({ exitCode, stdout, stderr, ended }: ExecResult, codes: readonly number[]): string {
  if (ended !== undefined && stdout !== "")
    return `${stdout.trimEnd()}\n[ended by the limit: ${ended}; name a smaller part]`;
  if (ended === undefined && (codes.includes(exitCode) || stdout !== "")) return stdout;
  throw new SandboxError(ended ? `ended by the limit: ${ended}` : stderr.trim() || `exit code ${exitCode}`);
}
