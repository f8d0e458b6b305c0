/** Runs the server of a framework, and prints what comes of the table in it: `node serve-report.ts node dist/server.js`. */
import { read, serve } from "./server.ts";

await serve(".", process.argv.slice(2).join(" "), async (address) => {
  // Servers for development may write it over several lines.
  const report: unknown = JSON.parse(await read(`${address}/report`));
  process.stdout.write(`${JSON.stringify(report)}\n`);
});
