import { DatabaseSync } from "node:sqlite";

/** Amounts are in cents. */
const schema = `
  CREATE TABLE IF NOT EXISTS users (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, wallet INTEGER NOT NULL CHECK (wallet >= 0)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS products (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL, stock INTEGER NOT NULL CHECK (stock >= 0)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS orders (
    id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users, product_id INTEGER NOT NULL REFERENCES products,
    quantity INTEGER NOT NULL CHECK (quantity > 0), total INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS payments (
    id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders, amount INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS refunds (
    order_id INTEGER PRIMARY KEY REFERENCES orders, reason TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS notifications (
    id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users, channel TEXT NOT NULL, message TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS done (key TEXT PRIMARY KEY, receipt TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

const seed = `
  INSERT INTO users VALUES
    (1, 'Ada Park', 'ada@example.com', 30000), (2, 'Ben Ruiz', 'ben@example.com', 4000), (3, 'Chi Wen', 'chi@example.com', 0);
  INSERT INTO products VALUES
    (1, 'Wool scarf', 2500, 12), (2, 'Rain jacket', 8000, 5), (3, 'Hiking boots', 12000, 2),
    (4, 'Canvas bag', 3500, 8), (5, 'Felt hat', 4500, 1), (6, 'Linen shirt', 5500, 0);
  INSERT INTO orders VALUES (1, 1, 2, 1, 8000), (2, 1, 4, 2, 7000), (3, 2, 1, 1, 2500);
  INSERT INTO payments VALUES (1, 1, 8000), (2, 2, 7000), (3, 3, 2500);
`;

/** A row of a table. */
type Row = Readonly<Record<string, string | number>>;

/** How a customer is told something. */
export type Channel = "email" | "sms";

/** A shop in a SQLite database. What changes it happens wholly or not at all, and once for each key. */
export class Shop implements Disposable {
  readonly #database: DatabaseSync;

  /** @param path - A file, or `":memory:"`; a new one is filled with customers, products and orders. */
  constructor(path = ":memory:") {
    // A busy database is an error at once: the call can be repeated without blocking the program.
    this.#database = new DatabaseSync(path, { timeout: 0 });
    // Readers do not wait for writers.
    this.#database.exec("PRAGMA journal_mode = WAL");
    this.#database.exec(schema);
    if (this.rows("SELECT 1 FROM users").length === 0) this.#database.exec(`BEGIN; ${seed} COMMIT`);
  }

  /** What a query finds. */
  rows(query: string, ...values: readonly (string | number)[]): readonly Row[] {
    const plain = (value: unknown): string | number => (typeof value === "number" ? value : String(value));
    return this.#database
      .prepare(query)
      .all(...values)
      .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
  }

  /** A customer's name, and the euros in the wallet. */
  customer(userId: number): Row {
    const customer = this.#find("SELECT name, wallet / 100.0 AS euros FROM users WHERE id = ?", userId);
    if (!customer) throw new Error(`there is no customer ${userId}`);
    return customer;
  }

  /** The products, or those whose names have the word. */
  products(word = ""): readonly Row[] {
    const query =
      "SELECT id, name, price / 100.0 AS price, stock FROM products WHERE instr(lower(name), lower(?))";
    return this.rows(query, word);
  }

  /** What a customer has bought. */
  orders(userId: number): readonly Row[] {
    return this.rows(
      `SELECT orders.id, name AS product, quantity, total / 100.0 AS total, reason IS NOT NULL AS refunded
       FROM orders JOIN products ON products.id = product_id LEFT JOIN refunds ON order_id = orders.id
       WHERE user_id = ? ORDER BY orders.id`,
      userId,
    );
  }

  /** Sells a product to a customer: stock, wallet, order and payment change together. */
  buy(userId: number, productId: number, quantity: number, key: string): string {
    return this.#once(key, () => {
      const product = this.#find("SELECT name, price, stock FROM products WHERE id = ?", productId);
      if (!product) throw new Error(`there is no product ${productId}`);
      const total = Number(product["price"]) * quantity;
      const taken = "UPDATE products SET stock = stock - ? WHERE id = ? AND stock >= ?";
      if (this.#run(taken, quantity, productId, quantity) === 0)
        throw new Error(`only ${product["stock"]} of ${product["name"]} are left`);
      const paid = "UPDATE users SET wallet = wallet - ? WHERE id = ? AND wallet >= ?";
      if (this.#run(paid, total, userId, total) === 0)
        throw new Error(`the wallet holds less than ${euros(total)}`);
      this.#run("INSERT INTO orders VALUES (NULL, ?, ?, ?, ?)", userId, productId, quantity, total);
      const id = Number(this.#find("SELECT last_insert_rowid() AS id")?.["id"]);
      this.#run("INSERT INTO payments VALUES (NULL, ?, ?)", id, total);
      return `Order ${id}: ${quantity} x ${product["name"]}, ${euros(total)}.`;
    });
  }

  /** Takes an order back: refund, payment, wallet and stock change together. */
  refund(userId: number, orderId: number, reason: string, key: string): string {
    return this.#once(key, () => {
      const query = "SELECT product_id, quantity, total FROM orders WHERE id = ? AND user_id = ?";
      const order = this.#find(query, orderId, userId);
      if (!order) throw new Error(`this customer has no order ${orderId}`);
      if (this.#find("SELECT 1 FROM refunds WHERE order_id = ?", orderId))
        throw new Error(`order ${orderId} is refunded already`);
      const total = Number(order["total"]);
      this.#run("INSERT INTO refunds VALUES (?, ?)", orderId, reason);
      this.#run("INSERT INTO payments VALUES (NULL, ?, ?)", orderId, -total);
      this.#run("UPDATE users SET wallet = wallet + ? WHERE id = ?", total, userId);
      const returned = "UPDATE products SET stock = stock + ? WHERE id = ?";
      this.#run(returned, Number(order["quantity"]), Number(order["product_id"]));
      return `Order ${orderId} is refunded: ${euros(total)} are back in the wallet.`;
    });
  }

  /** Notes down what a customer is to be told. */
  notify(userId: number, channel: Channel, message: string, key: string): string {
    return this.#once(key, () => {
      this.#run("INSERT INTO notifications VALUES (NULL, ?, ?, ?)", userId, channel, message);
      return `The customer will be told by ${channel}: ${message}`;
    });
  }

  /** Closes the database. */
  [Symbol.dispose](): void {
    this.#database.close();
  }

  /** Does all of the work or nothing; where it was done under this key before, gives back the receipt of that time. */
  #once(key: string, work: () => string): string {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const before = this.#find("SELECT receipt FROM done WHERE key = ?", key);
      const receipt = before ? String(before["receipt"]) : work();
      if (!before) this.#run("INSERT INTO done VALUES (?, ?)", key, receipt);
      this.#database.exec("COMMIT");
      return receipt;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  #find(query: string, ...values: readonly (string | number)[]): Row | undefined {
    return this.rows(query, ...values)[0];
  }

  #run(statement: string, ...values: readonly (string | number)[]): number {
    return Number(this.#database.prepare(statement).run(...values).changes);
  }
}

/** Whether another process was writing to the database: what failed may succeed a moment later. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}

function euros(cents: number): string {
  return `${(cents / 100).toFixed(2)} euros`;
}
