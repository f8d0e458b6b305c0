/** A talk with the analyst: `npm run example analyst`. */
import { chat } from "skein/cli";
import { hasModel, scriptedNotice } from "../has-model.ts";
import { agent } from "./agent.ts";
import { standIn } from "./stand-in.ts";

if (!hasModel) console.error(scriptedNotice);
await chat(hasModel ? agent : agent.with({ model: standIn() }));
