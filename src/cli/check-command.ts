import { resolve } from "node:path";
import { check, type Diagnostic } from "../check/check.ts";
import { reportCheck } from "./check-in-child.ts";
import { checkView } from "./check-view.ts";
import { rememberListed, type LockableServer } from "../connectors/mcp/client/listed-servers.ts";
import { displayPath, formatMessage } from "./excerpt.ts";
import { openInstalledCompiler } from "./installed-compiler.ts";
import { assertModule } from "./load-module.ts";
import { findDrift, writeLockFile } from "./lock-file.ts";
import { hasNothing, noToolsIn } from "./no-tools.ts";
import { ownScreen } from "./own-screen.ts";
import { readLevels } from "./rule-levels.ts";
import { printable, type Screen } from "./text.ts";
import { readToolFile, type ToolFile } from "./tool-file.ts";

/** The options of `skein check`. */
export interface CheckFlags {
  /** `name=level` each. */
  readonly rule: readonly string[];
  readonly lock?: boolean;
  readonly json?: boolean;
  /** Tells the process that started this one, instead of printing. */
  readonly report?: boolean;
}

/**
 * Checks the tools of files and prints the findings; with `lock`, writes `skein.lock.json` first.
 * @returns `true` if at least one file has tools and no finding is an error
 * @throws ConfigurationError for a file, a rule or a lock that is not as it should be.
 */
export async function checkCommand(paths: readonly string[], flags: CheckFlags): Promise<boolean> {
  for (const path of paths) await assertModule(path);
  const levels = await readLevels(process.cwd(), flags.rule);
  const listed = rememberListed();
  const screen = ownScreen();
  const compiler = await openInstalledCompiler();
  compiler.open(paths.map((path) => resolve(path)));
  const files: ToolFile[] = [];
  for (const path of paths) files.push(await readToolFile(compiler, path));
  const locked = flags.lock ? await writeLockFile(files) : undefined;
  const servers = flags.lock ? await lockServers(listed) : [];
  const findings = check(files, levels, {
    unusable: files.flatMap(({ problems }) => problems),
    "schema-drift": await findDrift(files),
  });
  const [first] = files;
  if (flags.report && first) {
    await reportCheck(checkView(first, findings));
    return true;
  }
  const tools = files.reduce((all, file) => all + file.tools.length, 0);
  const empty = files.filter(hasNothing);
  for (const { file } of empty) process.stderr.write(`${printable(noToolsIn(file))}\n`);
  if (flags.json) screen.write(`${JSON.stringify(asJson(tools, findings), undefined, 2)}\n`);
  else if (empty.length < files.length || findings.length > 0 || locked !== undefined)
    print(tools, findings, locked === undefined ? undefined : [displayPath(locked), ...servers], screen);
  return empty.length < files.length && findings.every(({ level }) => level !== "error");
}

function asJson(tools: number, findings: readonly Diagnostic[]): object {
  return {
    tools,
    findings: findings.map(({ rule, level, tool, message, help, place }) => {
      const { file, line, column } = place;
      return { rule, level, tool, message, help, file: displayPath(file), line, column };
    }),
  };
}

/** Locks what MCP servers offer, too, and returns their names. */
async function lockServers(servers: ReadonlySet<LockableServer>): Promise<readonly string[]> {
  const names: string[] = [];
  for (const server of servers) {
    await server.lock();
    names.push(`the MCP server ${server.name}`);
  }
  return names;
}

function print(
  tools: number,
  findings: readonly Diagnostic[],
  locked: readonly string[] | undefined,
  screen: Screen,
): void {
  for (const finding of findings) screen.write(`${formatMessage(finding, screen)}\n`);
  if (locked) {
    const [path, ...servers] = locked;
    screen.write(`${path} written${servers.length === 0 ? "" : `, with ${servers.join(", ")}`}.\n`);
  }
  const errors = findings.filter(({ level }) => level === "error").length;
  const outcome =
    findings.length === 0
      ? "nothing to mend"
      : `${count(errors, "error")} and ${count(findings.length - errors, "warning")}`;
  screen.write(`${count(tools, "tool")} checked: ${outcome}.\n`);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
