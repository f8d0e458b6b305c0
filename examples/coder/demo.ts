/** Talks with the coder: `npm run example coder`. */
import { chat } from "skein/cli";
import { dollars } from "skein/models";
import { sqliteSession } from "skein/sessions";
import { agent, folder } from "./agent.ts";
import { standIn } from "./stand-in.ts";

const { env } = process;
const hasModel = ["SKEIN_MODEL", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"].some(
  (name) => env[name],
);
if (!hasModel)
  console.error(
    "A scripted stand-in answers. For a real model, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY.",
  );
console.error(
  `The project is in ${folder}. Say "Mend the failing test". To go on later: CODER_FOLDER=${folder} npm run example coder`,
);

// Beside the folder, not in it: what a model may write, no conversation goes on from.
const session = sqliteSession(`${folder}.db`, "coder");
await chat(hasModel ? agent : agent.with({ model: standIn() }), {
  session,
  maxTurns: 40,
  ...(env["CODER_DOLLARS"] && { maxCost: dollars(Number(env["CODER_DOLLARS"])) }),
  compaction: { maxTokens: 60_000, pruneResults: {} },
});
session.close();
