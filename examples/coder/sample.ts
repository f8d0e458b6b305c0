import { cpSync, mkdtempSync } from "node:fs";
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

const script = 'cd "$1" && git init -q -b main && git add . && git commit -qm "Share a bill"';

/**
 * Copies the sample project, which has a bug and a test that fails, into a folder of its own, and commits it there.
 * @throws ConfigurationError (`sandbox-unavailable`) where there can be no sandbox.
 */
export async function sampleProject(): Promise<string> {
  const root = join(mkdtempSync(join(tmpdir(), "skein-coder-")), "project");
  cpSync(fileURLToPath(new URL("project", import.meta.url)), root, { recursive: true });
  const box = sandbox.open({ write: [root], env: author });
  const { exitCode, stderr } = await box.exec(["bash", "-c", script, "bash", root]);
  await box.close();
  if (exitCode !== 0) throw new Error(`The sample project could not be committed: ${stderr}`);
  return root;
}
