import type { ExecResult, TierOptions } from "../types.ts";

/** A file, link or folder in memory. */
export interface MemoryEntry {
  readonly path: string;
  readonly mode: number;
  /** Bytes of a file, the target of a link, nothing of a folder. */
  readonly content: Uint8Array | string | undefined;
}

/** What a thread begins with. */
export interface ThreadStart {
  readonly options: TierOptions;
  readonly entries: readonly MemoryEntry[];
}

/** What a thread does, and by which descriptors it has the folders for it, in their order. */
export type ThreadCall = ThreadWork & { readonly descriptors: readonly number[] };

/** What a thread does. */
export type ThreadWork =
  | { readonly kind: "exec"; readonly argv: readonly string[]; readonly stdin: Uint8Array }
  | { readonly kind: "read"; readonly path: string; readonly largest: number }
  | { readonly kind: "write"; readonly path: string; readonly data: Uint8Array };

/** What a call came to, and all that is in memory after it. */
export interface ThreadAnswer {
  readonly value?: ExecResult | Uint8Array | undefined;
  /** Why there is no value: a sentence's end. */
  readonly failure?: string;
  readonly entries: readonly MemoryEntry[];
}

/** A thread's first message: `missing` is why it has no interpreter. */
export interface ThreadReady {
  readonly missing?: string;
}
