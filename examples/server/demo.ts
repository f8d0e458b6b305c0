/** The shop's desk in a browser: `npm run example server`. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStore } from "skein/durable";
import { openDesk } from "./server.ts";
import { standIn } from "./stand-in.ts";

const { env } = process;
const hasModel = [
  env["SKEIN_MODEL"],
  env["ANTHROPIC_API_KEY"],
  env["OPENAI_API_KEY"],
  env["GEMINI_API_KEY"],
].some(Boolean);
const file = join(tmpdir(), "skein-desk.db");

const desk = await openDesk({
  port: Number(env["PORT"] ?? 3_000),
  store: sqliteStore(file),
  model: hasModel ? undefined : standIn(),
});
if (!hasModel)
  console.log(
    "A scripted stand-in answers. For a real model, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY.",
  );
console.log(`Open ${desk.url} in a browser. Conversations are kept in ${file}.`);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void desk.close());
