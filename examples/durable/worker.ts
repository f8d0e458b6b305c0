/** Executes what is due: `node examples/durable/worker.ts FOLDER`. Start as many as you like. */
import { join } from "node:path";
import { runs, sqliteStore } from "skein/durable";
import { refundDesk } from "./refund-desk.ts";
import { Bank } from "./bank.ts";

const folder = process.argv[2] ?? ".";
const app = runs({
  agents: [refundDesk(new Bank(join(folder, "bank.txt")))],
  store: sqliteStore(join(folder, "runs.db")),
});
// What is under way is finished first, for ten seconds at most; the rest is left to other workers.
process.once("SIGTERM", () => void app.close());
await app.work({ concurrency: 10 });
