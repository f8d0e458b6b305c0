/** `node compile.js webpack`: builds with the configuration in the current folder, as the command line of webpack would. */
import { pathToFileURL } from "node:url";

const [, , bundler] = process.argv;
const name = bundler === "webpack" ? "webpack" : "rspack";
const { default: config } = await import(pathToFileURL(`${name}.config.js`).href);
const { default: make } = await import(bundler);
const compiler = make(config);
compiler.run((error, stats) => {
  if (error || stats.hasErrors()) process.exitCode = 1;
  process.stderr.write(error ? String(error) : stats.toString());
  compiler.close(() => undefined);
});
