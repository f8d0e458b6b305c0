/**
 * The address of the folder that holds this package's code, `src/` or `dist/`, with a slash at its end. In a bundle, a folder
 * of the program's; empty where code has no address. Cut from the text: bundlers take `new URL(..., import.meta.url)` for a
 * file to copy.
 */
export function codeFolder(): string {
  // Bundles of CommonJS have no `import.meta.url`.
  const here: string | undefined = import.meta.url;
  return /^.*\/(?:src|dist)\//.exec(here ?? "")?.[0] ?? here?.replace(/[^/]*$/, "") ?? "";
}
