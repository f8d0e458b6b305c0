import { DatabaseSync } from "node:sqlite";

const schema = `
  CREATE TABLE IF NOT EXISTS customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers, product TEXT NOT NULL,
    euros INTEGER NOT NULL, ordered_on TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS credits (
    key TEXT PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers, euros INTEGER NOT NULL, reason TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

const seed = `
  INSERT INTO customers VALUES
    (1, 'Ada Park', 'Oslo'), (2, 'Ben Ruiz', 'Oslo'), (3, 'Chi Wen', 'Bergen'), (4, 'Dana Holm', 'Bergen'), (5, 'Eli Roth', 'Tromso');
  INSERT INTO orders VALUES
    (1, 1, 'Rain jacket', 80, '2026-01-12'), (2, 1, 'Canvas bag', 35, '2026-03-02'), (3, 2, 'Wool scarf', 25, '2026-02-20'),
    (4, 3, 'Hiking boots', 120, '2026-02-01'), (5, 3, 'Felt hat', 45, '2025-11-30'), (6, 4, 'Rain jacket', 80, '2026-03-09'),
    (7, 5, 'Hiking boots', 120, '2026-03-11'), (8, 5, 'Wool scarf', 25, '2026-03-11');
`;

/** Who buys. */
export interface Customer {
  id: number;
  name: string;
  city: string;
}

/** What somebody has bought. */
export interface Order {
  id: number;
  customerId: number;
  product: string;
  euros: number;
  /** Such as 2026-03-09. */
  orderedOn: string;
}

/** A shop in a SQLite database. */
export class Shop implements Disposable {
  readonly #database: DatabaseSync;

  /** @param path - A file, or `":memory:"`; a new one is filled with customers and orders. */
  constructor(path = ":memory:") {
    this.#database = new DatabaseSync(path);
    this.#database.exec(schema);
    if (this.customers().length === 0) this.#database.exec(`BEGIN; ${seed} COMMIT`);
  }

  customers(city?: string): Customer[] {
    const query = "SELECT id, name, city FROM customers WHERE city = coalesce(?, city) ORDER BY id";
    return this.#database
      .prepare(query)
      .all(city ?? null)
      .map((row) => ({ id: Number(row["id"]), name: String(row["name"]), city: String(row["city"]) }));
  }

  /** @param since - A date such as 2026-01-01 */
  orders(customerId: number, since = ""): Order[] {
    const query = "SELECT * FROM orders WHERE customer_id = ? AND ordered_on >= ? ORDER BY id";
    return this.#database
      .prepare(query)
      .all(customerId, since)
      .map((row) => ({
        id: Number(row["id"]),
        customerId: Number(row["customer_id"]),
        product: String(row["product"]),
        euros: Number(row["euros"]),
        orderedOn: String(row["ordered_on"]),
      }));
  }

  /** Gives a credit, once for each key. */
  credit(customerId: number, euros: number, reason: string, key: string): void {
    const query = "INSERT INTO credits VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";
    this.#database.prepare(query).run(key, customerId, euros, reason);
  }

  /** The credits that were given, as texts. */
  credits(): string[] {
    const query =
      "SELECT name, euros FROM credits JOIN customers ON customers.id = customer_id ORDER BY customer_id";
    return this.#database
      .prepare(query)
      .all()
      .map((row) => `${String(row["name"])}: ${String(row["euros"])}`);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
