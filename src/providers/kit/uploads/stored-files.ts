import { Lru } from "../../../base/util/lru.ts";
import { isOfflineFetch, type Fetch } from "../../../model/wire-seam.ts";
import { SharedUpload } from "./shared-upload.ts";
import type { StoredFile } from "./types.ts";

/** The most files that are remembered; what was not used for longest is uploaded again. */
const mostFiles = 1_000;

/** How long before its end a file counts as gone, in milliseconds: a request may be under way for some time. */
const safety = 300_000;

/** The files that are stored at providers, by a digest of their content and account. */
export class StoredFiles {
  readonly #files = new Lru<StoredFile>(mostFiles, mostFiles);
  readonly #underWay = new Map<string, SharedUpload>();

  /** The file under a key, uploaded if it is not there. Those that ask at the same time share one upload. */
  async get(
    key: string,
    upload: (signal: AbortSignal) => Promise<StoredFile>,
    signal: AbortSignal | undefined,
  ): Promise<StoredFile> {
    const stored = this.#files.get(key);
    if (stored && !isEnding(stored)) return stored;
    const earlier = this.#underWay.get(key);
    const shared = earlier && !earlier.isAbandoned ? earlier : this.#start(key, upload);
    return shared.wait(signal);
  }

  /** Whether a file is stored, and stays so for the time of a request. */
  has(key: string): boolean {
    const stored = this.#files.get(key);
    return stored !== undefined && !isEnding(stored);
  }

  /** Forgets a file that its provider does not have any more, unless there is a newer one. */
  forget(key: string, id: string): void {
    if (this.#files.get(key)?.id === id) this.#files.delete(key);
  }

  #start(key: string, upload: (signal: AbortSignal) => Promise<StoredFile>): SharedUpload {
    const shared: SharedUpload = new SharedUpload(async (signal) => {
      try {
        const file = await upload(signal);
        this.#files.set(key, file, 1);
        return file;
      } finally {
        if (this.#underWay.get(key) === shared) this.#underWay.delete(key);
      }
    });
    this.#underWay.set(key, shared);
    return shared;
  }
}

function isEnding({ expiresAt }: StoredFile): boolean {
  return expiresAt !== undefined && expiresAt - safety < Date.now();
}

const ofProcess = new StoredFiles();

/** Of those that answer from memory: what one has recorded, no other knows. */
const ofFetches = new WeakMap<Fetch, StoredFiles>();

/** The files that models with this `fetch` share: those of all models of this process. */
export function storedFilesOf(fetch: Fetch | undefined): StoredFiles {
  if (fetch === undefined || !isOfflineFetch(fetch)) return ofProcess;
  const files = ofFetches.get(fetch) ?? new StoredFiles();
  ofFetches.set(fetch, files);
  return files;
}
