/**
 * Lets a child process run the sources as they are, without a build: `node --import ./test/from-source.ts app.ts`.
 * Whoever imports `skein` then, from wherever it is, gets `src/`.
 */
import { registerHooks } from "node:module";

const source = (path: string): string => new URL(`../src/${path}.ts`, import.meta.url).href;

const addresses: ReadonlyMap<string, string> = new Map([
  ["skein", source("index")],
  ["#reflection", source("reflection/index")],
  ["#model-resolution", source("resolution/index")],
  ["#offload", source("offload/index")],
]);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const entry = /^skein\/(.+)$/.exec(specifier)?.[1];
    const url = addresses.get(specifier) ?? (entry && source(`${entry}/index`));
    return url ? { url, shortCircuit: true } : nextResolve(specifier, context);
  },
});
