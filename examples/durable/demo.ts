/** A refund that waits for a person, and whose workers die: `npm run example durable`. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runs, sqliteStore } from "skein/durable";
import { refundDesk } from "./refund-desk.ts";
import { Bank } from "./bank.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-refund-"));
const bank = new Bank(join(folder, "bank.txt"));
const app = runs({ agents: [refundDesk(bank)], store: sqliteStore(join(folder, "runs.db")) });

function startWorker(): ChildProcess {
  const script = join(import.meta.dirname, "worker.ts");
  return spawn(process.execPath, [...process.execArgv, script, folder], { stdio: "inherit" });
}

async function kill(worker: ChildProcess): Promise<void> {
  worker.kill("SIGKILL");
  await once(worker, "exit");
}

const run = await app.start("Refunds", "I want my money back for order 7.", { id: "order-7" });
const first = startWorker();
const { status, pending } = await run.result();
console.log(`The run is ${status}: ${pending[0]?.toolName} ${JSON.stringify(pending[0]?.input)}`);

await kill(first);
console.log("The worker is killed. The run needs none to wait.");

await run.decide([{ approvalId: pending[0]?.approvalId ?? "", decision: "approve" }]);
console.log("A person has approved.");

const second = startWorker();
while (bank.payments.length === 0) await sleep(10);
await kill(second);
console.log(`The second worker is killed while it pays. The bank has ${bank.payments.length} payment.`);

const third = startWorker();
const { text } = await run.result();
const { messages } = await run.state();
const results = messages.flatMap((each) => (each.role === "tool" ? each.result.content : []));
console.log(
  "The third one goes on:",
  ...results.flatMap((part) => (part.type === "text" ? [part.text] : [])),
);
console.log(text, `The bank has ${bank.payments.length} payment.`);

third.kill("SIGTERM");
await once(third, "exit");
await app.close();
rmSync(folder, { recursive: true, force: true });
