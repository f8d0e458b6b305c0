/** The table and what runs it, as files of a project of their own. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { themes } from "./table/index.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** How many rows the table has. */
export const rowCount: number = themes.reduce((count, { rows }) => count + rows.length, 0);

const main = `
  import { runTable } from "./run-table.ts";
  console.log(JSON.stringify(await runTable({ isBuilt: true })));
`;

/** Reads the files that `isIncluded` names, and adds a `src/main.ts` that prints what comes of every row. */
export async function readTableFiles(
  isIncluded: (name: string) => boolean = () => true,
): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => /\.[jt]s$/.test(name) && !name.endsWith(".test.ts") && isIncluded(name),
  );
  const entries = names.map(
    async (name) => [`src/${name}`, await readFile(join(folder, name), "utf8")] as const,
  );
  return { ...Object.fromEntries(await Promise.all(entries)), "src/main.ts": main };
}
