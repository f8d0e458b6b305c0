/** Servers of others, and a browser for one of them: installed at the first run of a test that needs them. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { installOnce } from "../consumer.ts";

const execute = promisify(execFile);

/** The folder in which the servers are installed: `npx` finds them there. */
export const serversFolder: string = fileURLToPath(new URL("servers", import.meta.url));

const entries = {
  everything: "@modelcontextprotocol/server-everything/dist/index.js",
  filesystem: "@modelcontextprotocol/server-filesystem/dist/index.js",
  memory: "@modelcontextprotocol/server-memory/dist/index.js",
  playwright: "@playwright/mcp/cli.js",
} as const;

/** Installs what `servers/package.json` asks for, once, and gives back the program of each server. */
export async function installServers(): Promise<Readonly<Record<keyof typeof entries, string>>> {
  const path = (entry: string): string => join(serversFolder, "node_modules", entry);
  await installOnce(serversFolder, () => Object.values(entries).every((entry) => existsSync(path(entry))));
  const { everything, filesystem, memory, playwright } = entries;
  return {
    everything: path(everything),
    filesystem: path(filesystem),
    memory: path(memory),
    playwright: path(playwright),
  };
}

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/**
 * A Chromium: `CHROMIUM_PATH`, the system's, or the one of Debian's package, which is then installed.
 * @throws Error where there is none and none can be installed.
 */
export async function findChromium(): Promise<string> {
  const found = [process.env["CHROMIUM_PATH"] ?? "", ...places].find((path) => path && existsSync(path));
  if (found !== undefined) return found;
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await execute("apt-get", ["update"], { env });
    await execute("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], { env });
  } catch (cause) {
    throw new Error("There is no Chromium: set CHROMIUM_PATH, or let root run this on Debian.", { cause });
  }
  return "/usr/bin/chromium";
}
