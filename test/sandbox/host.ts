import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandbox, type ExecResult, type SandboxOptions } from "skein/sandbox";

/** What no program in a box may come to see. */
export const secret = "b7f2c1-secret-of-the-host";

/** A machine with something to reach: files, a process, servers. */
export interface Host {
  /** The folder that boxes have. */
  readonly root: string;
  /** A folder beside it. */
  readonly outside: string;
  /** A process that does nothing, with the secret in its environment. */
  readonly victim: ChildProcess;
  readonly port: number;
  /** The name of an abstract socket. */
  readonly abstract: string;
  /** How many connections its servers have had. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

export async function startHost(): Promise<Host> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skein-host-")));
  const root = join(folder, "root");
  const outside = join(folder, "outside");
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, "id_rsa"), secret);
  // For all users: what keeps programs from it is their box.
  for (const path of [folder, outside]) chmodSync(path, 0o755);
  chmodSync(root, 0o777);
  const victim = spawn("sleep", ["1000"], { env: { SECRET: secret }, stdio: "ignore" });
  let connections = 0;
  const servers: Server[] = [];
  const listen = (address: { readonly port: number; readonly host: string } | string): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer((socket) => {
        connections += 1;
        socket.end(secret);
      });
      servers.push(server);
      server.listen(address, () => resolve(server));
    });
  const tcp = await listen({ port: 0, host: "0.0.0.0" });
  await listen(join(root, "socket"));
  const abstract = `skein-${process.pid}-${Date.now()}`;
  await listen(`\0${abstract}`);
  const address = tcp.address();
  return {
    root,
    outside,
    victim,
    abstract,
    port: typeof address === "object" && address ? address.port : 0,
    connections: () => connections,
    close: async () => {
      victim.kill("SIGKILL");
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a line of bash in a box that may write the folder. */
export function attempt(root: string, line: string, options: SandboxOptions = {}): Promise<ExecResult> {
  return sandbox.open({ ...attemptOptions(root), ...options }).exec(attemptLine(root, line));
}

/** What a box of an attempt may use. */
export function attemptOptions(root: string): SandboxOptions {
  return { write: [root], timeout: 20_000, memoryMb: 128, processes: 64 };
}

/** The program of an attempt. */
export function attemptLine(root: string, line: string): readonly string[] {
  return ["bash", "-c", `cd ${root}; ${line}`];
}

type CallName = "ptrace" | "readMemory" | "memfd" | "shmget" | "keyctl" | "bpf" | "syslog" | "ring";

/** Numbers of system calls that the tests make. */
const systemCalls: Readonly<Record<CallName, number>> =
  process.arch === "arm64"
    ? { ptrace: 117, readMemory: 270, memfd: 279, shmget: 194, keyctl: 219, bpf: 280, syslog: 116, ring: 425 }
    : { ptrace: 101, readMemory: 310, memfd: 319, shmget: 29, keyctl: 250, bpf: 321, syslog: 103, ring: 425 };

/** A line of bash that makes a system call and prints its error. */
export function systemCall(name: CallName, args: string): string {
  return `perl -e 'my $r = syscall(${systemCalls[name]}, ${args}); print $r < 0 ? "refused: $!" : "done"'`;
}

/** A line of bash that opens a socket of a family. */
export function openSocket(family: number, type = 1): string {
  return `perl -e 'print socket(my $s, ${family}, ${type}, 0) ? "done" : "refused: $!"'`;
}
