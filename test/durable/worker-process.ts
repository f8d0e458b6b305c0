/**
 * A program that works on durable runs, for tests that kill it: `worker-process.ts STORE EFFECTS OPTIONS`. It writes a line to its output
 * once it works.
 */
import { runs } from "skein/durable";
import { type Death, dyingStore } from "./dying-store.ts";
import { openStore } from "./open-store.ts";
import { effectsIn } from "./effects-in.ts";
import { sprinter, team, teamOptions } from "./team.ts";

/** What the program is to do. */
export interface WorkerOptions {
  readonly lease?: number;
  readonly concurrency?: number;
  /** What each tool takes, in milliseconds. */
  readonly pause?: number;
  readonly death?: Death;
}

const [storeName = "", effects = "", text = "{}"] = process.argv.slice(2);
const { lease = 1_000, concurrency = 4, pause = 0, death }: WorkerOptions = JSON.parse(text);
const store = openStore(storeName);
const app = runs({
  agents: [sprinter(effectsIn(effects)), team(effectsIn(effects), pause, effectsIn(`${effects}.aborted`))],
  store: death ? dyingStore(store, death, kill).store : store,
  lease,
  runOptions: teamOptions,
});
void app.work({ concurrency });
process.stdout.write("works\n");
// It ends with the test, whatever becomes of that.
process.stdin.once("end", () => process.exit()).resume();

function kill(): never {
  process.kill(process.pid, "SIGKILL");
  // The signal may come a moment later: until then, nothing goes on.
  for (;;);
}
