import type * as Runtime from "@anthropic-ai/sandbox-runtime";
import { ConfigurationError } from "../../errors.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { unavailable } from "../errors.ts";
import { sentence } from "../kit.ts";

/** The package, once it is set up. */
export type SandboxManager = typeof Runtime.SandboxManager;

/** How long proxies stay when nothing runs any more, in milliseconds: starting them takes a tenth of a second. */
const idleTime = 1_000;

/** The package has one configuration in a process: that of its first use, also while it is set up. */
let hosts: string | undefined;
let isSetUp = false;
let manager: Promise<SandboxManager> | undefined;
let calls = 0;
let idle: ReturnType<typeof setTimeout> | undefined;
let ending: Promise<void> = Promise.resolve();

/**
 * Does something while the proxies are there, which allow some hosts.
 * @throws ConfigurationError (`sandbox-unavailable`) where the package or a program is missing; `sandbox-conflict` where this process has
 *   another list of hosts.
 */
export async function withSession<T>(
  domains: readonly string[],
  work: (session: SandboxManager) => Promise<T>,
): Promise<T> {
  const list = domains.join(", ");
  if (hosts !== undefined && hosts !== list)
    throw conflict(
      `This process has sandboxes that allow ${hosts || "no host"}, and now one that allows ${list || "no host"}.`,
    );
  hosts = list;
  calls += 1;
  clearTimeout(idle);
  try {
    await ending;
    manager ??= startSession(domains);
    // What is missing may be installed later.
    manager.catch(forget);
    return await work(await manager);
  } finally {
    calls -= 1;
    if (calls === 0) idle = setTimeout(endSession, idleTime);
  }
}

/** It could not be set up: what is set up next may allow other hosts. */
function forget(): void {
  manager = undefined;
  if (!isSetUp) hosts = undefined;
}

/** The proxies would keep the process alive. */
function endSession(): void {
  const last = manager;
  manager = undefined;
  ending = last?.then((session) => session.reset()).catch(() => {}) ?? ending;
}

/** What the package was set up with stays its configuration once it is ended: only before the first use is it another's. */
async function startSession(domains: readonly string[]): Promise<SandboxManager> {
  const { SandboxManager: session } = await loadRuntime();
  if (!isSetUp && session.getConfig() !== undefined)
    throw conflict(
      "This process has set up @anthropic-ai/sandbox-runtime itself, which has one configuration.",
    );
  const { errors } = await session.checkDependenciesAsync();
  if (errors.length > 0)
    throw unavailable(
      `sandbox-runtime needs programs that are missing. ${sentence(errors.join("; "))}`,
      "Install them: apt-get install bubblewrap socat ripgrep.",
    );
  await session
    .initialize({
      network: { allowedDomains: [...domains], deniedDomains: [], strictAllowlist: true },
      filesystem: { denyRead: ["/"], allowRead: [], allowWrite: [], denyWrite: [] },
    })
    .catch((error: unknown) => {
      throw unavailable(
        `sandbox-runtime could not be set up. ${sentence(errorMessage(error))}`,
        "Do what it says, or set via to another tier.",
      );
    });
  isSetUp = true;
  return session;
}

async function loadRuntime(): Promise<typeof Runtime> {
  // Named apart from the import, so that bundlers leave it to the one who has it.
  const name = "@anthropic-ai/sandbox-runtime";
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
  } catch (error) {
    throw unavailable(
      `The package ${name} cannot be loaded, which allows single hosts. ${sentence(errorMessage(error))}`,
      `Install it: npm install ${name}`,
    );
  }
}

function conflict(reason: string): ConfigurationError {
  return new ConfigurationError(
    `${reason} Give all sandboxes of a process the same net, or start another process.`,
    { code: "sandbox-conflict" },
  );
}
