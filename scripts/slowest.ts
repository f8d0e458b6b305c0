/** Prints where the time of a suite went: `node scripts/slowest.ts report.json`, of vitest's JSON reporter. */
import { readFile } from "node:fs/promises";
import { relative } from "node:path";

/** What is read of the report of one file. */
interface FileReport {
  readonly name: string;
  readonly startTime: number;
  readonly endTime: number;
}

/** How many files are printed. */
const most = 30;

const [report = ""] = process.argv.slice(2);
const { testResults }: { readonly testResults: readonly FileReport[] } = JSON.parse(
  await readFile(report, "utf8"),
);
const seconds = ({ startTime, endTime }: FileReport): number => (endTime - startTime) / 1_000;
const slowest = testResults.toSorted((one, other) => seconds(other) - seconds(one));
const total = slowest.reduce((sum, file) => sum + seconds(file), 0);
console.log(`\n${testResults.length} files, ${Math.round(total)} s of workers. The slowest, in seconds:`);
for (const file of slowest.slice(0, most))
  console.log(`${Math.round(seconds(file)).toString().padStart(5)}  ${relative(process.cwd(), file.name)}`);
