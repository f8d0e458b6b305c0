import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Stands between a client and a server, and breaks connections. */
export interface Proxy {
  readonly url: string;
  /** How many bytes the server has answered so far. */
  readonly bytes: number;
  /** How many connections have been opened so far. */
  readonly connections: number;
  /** Breaks the next connection that answers, once it has passed on a number of bytes from now on. */
  cutAfter(bytes: number): void;
  /** Breaks every connection that is opened from now on, once it has passed on a number of bytes. */
  cutEach(bytes: number): void;
  /** Breaks connections as soon as they are opened: the next ones, as many. */
  refuse(connections: number): void;
  /** Passes on nothing more of what the server answers, without a word, over the connections that are open. */
  freeze(): void;
  close(): Promise<void>;
}

/** Opens a proxy for a server on 127.0.0.1. */
export async function openProxy(target: string): Promise<Proxy> {
  const { port } = new URL(target);
  const sockets = new Set<Socket>();
  let [allowed, allowedEach, refusals, bytes, connections, freezes] = [Infinity, Infinity, 0, 0, 0, 0];
  const server = createServer((client) => {
    connections += 1;
    track(client);
    if (refusals > 0) {
      refusals -= 1;
      client.destroy();
      return;
    }
    const frozenBefore = freezes;
    let rest = allowedEach;
    const upstream = track(connect(Number(port), "127.0.0.1"));
    client.pipe(upstream);
    upstream.on("data", (chunk) => {
      if (freezes > frozenBefore) return;
      const part = chunk.subarray(0, Math.min(chunk.length, allowed, rest));
      bytes += part.length;
      rest -= part.length;
      allowed -= part.length;
      if (part.length === chunk.length) {
        client.write(part);
        return;
      }
      allowed = Infinity;
      client.end(part);
      upstream.destroy();
    });
    upstream.on("close", () => client.end());
    client.on("close", () => upstream.destroy());
  });
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.setNoDelay(true);
    return socket;
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const own = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${own}`,
    get bytes() {
      return bytes;
    },
    get connections() {
      return connections;
    },
    cutAfter: (count) => void (allowed = count),
    cutEach: (count) => void (allowedEach = count),
    refuse: (count) => void (refusals = count),
    freeze: () => void (freezes += 1),
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
