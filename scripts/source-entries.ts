import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };

const targets: readonly (readonly [string, string | object])[] = Object.entries({
  ...packageJson.exports,
  ...packageJson.imports,
});

/** The modules of `src/`, absolute paths, by what programs import: `skein`, `skein/openai`, `#reflection`. */
export const sourceEntries: ReadonlyMap<string, string> = new Map(
  targets.flatMap(([name, target]) => {
    const path = /\.\/dist\/([^"]+)\.d\.ts"/.exec(JSON.stringify(target))?.[1];
    if (path === undefined) return [];
    return [[name.replace(/^\./, "skein"), fileURLToPath(new URL(`../src/${path}.ts`, import.meta.url))]];
  }),
);
