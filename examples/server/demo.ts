/** The shop's desk in a browser: `npm run example server`. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStore } from "skein/durable";
import { hasModel, scriptedNotice } from "../has-model.ts";
import { openDesk } from "./server.ts";
import { standIn } from "./stand-in.ts";

const { env } = process;
const file = join(tmpdir(), "skein-desk.db");

const desk = await openDesk({
  port: Number(env["PORT"] ?? 3_000),
  store: sqliteStore(file),
  model: hasModel ? undefined : standIn(),
});
if (!hasModel) console.log(scriptedNotice);
console.log(`Open ${desk.url} in a browser. Conversations are kept in ${file}.`);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void desk.close());
