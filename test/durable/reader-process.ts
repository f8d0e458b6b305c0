/** A program that follows the events of a run, for tests: `reader-process.ts STORE ID AFTER`. It dies after its tenth event. */
import { writeSync } from "node:fs";
import { runs } from "skein/durable";
import { openStore } from "./open-store.ts";

const [storeName = "", id = "", after = "-1"] = process.argv.slice(2);
const app = runs({ agents: [], store: openStore(storeName) });
let count = 0;
for await (const event of app.get(id).events({ after: Number(after), until: "end" })) {
  // At once: what was not read when the process dies is not received.
  writeSync(1, `${JSON.stringify(event)}\n`);
  if ((count += 1) === 10) process.kill(process.pid, "SIGKILL");
}
await app.close();
