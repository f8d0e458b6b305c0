import { findFiles, searchFiles } from "../../sandbox/find-files.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** The files of a folder as a box has them: read and written in it, so that no link of a program leads out. */
export function boxFiles(box: Sandbox): WorkspaceFiles {
  return {
    read: (path, options) => box.read(path, options),
    async exists(path, signal) {
      const test = '[ -e "$1" ] || [ -L "$1" ]';
      const { exitCode } = await box.exec(["bash", "-c", test, "bash", path], { signal });
      return exitCode === 0;
    },
    write: (path, text, signal) => box.write(path, text, { signal, keepGit: true }),
    find: (patterns, signal) => findFiles(box, patterns, signal),
    async search(request, signal) {
      const lines = await searchFiles(box, request, signal);
      return request.path === "." ? lines.replaceAll(/^\.\//gm, "") : lines;
    },
  };
}
