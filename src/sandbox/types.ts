/** A place where programs run and files are, apart from the machine. */
export interface Sandbox {
  /**
   * Runs a program to its end.
   * @param argv - The program and its arguments: no shell reads them.
   * @throws the signal's reason if it is aborted, once the program and all its children are gone; SandboxError for a program that could
   *   not be started; ConfigurationError (`sandbox-unavailable`) where there can be no sandbox.
   */
  exec(argv: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /**
   * Reads a file.
   * @throws SandboxError for one that cannot be read, or is larger than the limit.
   */
  read(path: string, options?: SandboxCallOptions): Promise<Uint8Array>;
  /**
   * Writes a file, and the folders that lead to it. One that exists is replaced as a whole, where it can be.
   * @throws SandboxError for one that cannot be written: it is as it was, or the error says that it may be cut.
   */
  write(path: string, data: string | Uint8Array, options?: SandboxWriteOptions): Promise<void>;
  /** Ends all that runs. */
  close(): Promise<void>;
}

/** Options of every call of a sandbox. */
export interface SandboxCallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Options of writing a file. */
export interface SandboxWriteOptions extends SandboxCallOptions {
  /**
   * Whether a file is refused that is in a `.git` below the folder where programs start, or is one, also if a link leads there: what it
   * holds runs outside of the sandbox when git is called. `false` by default.
   */
  readonly keepGit?: boolean | undefined;
}

/** Options of a program's run. */
export interface ExecOptions extends SandboxCallOptions {
  /** What the program reads from its standard input; nothing by default. */
  readonly stdin?: string | Uint8Array | undefined;
}

/** Why a program was ended before it came to its end. */
export type ExecEnd = "timeout" | "memory" | "processes" | "output";

/** What a program came to. */
export interface ExecResult {
  readonly exitCode: number;
  /** Head and tail, where it is longer than the limit. */
  readonly stdout: string;
  readonly stderr: string;
  /** The limit that ended the program. */
  readonly ended?: ExecEnd;
}

/** What programs in a sandbox may use. */
export interface SandboxLimits {
  /** Megabytes of memory of all processes and of `/tmp` together; 512 by default. */
  readonly memoryMb?: number | undefined;
  /** Processes and threads at once; 256 by default. */
  readonly processes?: number | undefined;
  /** Megabytes of a file; 256 by default. */
  readonly fileMb?: number | undefined;
  /** Bytes of each output that are kept; 100,000 by default. */
  readonly outputBytes?: number | undefined;
  /** Milliseconds until a program is ended, with all its children; 60,000 by default. */
  readonly timeout?: number | undefined;
}

/** What a sandbox is made of. */
export interface SandboxOptions extends SandboxLimits {
  /** Files and folders that programs may read, beside the system's programs; each has the path that it has outside. */
  readonly read?: readonly string[] | undefined;
  /** Files and folders that programs may also write. */
  readonly write?: readonly string[] | undefined;
  /**
   * Whether programs have the machine's network, all of it; `false` by default. A list of host names, such as `["api.example.com"]`
   * or `["*.example.com"]`, allows those alone.
   */
  readonly net?: boolean | readonly string[] | undefined;
  /** Variables of the environment, beside `PATH`, `HOME`, `LANG` and `TMPDIR`. Those of the process are not passed on. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What makes the sandbox; bubblewrap by default, and `"sandbox-runtime"` where `net` is a list. */
  readonly via?: SandboxVia | undefined;
}

/** What can make a sandbox: a tier by its name, a container, or a function. */
export type SandboxVia = TierName | ContainerOptions | SandboxTier;

/**
 * The tiers that have a name: namespaces of Linux, an interpreter of bash without a machine (npm install just-bash), and the sandbox of
 * the operating system behind a proxy (npm install @anthropic-ai/sandbox-runtime).
 */
export type TierName = "bubblewrap" | "memory" | "sandbox-runtime";

/** Containers of an OCI engine, one for each call. */
export interface ContainerOptions {
  /** The command of the engine, `"docker"` or `"podman"`, or any that has its arguments; a list begins with more of them. */
  readonly container: string | readonly string[];
  /** An image that the engine has already. It needs `sh`, `timeout`, `head` and `cat`, to write files the usual `mv` and the like; for a shell also `bash` and `grep`. */
  readonly image: string;
  /** What runs the containers, such as `"runsc"`; the engine's own by default. */
  readonly runtime?: string | undefined;
}

/** A file or folder that programs have. */
export interface SandboxFolder {
  /** The absolute path outside. */
  readonly source: string;
  /** The absolute path that programs have it under. */
  readonly target: string;
  readonly isWritable: boolean;
}

/** All limits, with their defaults. */
export type CompleteLimits = { readonly [Limit in keyof SandboxLimits]-?: number };

/** What a tier makes a sandbox of: all options, checked and complete. */
export interface TierOptions extends CompleteLimits {
  readonly folders: readonly SandboxFolder[];
  /** Where programs start. */
  readonly cwd: string;
  /** Whether programs have the whole network. */
  readonly net: boolean;
  /** Host names that programs may reach without it; none by default. */
  readonly domains: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Makes sandboxes. It holds programs to all options, or throws a ConfigurationError: it never does without.
 * It is not called before a sandbox is used.
 */
export type SandboxTier = (options: TierOptions) => Sandbox;
