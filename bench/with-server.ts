import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Gives `use` the address of a server that runs as long as it is used. */
export async function withServer<T>(use: (address: string) => Promise<T>): Promise<T> {
  const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)));
  try {
    const [port] = await once(server, "message");
    return await use(`http://127.0.0.1:${String(port)}`);
  } finally {
    server.kill();
  }
}
