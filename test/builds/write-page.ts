/** Writes `docs/where-it-runs.md`: `node test/builds/write-page.ts`, then `npm run format`. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pageText } from "./page.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
await writeFile(`${root}/docs/where-it-runs.md`, pageText());
await promisify(execFile)("node_modules/.bin/oxfmt", ["docs/where-it-runs.md"], { cwd: root });
