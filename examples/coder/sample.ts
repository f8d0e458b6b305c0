import { cpSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sandbox } from "skein/sandbox";

/** Who commits in a box, which has nothing of the person's settings. */
export const author: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: "Coder",
  GIT_AUTHOR_EMAIL: "coder@example.com",
  GIT_COMMITTER_NAME: "Coder",
  GIT_COMMITTER_EMAIL: "coder@example.com",
};

const script = 'cd "$1" && git init -q -b main && git add . && git commit -qm "Begin"';

/**
 * Makes a project in a folder of its own, under version control. It is filled with the sample, which has a bug and a test that fails, or
 * by `fill`.
 * @throws ConfigurationError (`sandbox-unavailable`) where there can be no sandbox.
 */
export async function newProject(fill: (root: string) => void = copySample): Promise<string> {
  const root = join(mkdtempSync(join(tmpdir(), "skein-coder-")), "project");
  mkdirSync(root);
  fill(root);
  const box = sandbox.open({ write: [root], env: author });
  const { exitCode, stderr } = await box.exec(["bash", "-c", script, "bash", root]);
  await box.close();
  if (exitCode !== 0) throw new Error(`The project could not be committed: ${stderr}`);
  return root;
}

function copySample(root: string): void {
  cpSync(fileURLToPath(new URL("project", import.meta.url)), root, { recursive: true });
}
