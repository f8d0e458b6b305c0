import { DatabaseSync } from "node:sqlite";

const schema = `
  CREATE TABLE IF NOT EXISTS tickets (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, customer TEXT NOT NULL, subject TEXT NOT NULL,
    description TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'open'
  ) STRICT;
  CREATE TABLE IF NOT EXISTS outbox (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, recipient TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL
  ) STRICT;
`;

/** A ticket, as its customer sees it. */
export interface Ticket {
  readonly id: number;
  readonly subject: string;
  readonly description: string;
  readonly status: string;
}

/** An email that waits in the outbox: this example sends nothing. */
export interface Email {
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
}

/** The support desk's tickets and outgoing emails in a SQLite database. What has the same key is written once. */
export class Desk implements Disposable {
  readonly #database: DatabaseSync;

  /** @param path - A file, or `":memory:"`. */
  constructor(path = ":memory:") {
    this.#database = new DatabaseSync(path, { timeout: 2_000 });
    this.#database.exec(schema);
  }

  /** Writes a ticket and gives back its number. */
  open(
    customer: string,
    { subject, description }: Pick<Ticket, "subject" | "description">,
    key: string,
  ): number {
    const insert = `INSERT INTO tickets (key, customer, subject, description) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`;
    this.#database.prepare(insert).run(key, customer, subject, description);
    return Number(this.#database.prepare("SELECT id FROM tickets WHERE key = ?").get(key)?.["id"]);
  }

  /** A customer's tickets, the newest first. */
  tickets(customer: string): readonly Ticket[] {
    const query = "SELECT id, subject, description, status FROM tickets WHERE customer = ? ORDER BY id DESC";
    return this.#database
      .prepare(query)
      .all(customer)
      .map(({ id, subject, description, status }) => ({
        id: Number(id),
        subject: String(subject),
        description: String(description),
        status: String(status),
      }));
  }

  /** Puts an email into the outbox. */
  send({ recipient, subject, body }: Email, key: string): void {
    const insert = `INSERT INTO outbox (key, recipient, subject, body) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`;
    this.#database.prepare(insert).run(key, recipient, subject, body);
  }

  /** The emails in the outbox, the oldest first. */
  outbox(): readonly Email[] {
    return this.#database
      .prepare("SELECT recipient, subject, body FROM outbox ORDER BY id")
      .all()
      .map(({ recipient, subject, body }) => ({
        recipient: String(recipient),
        subject: String(subject),
        body: String(body),
      }));
  }

  /** Closes the database. */
  [Symbol.dispose](): void {
    this.#database.close();
  }
}
