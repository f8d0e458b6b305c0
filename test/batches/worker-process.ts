/** A program that works on durable runs whose model answers from batches, for a test that kills it: `worker-process.ts STORE API URL`. */
import { runs, sqliteStore } from "skein/durable";
import { clerk, modelOfApi } from "./test-models.ts";

const [file = "", api = "", url = ""] = process.argv.slice(2);
const app = runs({ agents: [clerk(modelOfApi(api, { url }))], store: sqliteStore(file), lease: 200 });
void app.work();
// It ends with the test, whatever becomes of that.
process.stdin.once("end", () => process.exit()).resume();
