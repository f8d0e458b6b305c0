/**
 * A program that works on durable runs of the accountant, for tests that kill it: `program-process.ts JOBS KILL_AT`. It writes a line to
 * its output once it works.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { runs, sqliteStore } from "skein/durable";
import { accountant } from "./accountant.ts";

/** A store with one run, and where its effects are. */
export interface Job {
  readonly store: string;
  readonly effects: string;
  readonly code: string;
}

const [text = "[]", killAt = "0"] = process.argv.slice(2);
const jobs: readonly Job[] = JSON.parse(text);
let calls = 0;

/** In its n-th call, this process is no more. */
function die(): void {
  calls += 1;
  if (calls !== Number(killAt)) return;
  process.kill(process.pid, "SIGKILL");
  // The signal may come a moment later: until then, nothing goes on.
  for (;;);
}

for (const { store, effects, code } of jobs) {
  const file = {
    add: (line: string) => appendFileSync(effects, `${line}\n`),
    list: () => (existsSync(effects) ? readFileSync(effects, "utf8").trim().split("\n") : []),
  };
  const app = runs({ agents: [accountant(code, file, die)], store: sqliteStore(store), lease: 1_000 });
  void app.work();
}
process.stdout.write("works\n");
// It ends with the test, whatever becomes of that.
process.stdin.once("end", () => process.exit()).resume();
