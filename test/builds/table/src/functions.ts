/** Functions as users write them. */
import type { Colour, Folder, Order, Page, Shape, Trip } from "./types.ts";
import { got } from "./witness.ts";

/**
 * Get the weather.
 * @param city - City name, such as "Paris"
 * @param days - How many days
 */
export function weather(city: string, days: number): string {
  return got(city, days);
}

/** Search the catalogue. */
export function search(query: string, limit = 10, sort: "new" | "old" = "new", exact = false): string {
  return got(query, limit, sort, exact);
}

/**
 * Book a table.
 * @param guests - How many come @integer @minimum 1 @maximum 12
 * @param phone - How to reach them @pattern ^[0-9]+$
 */
export async function book(guests: number, phone?: string): Promise<string> {
  return got(guests, phone);
}

/** Ship an order. */
export function ship(order: Order): string {
  return got(order);
}

/** Show a page of orders. */
export function show(page: Page<Order>, first: Page<number>["items"]): string {
  return got(page, first);
}

/** Convert a weight. */
export const convert = (amount: number, to: "stone" | "kg" | "lb" | "g"): string => got(amount, to);

/** Paint a wall. */
export const paint = async (colour: Colour, walls: 1 | 2 | 4): Promise<string> => got(colour, walls);

/** Draw shapes. */
export const draw = function drawShapes(shapes: Shape[]): string {
  return got(shapes);
};

/** Set a reminder. */
export function remind(
  at: Date,
  id: bigint,
  link: URL,
  prices: Map<string, number>,
  tags: Set<string>,
): string {
  return got(at.getTime(), `${id}n`, link.hostname, [...prices.entries()], [...tags]);
}

/** Plan a trip. */
export function plan({ city, days = 3 }: Trip): string {
  return got(city, days);
}

/** Join words. */
export function join(separator: string, ...words: string[]): string {
  return got(separator, words);
}

/** Find people. */
export function find(name: string | null, age?: number, team: string | null = null): string {
  return got(name, age, team);
}

/** Count files. */
export function count(folder: Folder, depths: [number, number]): string {
  return got(folder, depths);
}

/** Store anything. */
export function store(key: `${string}:${number}`, value: unknown, scores: Record<string, number>): string {
  return got(key, value, scores);
}

/** Answer. */
export function ping(): string {
  return got("ping");
}

/** Watch a file. */
export async function* watch(file: string, times = 1): AsyncGenerator<number, string> {
  yield times;
  return got(file, times);
}

/** Pick a few. */
export function pick<Key extends "a" | "b">(keys: Key[], order: Partial<Pick<Trip, "days">>): string {
  return got(keys, order);
}
