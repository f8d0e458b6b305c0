/** A talk with the analyst: `npm run example analyst`. */
import { chat } from "skein/cli";
import { agent } from "./agent.ts";
import { standIn } from "./stand-in.ts";

const hasModel = ["SKEIN_MODEL", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"].some(
  (name) => process.env[name],
);
if (!hasModel)
  console.error(
    "A scripted stand-in answers. For a real model, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY.",
  );
await chat(hasModel ? agent : agent.with({ model: standIn() }));
