import { type Command, InvalidArgumentError } from "commander";
import type { EvalFlags } from "./eval-command.ts";

/** Adds `eval` to the command. `perform` has it fail unless every eval passed. */
export function addEvalCommand(
  skein: Command,
  perform: (command: () => Promise<boolean>) => Promise<void>,
): void {
  skein
    .command("eval")
    .description("Try agents on the cases that files define, and say how many pass.")
    .argument("<files...>", "modules that export what defineEval made")
    .option(
      "-m, --model <model>",
      "a model's name, a file that exports one, perfect or wrong; may be repeated",
      (text: string, before: readonly string[]) => [...before, text],
      [],
    )
    .option("-n, --runs <number>", "how often to run each case", parseCount)
    .option("-c, --concurrency <number>", "runs at once: 4 by default", parseCount)
    .option("--judge <model>", "judges and plays users: a model's name, or a file that exports one")
    .option("--json <file>", "write the results to this file")
    .option("--html <file>", "write a report to this file, to be opened in a browser")
    .option("--baseline <file>", "compare with results that --json wrote, and fail on a regression")
    .option("-t, --threshold <share>", "fail below this pass rate: 0.9 or 90%", parseShare)
    .action(async (files: string[], flags: EvalFlags) => {
      const { evalCommand } = await import("./eval-command.ts");
      await perform(() => evalCommand(files, flags));
    });
}

function parseCount(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError("Expected a whole number from 1.");
}

function parseShare(text: string): number {
  const share = text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (/^[\d.]+%?$/.test(text) && share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError("Expected a share, such as 0.9 or 90%.");
}
