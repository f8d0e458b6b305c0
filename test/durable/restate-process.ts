/**
 * A program that serves durable runs to Restate, for tests that kill it: `restate-process.ts PORT INGRESS EFFECTS OPTIONS`. It writes a
 * line to its output once it serves.
 */
import * as restate from "@restatedev/restate-sdk";
import { restateRuns } from "skein/durable/restate";
import { effectsIn } from "./effects-in.ts";
import { sprinter, team, teamOptions } from "./team.ts";

/** What the program is to do. */
export interface EndpointOptions {
  readonly lease?: number;
  /** What each tool takes, in milliseconds. */
  readonly pause?: number;
  /** It dies after its k-th write. */
  readonly death?: number;
}

const [port = "", ingress = "", effects = "", text = "{}"] = process.argv.slice(2);
const { lease = 1_000, pause = 0, death }: EndpointOptions = JSON.parse(text);
if (death !== undefined) dieAfter(death);
const app = restateRuns({
  agents: [sprinter(effectsIn(effects)), team(effectsIn(effects), pause, effectsIn(`${effects}.aborted`))],
  ingress,
  lease,
  runOptions: teamOptions,
});
await restate.serve({ services: await app.services(), port: Number(port) });
process.stdout.write("works\n");
// It ends with the test, whatever becomes of that.
process.stdin.once("end", () => process.exit()).resume();

/** Ends the process once its k-th write is acknowledged. */
function dieAfter(last: number): void {
  let writes = 0;
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (typeof input === "string" && input.endsWith("/commit") && (writes += 1) === last) kill();
    return response;
  };
}

function kill(): never {
  process.kill(process.pid, "SIGKILL");
  // The signal may come a moment later: until then, nothing goes on.
  for (;;);
}
