/** Servers of frameworks: each is started on a free port of this computer, asked, and stopped. */
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";

/** Starts a server in a folder, and does something with it. */
export async function serve(
  folder: string,
  command: string,
  work: (address: string) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const [program = "", ...args] = command.split(" ");
  const env = {
    ...process.env,
    PORT: `${port}`,
    HOST: "127.0.0.1",
    HOSTNAME: "127.0.0.1",
    SKEIN_MODEL: "offline",
    NEXT_TELEMETRY_DISABLED: "1",
    ASTRO_TELEMETRY_DISABLED: "1",
    NUXT_TELEMETRY_DISABLED: "1",
  };
  // In a group of its own: a server starts others.
  const server = spawn(program, args, { cwd: folder, env, detached: true, stdio: ["ignore", 2, 2] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  try {
    await work(`http://127.0.0.1:${port}`);
  } finally {
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, "SIGTERM");
    await ended;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("No port is free.");
  return address.port;
}

/** The text of a route. The server may still be starting. */
export async function read(url: string, attempts = 100): Promise<string> {
  const response = await fetch(url).catch(() => undefined);
  if (response === undefined && attempts > 0) {
    await setTimeout(200);
    return read(url, attempts - 1);
  }
  const text = (await response?.text()) ?? "no answer";
  if (!response?.ok) throw new Error(`${url}: ${response?.status} ${text.slice(0, 2_000)}`);
  return text;
}
