import { once } from "node:events";
import { createServer } from "node:http";

/** How late the parcels of orders are; those of other orders are delivered in time. */
const late: Readonly<Record<number, { readonly status: string; readonly daysLate: number }>> = {
  2: { status: "in-transit", daysLate: 3 },
  4: { status: "delivered", daysLate: 2 },
  7: { status: "lost", daysLate: 9 },
};

/** A carrier that answers requests. */
export interface Carrier {
  readonly url: string;
  readonly close: () => void;
}

/** Serves the API of `carrier.json` on a free port of this machine. It keeps no process alive. */
export async function serveCarrier(): Promise<Carrier> {
  const server = createServer((request, response) => {
    const orderId = Number(/^\/shipments\/(\d+)$/.exec(request.url ?? "")?.[1]);
    const isThere = request.method === "GET" && orderId >= 1 && orderId <= 8;
    const shipment = { orderId, status: "delivered", daysLate: 0, ...late[orderId] };
    response
      .writeHead(isThere ? 200 : 404, { "content-type": "application/json" })
      .end(JSON.stringify(isThere ? shipment : { error: "The order has no shipment." }));
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
