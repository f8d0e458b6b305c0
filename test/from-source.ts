/**
 * Lets a child process run the sources as they are, without a build: `node --import ./test/from-source.ts app.ts`.
 * Whoever imports `skein` then, from wherever it is, gets `src/`.
 */
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { sourceEntries } from "../scripts/source-entries.ts";

registerHooks({
  resolve(specifier, context, nextResolve) {
    const source = sourceEntries.get(specifier);
    return source ? { url: pathToFileURL(source).href, shortCircuit: true } : nextResolve(specifier, context);
  },
});
