/** The name in a path that git takes for its folder, as all file systems would have it; `undefined` where there is none. */
export function gitNameIn(path: string): string | undefined {
  return path.split("/").find((name) => /^\.git$/i.test(name.trim()));
}

/** What follows the name of what git has, in an error. */
export const gitAdvice = "which is not written with this tool. Use git.";
