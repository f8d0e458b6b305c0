// What a Durable Object has of `DurableObjectState`: https://developers.cloudflare.com/durable-objects/api/sqlite-storage-api/

/** The context of a Durable Object whose storage is SQLite: `this.ctx`. */
export interface DurableObjectContext {
  readonly id: {
    /** The id as a text. */
    toString(): string;
  };
  readonly storage: DurableObjectStorage;
}

/** The storage of a Durable Object. */
export interface DurableObjectStorage {
  readonly sql: {
    /** Executes statements. */
    exec(
      query: string,
      ...bindings: (string | number | null)[]
    ): {
      /** The rows that the last of them returns. */
      toArray(): Readonly<Record<string, unknown>>[];
    };
  };
  /** Does all of it or nothing. */
  transactionSync<T>(work: () => T): T;
  /** When the object is woken, in milliseconds since 1970. */
  setAlarm(time: number): Promise<void>;
  /** Has the object not woken. */
  deleteAlarm(): Promise<void>;
  /** Waits until what was written is stored for good. */
  sync(): Promise<void>;
}

/** How often an alarm has failed before. */
export interface AlarmInfo {
  readonly retryCount: number;
}
