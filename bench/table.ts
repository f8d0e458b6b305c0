/** One line of the table. */
export interface Row {
  readonly what: string;
  readonly unit: "us" | "ms" | "KB" | "x" | "";
  /** The same, written by hand; over HTTP with `fetch`. */
  readonly floor?: number;
  /** The same by hand with `node:http`, for information. */
  readonly lowFloor?: number;
  readonly skein: number;
  /** Between which values the middle half of the ratios lies. */
  readonly quartiles?: readonly [low: number, high: number];
  /** What is held to a limit; a row without one is for information. */
  readonly limit?: {
    readonly of: "skein" | "ratio" | "difference";
    readonly most: number;
  };
}

/** The figure of a row that its limit is about. */
export function judged({ floor = 0, skein, limit }: Row): number {
  if (limit?.of === "ratio") return skein / floor;
  return limit?.of === "difference" ? skein - floor : skein;
}

/** Whether a row is within its limit. A figure that could not be measured is not. */
export function holds(row: Row): boolean {
  return row.limit === undefined || judged(row) <= row.limit.most;
}

/** The rows as text, under a heading, in columns. */
export function table(rows: readonly Row[]): string {
  const heading = ["", "by hand", "node:http", "skein", "ratio", "quartiles", "at most", ""];
  const lines = [heading, ...rows.map(cells)];
  const widths = heading.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0, column))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function cells(row: Row): string[] {
  const { what, unit, floor, lowFloor, skein, quartiles, limit } = row;
  const quantity = (value: number): string => `${round(value)}${unit === "" ? "" : ` ${unit}`}`;
  return [
    what,
    floor === undefined ? "" : quantity(floor),
    lowFloor === undefined ? "" : quantity(lowFloor),
    quantity(skein),
    floor === undefined ? "" : `${round(skein / floor)} x`,
    quartiles ? quartiles.map(round).join(" to ") : "",
    limit ? bound(limit, quantity) : "",
    limit ? (holds(row) ? "ok" : "OVER") : "",
  ];
}

function bound({ of, most }: NonNullable<Row["limit"]>, quantity: (value: number) => string): string {
  if (of === "ratio") return `${most} x`;
  return of === "difference" ? `+${quantity(most)}` : quantity(most);
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 || column === 7 ? cell.padEnd(width) : cell.padStart(width);
}

function round(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
