import { DatabaseSync, type SQLOutputValue } from "node:sqlite";

/** A flight; its price is in dollars. */
export interface Flight {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly departs: string;
  readonly price: number;
  readonly seatsLeft: number;
}

/** A seat that somebody booked. Flexible fares are paid back, basic ones are not. */
export interface Booking {
  readonly id: string;
  readonly customer: string;
  readonly tier: string;
  readonly fare: "flexible" | "basic";
  readonly paid: number;
  readonly status: "booked" | "cancelled";
  readonly flight: Flight;
}

type Row = Readonly<Record<string, SQLOutputValue>>;

const schema = `
  CREATE TABLE IF NOT EXISTS flights (id TEXT PRIMARY KEY, origin TEXT NOT NULL, destination TEXT NOT NULL,
    departs TEXT NOT NULL, price INTEGER NOT NULL, seats_left INTEGER NOT NULL CHECK (seats_left >= 0)) STRICT;
  CREATE TABLE IF NOT EXISTS bookings (id TEXT PRIMARY KEY, customer TEXT NOT NULL, tier TEXT NOT NULL,
    fare TEXT NOT NULL CHECK (fare IN ('flexible', 'basic')), paid INTEGER NOT NULL,
    flight TEXT NOT NULL REFERENCES flights (id),
    status TEXT NOT NULL DEFAULT 'booked' CHECK (status IN ('booked', 'cancelled'))) STRICT;
  CREATE TABLE IF NOT EXISTS payments (booking TEXT PRIMARY KEY REFERENCES bookings (id),
    kind TEXT NOT NULL CHECK (kind IN ('refund', 'credits')), amount INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS moves (booking TEXT NOT NULL REFERENCES bookings (id),
    flight TEXT NOT NULL REFERENCES flights (id)) STRICT;
  CREATE TABLE IF NOT EXISTS bags (tag TEXT PRIMARY KEY, booking TEXT NOT NULL REFERENCES bookings (id),
    place TEXT, searched INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE IF NOT EXISTS cases (booking TEXT NOT NULL REFERENCES bookings (id),
    outcome TEXT NOT NULL CHECK (outcome IN ('resolved', 'escalated')), reason TEXT NOT NULL) STRICT;
`;

const seed = `
  INSERT OR IGNORE INTO flights VALUES
    ('SK1919', 'LGA', 'LAX', '2031-05-21T15:00', 400, 12),
    ('SK1920', 'LGA', 'LAX', '2031-05-20T15:00', 380, 1),
    ('SK1921', 'LGA', 'LAX', '2031-05-22T09:30', 450, 30),
    ('SK1922', 'LGA', 'LAX', '2031-05-22T18:00', 520, 0),
    ('SK2001', 'BOS', 'SFO', '2031-06-02T08:00', 300, 4);
  INSERT OR IGNORE INTO bookings (id, customer, tier, fare, paid, flight) VALUES
    ('A1', 'James Howe', 'gold', 'flexible', 420, 'SK1919'),
    ('B2', 'Ada Byron', 'silver', 'basic', 290, 'SK2001'),
    ('C3', 'Max Weber', 'none', 'basic', 310, 'SK1919'),
    ('D4', 'Eve Moss', 'gold', 'flexible', 400, 'SK1919');
  INSERT OR IGNORE INTO bags (tag, booking, place) VALUES
    ('T100', 'A1', 'Denver'), ('T101', 'A1', NULL), ('T200', 'B2', 'Boston'), ('T300', 'C3', NULL);
`;

/** An airline in a SQLite database. What it does, it does whole or not at all. */
export class Airline {
  readonly #database: DatabaseSync;

  /** @param file - Seeded if it is new. Without one, the database is temporary and goes with the process. */
  constructor(file = "") {
    this.#database = new DatabaseSync(file);
    this.#database.exec(schema + seed);
  }

  /** @throws Error for an unknown booking. */
  booking(id: string): Booking {
    const [row] = this.#rows("SELECT * FROM bookings WHERE id = ?", id);
    if (!row) throw new Error(`there is no booking ${id}`);
    return {
      id,
      customer: String(row["customer"]),
      tier: String(row["tier"]),
      fare: row["fare"] === "flexible" ? "flexible" : "basic",
      paid: Number(row["paid"]),
      status: row["status"] === "booked" ? "booked" : "cancelled",
      flight: this.flight(String(row["flight"])),
    };
  }

  /** @throws Error for an unknown flight. */
  flight(id: string): Flight {
    const [row] = this.#rows("SELECT * FROM flights WHERE id = ?", id);
    if (!row) throw new Error(`there is no flight ${id}`);
    return flightOf(row);
  }

  /** Flights on the same route that have seats left. */
  alternatives(bookingId: string): Flight[] {
    const { flight } = this.booking(bookingId);
    return this.#rows(
      "SELECT * FROM flights WHERE origin = ? AND destination = ? AND id <> ? AND seats_left > 0 ORDER BY departs",
      flight.from,
      flight.to,
      flight.id,
    ).map(flightOf);
  }

  /**
   * Cancels a booking: the seat is free again, and what was paid comes back, as money or as credits.
   * @returns the amount.
   * @throws Error for a booking that is cancelled, and for a refund of a basic fare.
   */
  cancel(bookingId: string, kind: "refund" | "credits"): number {
    return this.#whole(() => {
      const { fare, flight, paid } = this.#booked(bookingId);
      if (kind === "refund" && fare === "basic") {
        throw new Error(`${bookingId} has a basic fare, which is not paid back: offer flight credits`);
      }
      this.#run("UPDATE bookings SET status = 'cancelled' WHERE id = ?", bookingId);
      this.#run("UPDATE flights SET seats_left = seats_left + 1 WHERE id = ?", flight.id);
      this.#run("INSERT INTO payments VALUES (?, ?, ?)", bookingId, kind, paid);
      return paid;
    });
  }

  /**
   * Moves a booking to another flight on the same route.
   * @throws Error for a basic fare, another route, and a flight without seats.
   */
  change(bookingId: string, flightId: string): Flight {
    return this.#whole(() => {
      const { fare, flight } = this.#booked(bookingId);
      if (fare === "basic") throw new Error(`${bookingId} has a basic fare, which cannot be changed`);
      const other = this.flight(flightId);
      if (other.id === flight.id) throw new Error(`${bookingId} is on ${flightId} already`);
      if (other.from !== flight.from || other.to !== flight.to) {
        throw new Error(`${flightId} flies from ${other.from} to ${other.to}, another route`);
      }
      if (other.seatsLeft === 0) throw new Error(`${flightId} is full`);
      this.#run("UPDATE flights SET seats_left = seats_left + 1 WHERE id = ?", flight.id);
      this.#run("UPDATE flights SET seats_left = seats_left - 1 WHERE id = ?", flightId);
      this.#run("UPDATE bookings SET flight = ? WHERE id = ?", flightId, bookingId);
      this.#run("INSERT INTO moves VALUES (?, ?)", bookingId, flightId);
      return other;
    });
  }

  /**
   * Looks for a bag of a booking.
   * @returns where it was found, if it was.
   * @throws Error for a tag that is not one of the booking's.
   */
  searchBag(bookingId: string, tag: string): string | undefined {
    const [row] = this.#rows("SELECT place FROM bags WHERE booking = ? AND tag = ?", bookingId, tag);
    if (!row) throw new Error(`${bookingId} has no bag with the tag ${tag}`);
    this.#run("UPDATE bags SET searched = 1 WHERE tag = ?", tag);
    return row["place"] === null ? undefined : String(row["place"]);
  }

  /** Closes the customer's case, or leaves it to a person. */
  closeCase(bookingId: string, outcome: "resolved" | "escalated", reason: string): void {
    this.#run("INSERT INTO cases VALUES (?, ?, ?)", this.booking(bookingId).id, outcome, reason);
  }

  /** What has been done since the seed, a line each: for tests and evaluations. */
  changes(): string[] {
    const queries = [
      "SELECT id || ' is ' || status AS line FROM bookings WHERE status <> 'booked' ORDER BY id",
      "SELECT booking || ' gets ' || kind || ' of ' || amount AS line FROM payments ORDER BY booking",
      "SELECT booking || ' flies ' || flight AS line FROM moves ORDER BY rowid",
      "SELECT tag || ' was searched for' AS line FROM bags WHERE searched = 1 ORDER BY tag",
      "SELECT booking || ' ' || outcome AS line FROM cases ORDER BY booking",
    ];
    return queries.flatMap((query) => this.#rows(query).map(({ line }) => String(line)));
  }

  close(): void {
    this.#database.close();
  }

  #booked(id: string): Booking {
    const booking = this.booking(id);
    if (booking.status === "cancelled") throw new Error(`${id} is cancelled already`);
    return booking;
  }

  #whole<T>(work: () => T): T {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const value = work();
      this.#database.exec("COMMIT");
      return value;
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  #rows(query: string, ...values: readonly (string | number)[]): readonly Row[] {
    return this.#database.prepare(query).all(...values);
  }

  #run(query: string, ...values: readonly (string | number)[]): void {
    this.#database.prepare(query).run(...values);
  }
}

function flightOf(row: Row): Flight {
  return {
    id: String(row["id"]),
    from: String(row["origin"]),
    to: String(row["destination"]),
    departs: String(row["departs"]),
    price: Number(row["price"]),
    seatsLeft: Number(row["seats_left"]),
  };
}
