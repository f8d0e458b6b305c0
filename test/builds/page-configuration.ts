/** The configurations that docs/production.md shows: what is tried is what readers copy. */
import { readFileSync } from "node:fs";

const page = readFileSync(new URL("../../docs/production.md", import.meta.url), "utf8");

/** The configuration that the page shows under a heading, by the name of its file. */
export function pageConfiguration(heading: string): Readonly<Record<string, string>> {
  const section = page.split(/^### /m).find((text) => text.startsWith(`${heading}\n`));
  const [, file, code] = /^```js\n\/\/ (\S+)\n([\s\S]*?)^```$/m.exec(section ?? "") ?? [];
  if (file === undefined || code === undefined)
    throw new Error(`docs/production.md shows no configuration for ${heading}.`);
  return { [file]: code };
}
