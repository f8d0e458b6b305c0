/** What `npm start` does: `skein chat` on the triage example, with any further arguments passed on. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const command = new URL("dist/cli/bin.js", root);
const example = fileURLToPath(new URL("examples/triage/agent.ts", root));

if (!existsSync(command)) build();
process.argv.splice(2, 0, "chat", example);
await import(command.href);

function build(): void {
  console.error("Building first ...");
  // The transcript alone goes to standard output, so that it can be piped on.
  const { status, error } = spawnSync(process.execPath, [fileURLToPath(new URL("scripts/build.ts", root))], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (status === 0) return;
  console.error(
    `The build failed${error ? `: ${error.message}` : ""}. Is everything installed? Try: npm install`,
  );
  process.exit(1);
}
