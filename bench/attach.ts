import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { makeAttachProject, type AttachProject } from "./attach-project.ts";
import { medians } from "./measure.ts";
import type { Row } from "./table.ts";

const command = fileURLToPath(new URL("../dist/cli/bin.js", import.meta.url));

/** What `skein attach` costs after a compiler: all of a program, and a program that has not changed. */
export async function attachRows(): Promise<readonly Row[]> {
  const project = makeAttachProject(50, 10);
  try {
    const median = await medians({
      built: () => timed(project, true),
      unchanged: () => timed(project, false),
    });
    return [
      {
        what: "skein attach: 500 functions in 50 files",
        unit: "ms",
        skein: median("built"),
        limit: { of: "skein", most: 2000 },
      },
      {
        what: "  where nothing has changed",
        unit: "ms",
        skein: median("unchanged"),
        limit: { of: "skein", most: 300 },
      },
    ];
  } finally {
    project.remove();
  }
}

/** Milliseconds of a process. It fails where an expression is not found, or work is done that is not needed. */
function timed({ folder, rebuild }: AttachProject, isBuilt: boolean): number {
  if (isBuilt) rebuild();
  const startedAt = performance.now();
  const output = execFileSync(process.execPath, [command, "attach", "dist"], {
    cwd: folder,
    encoding: "utf8",
  });
  const duration = performance.now() - startedAt;
  const expected = isBuilt ? "50 of 50 scripts" : "unchanged";
  if (!output.includes(expected)) throw new Error(`skein attach printed something else:\n${output}`);
  return duration;
}
