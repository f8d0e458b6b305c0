import { existsSync, readdirSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { FilesystemConfig } from "@anthropic-ai/sandbox-runtime";
import { invalidOption } from "../../base/options/known-options.ts";
import { limitedProgram, settings } from "../bubblewrap/box-arguments.ts";
import { startFailure } from "../bubblewrap/bubblewrap.ts";
import { assertHolds, emptyBox, probe } from "../bubblewrap/preflight.ts";
import { unavailable } from "../errors.ts";
import { assertInPlace, assertNotNested } from "../folders.ts";
import { quoted, type ProgramResult } from "../kit.ts";
import { programSandbox, type BoxCall } from "../program-sandbox.ts";
import type { Sandbox, TierOptions } from "../types.ts";
import { runWrapped } from "./run-wrapped.ts";
import { withSession, type SandboxManager } from "./session.ts";

/** Apart from where it is looked for, so that bundlers leave it to the one who has it. */
const packageName: string = ["@anthropic-ai", "sandbox-runtime"].join("/");

/**
 * The tier for a list of hosts: `sandbox-runtime` makes the box, whose only way out is a proxy that knows names. Limits are those of
 * bubblewrap's tier.
 */
export function sandboxRuntime(options: TierOptions): Sandbox {
  return programSandbox(options, {
    async run(call) {
      assertPlatform();
      assertPaths(options);
      return withSession(options.domains, async (session) => {
        await (isTried ?? tryBox(session));
        assertInPlace(options.folders);
        return runCall(session, call);
      });
    },
    failure: startFailure,
  });
}

let isTried: Promise<void> | undefined;

/** What is missing may be there later, so only what holds is remembered. */
function tryBox(session: SandboxManager): Promise<void> {
  const call = { argv: probe, stdin: undefined, signal: new AbortController().signal, options: emptyBox };
  isTried = assertHolds(runCall(session, call));
  isTried.catch(() => (isTried = undefined));
  return isTried;
}

/**
 * Of temporary files, the package names a folder that the box does not have. And it has programs reach private addresses without the proxy,
 * which is the only way to those that are listed.
 */
const corrections = { TMPDIR: "/tmp", NO_PROXY: "", no_proxy: "" } as const;

async function runCall(session: SandboxManager, call: BoxCall): Promise<ProgramResult> {
  const options = { ...call.options, env: { ...corrections, ...call.options.env } };
  const { argv } = await session.wrapWithSandboxArgv(
    limitedProgram(call.argv, options).map(quoted).join(" "),
    "/bin/bash",
    { filesystem: filesOf(session, options) },
    call.signal,
    options.cwd,
    // Its own, not the command's text, which would be seen in the address of the proxy.
    { commandId: crypto.randomUUID() },
  );
  try {
    return await runWrapped(argv, { ...call, options }, memoryFolders(options));
  } finally {
    session.cleanupAfterCommand();
  }
}

function filesOf(session: SandboxManager, { folders }: TierOptions): FilesystemConfig {
  // The way to the proxy would be hidden with the folder that it is in.
  const sockets = [session.getLinuxHttpSocketPath(), session.getLinuxSocksSocketPath()];
  const paths = folders.map(({ source }) => source);
  const readable = [...system(), ...sockets, ...paths].filter((path) => path !== undefined);
  const writable = folders.filter(({ isWritable }) => isWritable).map(({ source }) => source);
  return {
    denyRead: ["/", "/sys"],
    allowRead: readable.map(literal),
    allowWrite: writable.map(literal),
    denyWrite: [],
  };
}

/** @throws ConfigurationError (`sandbox-unavailable`) where this box would not hold, or nobody has tried. */
function assertPlatform(): void {
  if (process.platform !== "linux")
    throw unavailable(
      `via: "sandbox-runtime" is for Linux so far, and this is ${process.platform}.`,
      `Set via: "memory", or via to a container.`,
    );
  if (process.getuid?.() === 0)
    throw unavailable(
      "As root, a box of sandbox-runtime may write settings of the kernel in /proc/sys.",
      `Run the process as another user, or without a list of hosts.`,
    );
}

/** @throws ConfigurationError for a folder under another path than its own, and for one that the package would mount before its outer. */
function assertPaths({ folders }: TierOptions): void {
  const moved = folders.find(({ source, target }) => source !== target);
  if (moved)
    throw invalidOption(`via: "sandbox-runtime" cannot show ${moved.source} as ${moved.target}.`, {
      option: "root",
    });
  assertNotNested(folders, "sandbox-runtime");
}

/** What programs may read beside their folders. */
function system(): readonly string[] {
  const home = dirname(createRequire(import.meta.url).resolve(packageName));
  // Programs find the proxy under the name localhost.
  const etc = [...settings, "hosts"].map((name) => `/etc/${name}`);
  return ["/usr", "/bin", "/lib", "/lib64", "/sbin", "/nix/store", ...etc, join(home, "../vendor")].filter(
    existsSync,
  );
}

/** Folders that the box may have in memory: all that it hides. */
function memoryFolders({ folders }: TierOptions): readonly string[] {
  const own = new Set(folders.map(({ source }) => realpathSync(source)));
  const names = readdirSync("/", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...names.map(({ name }) => `/${name}`), "/dev/shm"].filter((path) => !own.has(path));
}

/** A path whose characters are not read as a pattern. */
function literal(path: string): { readonly path: string; readonly literal: true } {
  return { path, literal: true };
}
