/** Programs that serve durable runs to Restate, which tests start and kill, behind one address. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import type { EndpointOptions } from "./restate-process.ts";
import { freePort } from "./restate-server.ts";

/** A program that serves. */
export interface Endpoint {
  readonly process: ChildProcess;
  readonly port: number;
}

const children = new Set<ChildProcess>();

/** Ends all programs that were started and live. */
export function killEndpoints(): void {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
}

/** Starts a program, and waits until it serves. */
export async function startEndpoint(
  ingress: string,
  effects: string,
  options: EndpointOptions = {},
): Promise<Endpoint> {
  const port = await freePort();
  const script = join(import.meta.dirname, "restate-process.ts");
  const source = join(import.meta.dirname, "../from-source.ts");
  const args = ["--import", source, script, String(port), ingress, effects, JSON.stringify(options)];
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, RESTATE_LOGGING: "ERROR" },
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  return { process: child, port };
}

/** An address that leads to one program or another, as a load balancer's does. */
export interface Address {
  readonly url: string;
  /** Has new connections lead to a port. */
  leadTo(port: number): void;
  /** Ends all connections. */
  cut(): void;
  close(): void;
}

/** Opens an address. */
export async function openAddress(): Promise<Address> {
  let target = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    const other = connect(target, "127.0.0.1");
    for (const [end, peer] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(end);
      end.once("close", () => {
        sockets.delete(end);
        peer.destroy();
      });
      // What breaks is closed.
      end.on("error", () => {});
      end.pipe(peer);
    }
  });
  const port = await freePort();
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    leadTo: (port) => void (target = port),
    cut,
    close: () => {
      server.close();
      cut();
    },
  };
}
