import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** What the shop sells; prices are in euros. */
export const products: Readonly<Record<string, number>> = { Mug: 7, Scarf: 25, Lamp: 40 };

/** An order that a visitor has placed. */
export interface Order {
  readonly name: string;
  readonly items: readonly string[];
  readonly total: number;
}

/** What a visitor of the shop has done. */
export interface Visit {
  basket: readonly string[];
  readonly orders: Order[];
}

/** A shop for one visitor, as pages of a browser. */
export interface Shop {
  readonly url: string;
  readonly visit: Visit;
  readonly close: () => void;
}

/** Serves the shop on a free port of this machine. It keeps no process alive. */
export async function serveShop(): Promise<Shop> {
  const visit: Visit = { basket: [], orders: [] };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://shop");
    const form = new URLSearchParams(request.method === "POST" ? await text(request) : "");
    const target = request.method === "POST" ? act(visit, pathname, form) : undefined;
    // After a form comes a page of its own, so that to load it again does nothing twice.
    if (target !== undefined) return void response.writeHead(303, { location: target }).end();
    const body = pages[pathname]?.(visit);
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
    response.end(
      `<!doctype html><html lang="en"><title>Goose Goods</title><a href="/">Shop</a> <a href="/basket">Basket</a>
${body ?? "<p>There is no such page.</p>"}</html>`,
    );
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`,
    visit,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Does what a form asks for, and says which page comes next. */
function act(visit: Visit, pathname: string, form: URLSearchParams): string {
  const [product, name] = [form.get("product") ?? "", (form.get("name") ?? "").trim()];
  if (pathname === "/add" && Object.hasOwn(products, product)) visit.basket = [...visit.basket, product];
  if (pathname === "/empty") visit.basket = [];
  if (pathname !== "/order" || visit.basket.length === 0) return "/basket";
  if (name === "") return "/name";
  visit.orders.push({ name, items: visit.basket, total: totalOf(visit.basket) });
  visit.basket = [];
  return "/thanks";
}

const pages: Readonly<Record<string, (visit: Visit) => string>> = {
  "/": () =>
    `<h1>Goose Goods</h1>\n${Object.entries(products)
      .map(
        ([name, price]) => `<form method="post" action="/add"><p>${name}: ${price} euros</p>
<input type="hidden" name="product" value="${name}"><button>Add ${name}</button></form>`,
      )
      .join("\n")}`,
  "/basket": ({ basket }) =>
    basket.length === 0
      ? "<h1>Basket</h1>\n<p>The basket is empty.</p>"
      : `<h1>Basket</h1>\n${orderForm(basket)}`,
  "/name": ({ basket }) => `<h1>Basket</h1>\n<p>Please tell your name.</p>\n${orderForm(basket)}`,
  "/thanks": ({ orders }) => {
    const last = orders.at(-1);
    return last
      ? `<h1>Thank you!</h1>\n<p>Order ${orders.length}: ${last.items.join(", ")}, ${last.total} euros.</p>`
      : "<p>Nothing is ordered.</p>";
  },
};

function orderForm(basket: readonly string[]): string {
  return `<p>${basket.join(", ")}: ${totalOf(basket)} euros</p>
<form method="post" action="/order"><input name="name" aria-label="Your name"><button>Place the order</button></form>
<form method="post" action="/empty"><button>Empty the basket</button></form>`;
}

function totalOf(basket: readonly string[]): number {
  return basket.reduce((total, name) => total + (products[name] ?? 0), 0);
}
