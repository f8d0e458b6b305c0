import { statSync } from "node:fs";
import { attachFolder, type AttachReport } from "../sources/attaching/attach-folder.ts";
import { ConfigurationError } from "../errors.ts";
import { displayPath } from "./excerpt.ts";
import { screenOn, type Screen } from "./text.ts";

const unseenRemedy =
  "Where a text does not show which functions there are, write them in a list or an object literal, as the tools of an agent or in a const; or write tool({ name, input, execute }).";

/**
 * Attaches schemas in folders of emitted files, and prints where. What cannot be attached goes to standard error, and then
 * nothing in that folder is written.
 * @returns whether all schemas are attached
 * @throws ConfigurationError for a folder that is not there.
 */
export async function attachCommand(folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) assertFolder(folder);
  const [out, errors] = [screenOn(process.stdout), screenOn(process.stderr)];
  let isWell = true;
  for (const folder of folders) {
    const report = await attachFolder(folder);
    if (report.scripts === 0) throw missingOutput(`The folder ${folder} has no scripts.`, folder);
    if (report.problems.length === 0) printReport(folder, report, out);
    else printProblems(folder, report, errors);
    isWell &&= report.problems.length === 0;
  }
  return isWell;
}

function assertFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw missingOutput(`The folder ${folder} does not exist.`, folder);
}

function missingOutput(problem: string, folder: string): ConfigurationError {
  return new ConfigurationError(`${problem} Name what your compiler writes, after it has run.`, {
    code: "no-such-folder",
    data: { folder },
  });
}

function printReport(folder: string, { attached, scripts, isUnchanged }: AttachReport, screen: Screen): void {
  if (isUnchanged) {
    screen.write(`${folder} is unchanged.\n`);
    return;
  }
  for (const { path, places } of attached) {
    screen.write(`${displayPath(path)}: ${count(places, "tool expression")}\n`);
  }
  const outcome = attached.length === 0 ? "No tools are used" : "Schemas are attached";
  screen.write(
    `${outcome} in ${attached.length === 0 ? "" : `${attached.length} of `}${count(scripts, "script")} of ${folder}.\n`,
  );
}

function printProblems(folder: string, { problems }: AttachReport, screen: Screen): void {
  for (const problem of problems) screen.write(`${screen.paint("red", "error")}: ${problem}\n`);
  if (problems.some((problem) => problem.includes(": no schema can be attached to ")))
    screen.write(`${unseenRemedy}\n`);
  screen.write(`Nothing is written to ${folder}: ${count(problems.length, "problem")}.\n`);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
