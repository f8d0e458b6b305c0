import type { GrepRequest } from "../../sandbox/file-tools.ts";

/** The files of a workspace, in a box or without one. Paths begin in its folder. */
export interface WorkspaceFiles {
  read(path: string, options: { readonly signal?: AbortSignal | undefined }): Promise<Uint8Array>;
  exists(path: string, signal: AbortSignal): Promise<boolean>;
  write(path: string, text: string, signal: AbortSignal): Promise<void>;
  /** Files and folders by patterns, one a line. */
  find(patterns: readonly string[], signal: AbortSignal): Promise<string>;
  /** Lines of files that match, as `file:line:text`. */
  search(request: GrepRequest, signal: AbortSignal): Promise<string>;
}
