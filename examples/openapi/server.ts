import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

/** A pet; its price is in euros. */
export interface Pet {
  readonly id: number;
  name: string;
  readonly kind: string;
  price: number;
  status: "available" | "sold";
  readonly vaccinations: string[];
}

/** Who buys pets. */
export interface Customer {
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

/** A pet that was sold. */
export interface Order {
  readonly id: number;
  readonly petId: number;
  readonly customerId: number;
  status: "placed" | "cancelled";
}

/** All that the shop knows. */
export interface PetShop {
  pets: Pet[];
  readonly customers: Customer[];
  readonly orders: Order[];
}

/** The shop as it opens. */
export function openShop(): PetShop {
  const pet = (id: number, name: string, kind: string, price: number, ...vaccinations: string[]): Pet => ({
    id,
    name,
    kind,
    price,
    status: "available",
    vaccinations,
  });
  return {
    pets: [
      pet(1, "Rex", "dog", 400, "rabies", "distemper"),
      pet(2, "Luna", "cat", 150, "rabies"),
      pet(3, "Polly", "parrot", 90),
      pet(4, "Hops", "rabbit", 35),
      pet(5, "Bella", "dog", 350),
      { ...pet(6, "Tom", "cat", 120), status: "sold" },
    ],
    customers: [
      { id: 1, name: "Ada Young", email: "ada@example.com" },
      { id: 2, name: "Ben Old", email: "ben@example.com" },
    ],
    orders: [{ id: 1, petId: 6, customerId: 2, status: "placed" }],
  };
}

/** A request as the operations see it. */
interface PetCall {
  readonly shop: PetShop;
  /** The number in the path. */
  readonly id: number;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A refusal, told to the client. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const operations: Readonly<Record<string, (call: PetCall) => unknown>> = {
  "GET /pets": ({ shop, query }) =>
    shop.pets
      .filter(({ kind }) => (query.get("kind") ?? kind) === kind)
      .filter(({ status }) => (query.get("status") ?? status) === status)
      .filter(({ price }) => price <= Number(query.get("maxPrice") ?? Number.POSITIVE_INFINITY))
      .sort((one, other) => one.price - other.price),
  "POST /pets": ({ shop, body }) => {
    const [name, kind] = [text(body, "name"), text(body, "kind")];
    const pet: Pet = {
      id: 0,
      name,
      kind,
      price: number(body, "price"),
      status: "available",
      vaccinations: [],
    };
    return added(shop.pets, pet);
  },
  "GET /pets/#": ({ shop, id }) => found(shop.pets, "pet", id),
  "PATCH /pets/#": ({ shop, id, body }) => {
    const pet = found(shop.pets, "pet", id);
    if (body["name"] !== undefined) pet.name = text(body, "name");
    if (body["price"] !== undefined) pet.price = number(body, "price");
    return pet;
  },
  "DELETE /pets/#": ({ shop, id }) => {
    if (found(shop.pets, "pet", id).status === "sold") throw new Refusal(409, `pet ${id} is in an order`);
    shop.pets = shop.pets.filter((pet) => pet.id !== id);
    return undefined;
  },
  "GET /pets/#/vaccinations": ({ shop, id }) => found(shop.pets, "pet", id).vaccinations,
  "POST /pets/#/vaccinations": ({ shop, id, body }) => {
    const pet = found(shop.pets, "pet", id);
    pet.vaccinations.push(text(body, "disease"));
    return pet;
  },
  "GET /stock": ({ shop }) => {
    const available = shop.pets.filter(({ status }) => status === "available");
    const kinds = new Set(available.map(({ kind }) => kind));
    return Object.fromEntries(
      [...kinds].map((kind) => [kind, available.filter((pet) => pet.kind === kind).length]),
    );
  },
  "GET /customers": ({ shop, query }) => {
    const part = (query.get("name") ?? "").toLowerCase();
    return shop.customers.filter(({ name }) => name.toLowerCase().includes(part));
  },
  "POST /customers": ({ shop, body }) =>
    added(shop.customers, { id: 0, name: text(body, "name"), email: text(body, "email") }),
  "GET /customers/#": ({ shop, id }) => found(shop.customers, "customer", id),
  "GET /orders": ({ shop, query }) =>
    shop.orders
      .filter(({ customerId }) => Number(query.get("customerId") ?? customerId) === customerId)
      .filter(({ status }) => (query.get("status") ?? status) === status),
  "POST /orders": ({ shop, body }) => {
    const pet = found(shop.pets, "pet", number(body, "petId"));
    const customer = found(shop.customers, "customer", number(body, "customerId"));
    if (pet.status === "sold") throw new Refusal(409, `${pet.name} is sold already`);
    pet.status = "sold";
    return added(shop.orders, { id: 0, petId: pet.id, customerId: customer.id, status: "placed" });
  },
  "GET /orders/#": ({ shop, id }) => found(shop.orders, "order", id),
  "POST /orders/#/cancel": ({ shop, id }) => {
    const order = found(shop.orders, "order", id);
    if (order.status === "cancelled") throw new Refusal(409, `order ${id} is cancelled already`);
    order.status = "cancelled";
    found(shop.pets, "pet", order.petId).status = "available";
    return order;
  },
};

function found<T extends { readonly id: number }>(list: readonly T[], what: string, id: number): T {
  const entry = list.find((each) => each.id === id);
  if (!entry) throw new Refusal(404, `there is no ${what} ${id}`);
  return entry;
}

function added<T extends { readonly id: number }>(list: T[], entry: T): T {
  const numbered = { ...entry, id: Math.max(0, ...list.map(({ id }) => id)) + 1 };
  list.push(numbered);
  return numbered;
}

function text(body: PetCall["body"], name: string): string {
  const value = body[name];
  if (typeof value !== "string" || value === "") throw new Refusal(400, `${name} must be a text`);
  return value;
}

function number(body: PetCall["body"], name: string): number {
  const value = body[name];
  if (typeof value !== "number" || value < 0) throw new Refusal(400, `${name} must be a number from 0 on`);
  return value;
}

/** A shop that answers requests. */
export interface ServedShop {
  readonly url: string;
  readonly close: () => void;
}

/** Serves the API of `api.yaml` on a free port of this machine. It keeps no process alive. */
export async function serveShop(shop: PetShop): Promise<ServedShop> {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://shop");
    const operation = operations[`${request.method} ${pathname.replace(/\d+/, "#")}`];
    const answer = (status: number, value: unknown): void =>
      void response
        .writeHead(status, { "content-type": "application/json" })
        .end(value === undefined ? "" : JSON.stringify(value));
    try {
      if (!operation) throw new Refusal(404, `there is no ${request.method} ${pathname}`);
      const body = request.headers["content-type"] === "application/json" ? await json(request) : {};
      const call = { shop, id: Number(/\d+/.exec(pathname)?.[0]), query, body: Object(body) };
      const value = operation(call);
      answer(value === undefined ? 204 : 200, value);
    } catch (error) {
      if (error instanceof Refusal) answer(error.status, { error: error.message });
      else answer(400, { error: "the body is not JSON" });
    }
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
