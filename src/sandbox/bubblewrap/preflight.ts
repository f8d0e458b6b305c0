import { errorMessage } from "../../base/util/error-message.ts";
import { unavailable } from "../errors.ts";
import { findProgram } from "../find-program.ts";
import type { ConfigurationError } from "../../errors.ts";
import { sentence, type ProgramResult } from "../kit.ts";
import type { TierOptions } from "../types.ts";
import { runInBox } from "./run-in-box.ts";
import { seccompFilter } from "./seccomp.ts";

/** What boxes are made by. */
export interface Bubblewrap {
  readonly bwrap: string;
  readonly filter: Uint8Array;
}

/** Those that were tried and hold, by their path. */
const tried = new Map<string, Promise<Bubblewrap>>();

/**
 * Finds bubblewrap, and tries it once: whether a box can be made, and whether it holds.
 * @throws ConfigurationError (`sandbox-unavailable`) that names the fix.
 */
export function preflight(): Promise<Bubblewrap> {
  if (process.platform !== "linux")
    throw unavailable(
      `bubblewrap needs Linux, and this is ${process.platform}.`,
      "Run it in a container or a virtual machine with Linux, or set via to a tier of your own.",
    );
  const filter = seccompFilter(process.arch);
  if (!filter)
    throw unavailable(
      `There is no filter of system calls for ${process.arch}.`,
      "Use x64 or arm64, or set via to a tier of your own.",
    );
  const bwrap = findProgram("bwrap");
  if (bwrap === undefined)
    throw unavailable(
      "bubblewrap is not installed: there is no bwrap on PATH.",
      "Install it: apt-get install bubblewrap, or dnf install bubblewrap.",
    );
  const attempt = tried.get(bwrap) ?? tryBox({ bwrap, filter });
  tried.set(bwrap, attempt);
  // What is missing may be installed later.
  attempt.catch(() => tried.delete(bwrap));
  return attempt;
}

/** A box with nothing in it. */
export const emptyBox: TierOptions = {
  folders: [],
  cwd: "/tmp",
  net: false,
  domains: [],
  env: {},
  memoryMb: 64,
  processes: 64,
  fileMb: 1,
  outputBytes: 10_000,
  timeout: 10_000,
};

/** What the kernel says of a process in a box that holds: no way to get rights, and a filter. */
const signs = [/^NoNewPrivs:\s+1$/m, /^Seccomp:\s+2$/m];
/** And of one in a box of this tier: no rights. */
const ownSigns = [/^CapEff:\s+0+$/m, /^CapBnd:\s+0+$/m];

/** Says what the kernel thinks of it. */
export const probe: readonly string[] = ["cat", "/proc/self/status"];

async function tryBox(tools: Bubblewrap): Promise<Bubblewrap> {
  const call = { options: emptyBox, argv: probe, descriptors: [] };
  await assertHolds(runInBox({ ...tools, ...call }), ownSigns);
  return tools;
}

/**
 * Checks what a probe has come to in a first box.
 * @param further - Signs beside those of every box.
 * @throws ConfigurationError (`sandbox-unavailable`) that names the fix.
 */
export async function assertHolds(
  result: Promise<ProgramResult>,
  further: readonly RegExp[] = [],
): Promise<void> {
  const { exitCode, stdout, stderr } = await result.catch((error: unknown) => {
    throw failed(errorMessage(error));
  });
  if (exitCode !== 0) throw failed(stderr.text.trim());
  if ([...signs, ...further].every((sign) => sign.test(stdout.text))) return;
  throw unavailable(
    "A first box did not hold what it should.",
    "Install a newer bubblewrap, of 0.8 or later.",
  );
}

function failed(words: string): ConfigurationError {
  return unavailable(`A first box failed. ${sentence(words)}`, adviceFor(words));
}

function adviceFor(words: string): string {
  if (/unknown option/i.test(words))
    return "Install a newer bubblewrap, with --bind-fd and --disable-userns.";
  if (/prlimit/.test(words)) return "Install prlimit, of util-linux.";
  return (
    "User namespaces must be allowed. On Ubuntu, give bwrap an AppArmor profile with `userns`, or set " +
    "`sysctl kernel.apparmor_restrict_unprivileged_userns=0`; elsewhere `sysctl user.max_user_namespaces=10000`. " +
    "In Docker, run with `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`."
  );
}
