/** The commands in the documentation print what the pages say: each page's files are written, its commands run in order. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newProject, skein } from "./skein-command.ts";

const docs = fileURLToPath(new URL("../docs/", import.meta.url));

/** A file to write, or a command and what it prints. */
type Step =
  | { readonly file: string; readonly text: string }
  | { readonly command: string; readonly printed: string };

/** Blocks of `typescript` that begin with `// NAME.ts`, and blocks of `console` with a `$` before each command. */
function stepsOf(markdown: string): Step[] {
  return [...markdown.matchAll(/^```(typescript|console)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, kind, text = ""]): Step[] => {
      if (kind === "typescript") return [{ file: /^\/\/ (\S+)/.exec(text)?.[1] ?? "", text }];
      return text
        .split(/^\$ /m)
        .slice(1)
        .map((each) => {
          const [command = "", ...printed] = each.split("\n");
          return { command, printed: printed.join("\n") };
        });
    },
  );
}

/** The words of a command line, with quotes as a shell reads them. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");
}

describe.each(["cli.md", "check.md"])("%s", (page) => {
  let folder: string;
  let steps: Step[];
  beforeAll(async () => {
    folder = await newProject();
    const [own, shared] = await Promise.all(
      [page, "cli.md"].map((name) => readFile(join(docs, name), "utf8")),
    );
    // The first page's files are there on the others, too.
    const before = page === "cli.md" ? [] : stepsOf(shared ?? "").filter((step) => "file" in step);
    steps = [...before, ...stepsOf(own ?? "")];
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("its commands print what it says", { timeout: 120_000 }, async () => {
    expect(steps.length).toBeGreaterThan(4);
    for (const step of steps) {
      if ("file" in step) {
        await writeFile(join(folder, step.file), step.text);
        continue;
      }
      const [npx, name, ...args] = wordsOf(step.command);
      expect([npx, name], step.command).toEqual(["npx", "skein"]);
      const { stdout, stderr } = await skein(args, folder);
      expect((stdout + stderr).trimEnd(), step.command).toBe(step.printed.trimEnd());
    }
  });
});
