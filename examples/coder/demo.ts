/** Talks with the coder: `npm run example coder`. */
import { chat } from "skein/cli";
import { dollars } from "skein/models";
import { sqliteSession } from "skein/sessions";
import { hasModel, scriptedNotice } from "../has-model.ts";
import { agent, folder } from "./agent.ts";
import { standIn } from "./stand-in.ts";

if (!hasModel) console.error(scriptedNotice);
console.error(`The project is in ${folder}. Say: Mend the failing test
Go on later with: CODER_FOLDER=${folder} npm run example coder`);

// Beside the folder, not in it: the model may write there, and must not approve its own calls.
const session = sqliteSession(`${folder}.db`, "coder");
const limit = Number(process.env["CODER_DOLLARS"] ?? 0);
await chat(hasModel ? agent : agent.with({ model: standIn() }), {
  session,
  maxTurns: 40,
  maxTokens: 2_000_000,
  ...(limit > 0 && { maxCost: dollars(limit) }),
  compaction: { maxTokens: 60_000, pruneResults: {}, summarize: true },
});
session.close();
