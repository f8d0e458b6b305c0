/** Restate servers of their own for tests: on this machine, free ports, in a temporary folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A server, or one of a cluster. */
export interface RestateServer {
  readonly ingress: string;
  readonly admin: string;
  /** Has it call what is served at an address. */
  register(address: string): Promise<void>;
  /** Ends it at once, as a machine that fails does. */
  kill(): Promise<void>;
  /** Starts it again, with what was on the disk. */
  start(): Promise<void>;
  /** Ends it, and deletes its folder. */
  stop(): Promise<void>;
}

/** What of a server's configuration a test sets, such as `RESTATE_WORKER__INVOKER__ABORT_TIMEOUT`. */
export type RestateConfiguration = Readonly<Record<string, string>>;

/** Starts a server. */
export async function startRestate(configuration: RestateConfiguration = {}): Promise<RestateServer> {
  const server = await newServer("node-1", await freePorts(), {
    RESTATE_AUTO_PROVISION: "true",
    ...configuration,
  });
  await server.start();
  return server;
}

/** Starts three servers, which keep everything twice. */
export async function startCluster(
  configuration: RestateConfiguration = {},
): Promise<readonly RestateServer[]> {
  const all = [await freePorts(), await freePorts(), await freePorts()];
  const addresses = all.map(([port]) => `http://127.0.0.1:${port}`);
  const servers = await Promise.all(
    all.map((ports, index) =>
      newServer(`node-${index + 1}`, ports, {
        RESTATE_CLUSTER_NAME: "test",
        RESTATE_AUTO_PROVISION: String(index === 0),
        RESTATE_DEFAULT_REPLICATION: "2",
        RESTATE_ADVERTISED_ADDRESS: addresses[index] ?? "",
        RESTATE_METADATA_CLIENT__ADDRESSES: JSON.stringify(addresses),
        ...configuration,
      }),
    ),
  );
  await Promise.all(servers.map((server) => server.start()));
  return servers;
}

type Ports = readonly [number, number, number];

async function newServer(
  name: string,
  [port, adminPort, ingressPort]: Ports,
  configuration: RestateConfiguration,
): Promise<RestateServer> {
  const folder = mkdtempSync(join(tmpdir(), "skein-restate-"));
  const [admin, ingress] = [`http://127.0.0.1:${adminPort}`, `http://127.0.0.1:${ingressPort}`];
  let server: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    const ended =
      server && server.exitCode === null && server.signalCode === null ? once(server, "exit") : undefined;
    server?.kill("SIGKILL");
    await ended;
  };
  return {
    ingress,
    admin,
    register: async (uri) => {
      const { ok, status, body } = await post(`${admin}/deployments`, { uri, force: true });
      if (!ok) throw new Error(`Restate did not register ${uri} (${status}): ${body}`);
    },
    kill,
    start: async () => {
      server = spawn(program(), [], {
        stdio: ["ignore", "ignore", process.env["SKEIN_RESTATE_LOG"] ? "inherit" : "ignore"],
        env: {
          RESTATE_BASE_DIR: folder,
          RESTATE_NODE_NAME: name,
          RESTATE_LISTEN_MODE: "tcp",
          RESTATE_BIND_ADDRESS: `127.0.0.1:${port}`,
          RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${adminPort}`,
          RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingressPort}`,
          RESTATE_DEFAULT_NUM_PARTITIONS: "4",
          RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: "256 MiB",
          RESTATE_ADMIN__DISABLE_WEB_UI: "true",
          RESTATE_DISABLE_TELEMETRY: "true",
          RESTATE_LOG_FILTER: "warn",
          ...configuration,
        },
      });
      await Promise.all([isUp(`${admin}/health`), isUp(`${ingress}/restate/health`)]);
    },
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function post(url: string, body: object): Promise<{ ok: boolean; status: number; body: string }> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return { ok: response.ok, status: response.status, body: await response.text() };
}

async function isUp(url: string): Promise<void> {
  for (;;) {
    const isOk = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isOk) return;
    await sleep(50);
  }
}

function program(): string {
  const require = createRequire(import.meta.url);
  const server = require.resolve("@restatedev/restate-server/package.json");
  // What it installs for this machine.
  const manifest = createRequire(server).resolve(
    `@restatedev/restate-server-${process.platform}-${process.arch}/package.json`,
  );
  return join(dirname(manifest), "bin", "restate-server");
}

async function freePorts(): Promise<Ports> {
  return [await freePort(), await freePort(), await freePort()];
}

/** A port of this machine that nothing listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => void probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}
