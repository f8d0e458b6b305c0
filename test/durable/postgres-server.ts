/** A PostgreSQL server of its own for tests: on this machine, a free port, in a temporary folder. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { setTimeout as sleep } from "node:timers/promises";

/** A server that runs. */
export interface PostgresServer {
  readonly url: string;
  /** Creates a database, and returns its address. */
  newDatabase(): Promise<string>;
  /** Ends all of its processes at once, as a machine that fails does. */
  kill(): Promise<void>;
  /** Ends the connections of all others. */
  cutConnections(): Promise<void>;
  /** Starts it again, with what was on the disk. */
  start(): Promise<void>;
  /** Ends it, and deletes its folder. */
  stop(): Promise<void>;
}

/** Starts a server. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = findPrograms();
  const folder = mkdtempSync(join(tmpdir(), "skein-postgres-"));
  const port = await freePort();
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const prefix = isRoot ? ["runuser", "-u", "postgres", "--"] : [];
  if (isRoot) {
    const id = (option: string): number =>
      Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
    chownSync(folder, id("-u"), id("-g"));
  }
  const data = join(folder, "data");
  const initdb = [...prefix, join(programs, "initdb"), "-D", data, "-U", "skein", "-A", "trust", "--no-sync"];
  execFileSync(initdb[0] ?? "", initdb.slice(1), { stdio: "ignore" });
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const command = [...prefix, join(programs, "postgres"), "-D", data, "-p", String(port)];
    const options = ["-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=${folder}`];
    const isReady = Promise.withResolvers<void>();
    server = spawn(command[0] ?? "", [...command.slice(1), ...options, "-c", "max_connections=200"], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    server.stderr?.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("ready to accept connections")) isReady.resolve();
    });
    server.once("exit", (code) => isReady.reject(new Error(`PostgreSQL ended with ${String(code)}.`)));
    await isReady.promise;
  };
  const kill = async (): Promise<void> => {
    const ended = server && server.exitCode === null ? once(server, "exit") : undefined;
    // All that belong to it: also those that serve connections.
    signalAll("KILL", data);
    await ended;
    rmSync(join(data, "postmaster.pid"), { force: true });
    // The port is free a moment later.
    await sleep(100);
  };
  await start();
  let databases = 0;
  const address = `postgres://skein@127.0.0.1:${port}`;
  let killer: Client | undefined;
  const stopKiller = async (): Promise<void> => {
    await killer?.end().catch(() => {});
    killer = undefined;
  };
  return {
    cutConnections: async () => {
      if (!killer) {
        killer = new Client({ connectionString: `${address}/postgres` });
        await killer.connect();
      }
      await killer.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
      );
    },
    newDatabase: async () => {
      const client = new Client({ connectionString: `${address}/postgres` });
      await client.connect();
      const name = `test_${(databases += 1)}`;
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return `${address}/${name}`;
    },
    url: `${address}/postgres`,
    kill,
    start,
    stop: async () => {
      await stopKiller();
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function signalAll(signal: string, data: string): void {
  const [main] = execFileSync("cat", [join(data, "postmaster.pid")], { encoding: "utf8" }).split("\n");
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", main ?? ""], { encoding: "utf8" });
  const pids = [main ?? "", ...children.trim().split(/\s+/)].filter((pid) => pid !== "");
  for (const pid of pids)
    try {
      execFileSync("kill", ["-s", signal, pid], { stdio: "ignore" });
    } catch {
      // It has ended meanwhile.
    }
}

function findPrograms(): string {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  const [newest] = versions;
  if (newest === undefined) throw new Error("There is no PostgreSQL here: apt-get install postgresql");
  return join(root, newest, "bin");
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => void probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}
