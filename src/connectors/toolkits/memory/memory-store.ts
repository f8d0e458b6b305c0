/** A file of a memory, without its text. */
export interface MemoryFile {
  /** From `/memories/` on: `/memories/notes/tone.md`. */
  readonly path: string;
  /** Of the text in UTF-8. */
  readonly bytes: number;
}

/** A change of one file. */
export interface MemoryChange {
  readonly path: string;
  /** The text that the file has; `undefined` if there is none. */
  readonly before: string | undefined;
  /** The text that it gets; `undefined` if it is deleted. */
  readonly after: string | undefined;
}

/** A file that a search has found. */
export interface MemoryHit {
  readonly path: string;
  /** The part of the text that fits. */
  readonly excerpt: string;
}

/**
 * Where memories are. Paths are checked before they come here; `owner` is whose memory it is, never from a model, and empty for a memory
 * of all runs. No owner reads or changes what another one has.
 */
export interface MemoryStore {
  /** All files of an owner. */
  list(owner: string): Promise<readonly MemoryFile[]>;
  /** The text of a file; `undefined` if there is none. */
  read(owner: string, path: string): Promise<string | undefined>;
  /**
   * Applies all changes or none, and says which: none if a file is not as `before` says. No other change comes between the comparison and
   * the writing, of other processes neither.
   */
  change(owner: string, changes: readonly MemoryChange[]): Promise<boolean>;
  /** The files that fit some words best, the best first. Without it, all files of the owner are read and searched. */
  search?(owner: string, query: string, limit: number): Promise<readonly MemoryHit[]>;
  /** Releases what the store uses. Using it again opens it again. */
  close?(): Promise<void>;
}
