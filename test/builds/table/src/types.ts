/** Types that the functions of other files take. */

/** Where something is sent. */
export interface Address {
  street: string;
  /** Such as "Paris" */
  city: string;
  country?: Country;
}

/** Where we deliver. */
export type Country = "NL" | "FR" | "BE";

/** A line of an order. */
export interface Line {
  readonly sku: string;
  /** @minimum 1 @maximum 99 */
  readonly quantity: number;
}

/** What somebody wants. */
export interface Order {
  /** @minItems 1 */
  lines: Line[];
  to: Address;
  notes?: string[];
}

/** Some of many. */
export interface Page<Item> {
  items: Item[];
  cursor: string | null;
}

/** Colours, in an order of their own. */
export const colours = { Red: "red", Green: "green", Blue: "blue", Amber: "amber" } as const;

export type Colour = (typeof colours)[keyof typeof colours];

/** What can be drawn. */
export type Shape =
  | { kind: "circle"; radius: number }
  | { kind: "square"; side: number }
  | { kind: "text"; text: string; colour?: Colour };

/** A folder and what is in it. */
export interface Folder {
  name: string;
  folders: Folder[];
}

/** Where to go. */
export interface Trip {
  /** Where to */
  city: string;
  days?: number;
}
