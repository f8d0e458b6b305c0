import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  utimesSync,
  type Stats,
} from "node:fs";
import { posix } from "node:path";
import type { CpOptions, FsStat, IFileSystem, MkdirOptions, RmOptions } from "just-bash";
import { errorMessage } from "../../base/util/error-message.ts";
import { systemCode } from "../../base/util/system-code.ts";
import { assertNoLink, heldPath, systemError, withEntry, withName, type Entry } from "./beneath.ts";
import { ifThere, makeFolders, putFile, readHeld, remove, rights, separate } from "./host-files.ts";

type Encoding = Parameters<IFileSystem["readFile"]>[1];
type Content = Parameters<IFileSystem["writeFile"]>[1];

/** A folder of the machine that a sandbox in memory has. */
export interface HostFolderOptions {
  /** The path that programs have it under, for errors. */
  readonly target: string;
  readonly isWritable: boolean;
  /** Bytes of the largest file that is read. */
  readonly largest: number;
}

/**
 * The files of a folder, as the interpreter has them. Each is held by a descriptor before anything is done to it, and the way to it has no
 * links (`withEntry`), so a program of another sandbox that has the same folder cannot lead this one out of it. A file that has more than
 * one name is replaced, not written: another name may be elsewhere.
 */
export class HostFolder implements IFileSystem {
  readonly #options: HostFolderOptions;
  #folder: number | undefined;

  constructor(options: HostFolderOptions) {
    this.#options = options;
  }

  /** Sets the descriptor of the folder, for a call. Who opened it closes it. */
  hold(folder: number | undefined): void {
    this.#folder = folder;
  }

  async readFile(path: string, encoding?: Encoding): Promise<string> {
    return Buffer.from(this.#read("open", path)).toString(encodingOf(encoding));
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    return this.#read("open", path);
  }

  async writeFile(path: string, content: Content, encoding?: Encoding): Promise<void> {
    this.#put("write", path, bytesOf(content, encoding));
  }

  async appendFile(path: string, content: Content, encoding?: Encoding): Promise<void> {
    this.#put("append", path, bytesOf(content, encoding), true);
  }

  async exists(path: string): Promise<boolean> {
    try {
      await this.stat(path);
      return true;
    } catch {
      return false;
    }
  }

  async stat(path: string): Promise<FsStat> {
    return this.#with("stat", path, ({ stats }) => statOf(stats));
  }

  async lstat(path: string): Promise<FsStat> {
    return this.#try("lstat", path, (folder, names) =>
      withEntry(folder, names, ({ stats }) => statOf(stats)),
    );
  }

  async mkdir(path: string, { recursive = false }: MkdirOptions = {}): Promise<void> {
    this.#change("mkdir", path, (folder, names) => {
      if (recursive) makeFolders(folder, names);
      else withName(folder, names, (way) => mkdirSync(way));
    });
  }

  async readdir(path: string): Promise<string[]> {
    return this.#with("scandir", path, ({ descriptor }) => readdirSync(heldPath(descriptor)).toSorted());
  }

  async rm(path: string, { recursive = false, force = false }: RmOptions = {}): Promise<void> {
    try {
      this.#change("rm", path, (folder, names) => remove(folder, names, recursive));
    } catch (error) {
      if (!force || systemCode(error) !== "ENOENT") throw error;
    }
  }

  async cp(from: string, to: string, { recursive = false }: CpOptions = {}): Promise<void> {
    const source = this.#with("cp", from, ({ stats }) => stats);
    const target = this.#find(to);
    if (target && target.dev === source.dev && target.ino === source.ino)
      throw systemError("EINVAL", `cannot copy onto itself, cp '${this.#visible(to)}'`);
    if (!source.isDirectory()) {
      this.#put("cp", to, this.#read("cp", from));
      if (!target) await this.chmod(to, source.mode);
      return;
    }
    if (!recursive) throw systemError("EISDIR", `is a directory, cp '${this.#visible(from)}'`);
    await this.mkdir(to, { recursive });
    for (const name of await this.readdir(from))
      await this.cp(posix.join(from, name), posix.join(to, name), { recursive });
  }

  async mv(from: string, to: string): Promise<void> {
    try {
      this.#change("mv", from, (folder, names) =>
        withName(folder, names, (source) =>
          withName(folder, namesOf(to), (target) => renameSync(source, target)),
        ),
      );
    } catch (error) {
      // The folder has another file system in it.
      if (systemCode(error) !== "EXDEV") throw error;
      await this.cp(from, to, { recursive: true });
      await this.rm(from, { recursive: true });
    }
  }

  resolvePath(base: string, path: string): string {
    return posix.resolve("/", base, path);
  }

  /** Patterns of paths are matched by listing folders. */
  getAllPaths(): string[] {
    return [];
  }

  async chmod(path: string, mode: number): Promise<void> {
    this.#changeAlone("chmod", path, (path) => chmodSync(path, mode & rights));
  }

  async utimes(path: string, atime: Date, mtime: Date): Promise<void> {
    this.#changeAlone("utimes", path, (path) => utimesSync(path, atime, mtime));
  }

  async symlink(_target: string, path: string): Promise<void> {
    throw systemError("EPERM", `no links are made in a folder, symlink '${this.#visible(path)}'`);
  }

  async link(from: string, to: string): Promise<void> {
    this.#change("link", from, (folder, names) =>
      withName(folder, names, (source) =>
        withName(folder, namesOf(to), (target) => linkSync(source, target)),
      ),
    );
  }

  async readlink(path: string): Promise<string> {
    return this.#try("readlink", path, (folder, names) =>
      withName(folder, names, (way) => readlinkSync(way)),
    );
  }

  async realpath(path: string): Promise<string> {
    return this.#with("realpath", path, () => `/${namesOf(path).join("/")}`);
  }

  #read(operation: string, path: string): Uint8Array {
    return this.#with(operation, path, (entry) => readHeld(entry, this.#options.largest));
  }

  #put(operation: string, path: string, bytes: Uint8Array, isAppended = false): void {
    const { largest } = this.#options;
    this.#change(operation, path, (folder, names) => putFile(folder, names, bytes, isAppended, largest));
  }

  /** Changes what belongs to a file, not to its name. */
  #changeAlone(operation: string, path: string, change: (path: string) => void): void {
    this.#change(operation, path, (folder, names) => {
      separate(folder, names, this.#options.largest);
      withEntry(folder, names, (entry) => {
        assertNoLink(entry);
        change(heldPath(entry.descriptor));
      });
    });
  }

  #find(path: string): Stats | undefined {
    return this.#try("stat", path, (folder, names) =>
      ifThere(() => withEntry(folder, names, ({ stats }) => stats)),
    );
  }

  /** Does something with what a path leads to, unless that is a link. */
  #with<T>(operation: string, path: string, use: (entry: Entry) => T): T {
    return this.#try(operation, path, (folder, names) =>
      withEntry(folder, names, (entry) => {
        assertNoLink(entry);
        return use(entry);
      }),
    );
  }

  #change(operation: string, path: string, use: (folder: number, names: readonly string[]) => void): void {
    this.#try(operation, path, (folder, names) => {
      if (!this.#options.isWritable) throw systemError("EROFS", "read-only file system");
      use(folder, names);
    });
  }

  /** @throws errors with the path that programs have, not the machine's. */
  #try<T>(operation: string, path: string, use: (folder: number, names: readonly string[]) => T): T {
    if (this.#folder === undefined) throw new Error("The folder is not open.");
    try {
      return use(this.#folder, namesOf(path));
    } catch (error) {
      const code = systemCode(error) ?? "EIO";
      const [words = ""] = errorMessage(error)
        .replace(`${code}: `, "")
        .split(/, \w+ '?\/proc\/self\/fd/);
      throw systemError(code, `${words}, ${operation} '${this.#visible(path)}'`);
    }
  }

  #visible(path: string): string {
    return posix.join(this.#options.target, ...namesOf(path));
  }
}

/** The names on a path, which starts at the folder. */
function namesOf(path: string): readonly string[] {
  return posix.resolve("/", path).split("/").filter(Boolean);
}

function encodingOf(options: Encoding): BufferEncoding {
  return (typeof options === "string" ? options : options?.encoding) ?? "utf8";
}

function bytesOf(content: Content, encoding: Encoding): Uint8Array {
  return typeof content === "string" ? Buffer.from(content, encodingOf(encoding)) : content;
}

function statOf(stats: Stats): FsStat {
  const { mode, size, mtime, dev, ino } = stats;
  return {
    isFile: stats.isFile(),
    isDirectory: stats.isDirectory(),
    isSymbolicLink: stats.isSymbolicLink(),
    mode,
    size,
    mtime,
    dev,
    ino,
    identity: `real:${dev}:${ino}`,
  };
}
