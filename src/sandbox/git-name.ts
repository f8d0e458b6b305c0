import { withoutInvisible } from "../base/util/clean-text.ts";

/** What file systems take for `.git`: of Windows the short name too, dots and spaces at the end, and what follows a colon. */
const gitName = /^(?:\.git|git~\d+)[. ]*(?::.*)?$/i;

/**
 * The name in a path that git takes for its folder, as all file systems would have it; `undefined` where there is none.
 * @see https://git-scm.com/docs/git-config#Documentation/git-config.txt-coreprotectNTFS
 */
export function gitNameIn(path: string): string | undefined {
  return path.split("/").find((name) => gitName.test(withoutInvisible(name).trim()));
}

/** What follows the name of what git has, in an error. */
export const gitAdvice = "which is not written with this tool. Use git.";
