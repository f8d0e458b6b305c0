/** Who somebody is. */
export declare enum Role {
  Owner = "owner",
  Admin = "admin",
  Guest = "guest",
}

export declare enum Level {
  Low = 0,
  Middle = 5,
  High = 10,
}

export declare enum Direction {
  North = 0,
  East = 1,
  South = 2,
  West = 3,
}

export declare enum Access {
  None = 0,
  Read = 1 << 0,
  Write = 1 << 1,
  Both = Read | Write,
}

export declare enum Answer {
  No = 0,
  Yes = "YES",
}

export declare enum Shift {
  Back = -1,
  Stay = 0,
  Forth = 1,
}

export declare enum Single {
  Sole = "sole",
}
