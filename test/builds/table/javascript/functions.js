/** The functions of `src/functions.ts`, their types in comments. */
import { got } from "./witness.js";

/**
 * Get the weather.
 * @param {string} city - City name, such as "Paris"
 * @param {number} days - How many days
 */
export function weather(city, days) {
  return got(city, days);
}

/**
 * Search the catalogue.
 * @param {string} query
 * @param {number} [limit]
 * @param {"new" | "old"} [sort]
 * @param {boolean} [exact]
 */
export function search(query, limit = 10, sort = "new", exact = false) {
  return got(query, limit, sort, exact);
}

/**
 * Book a table.
 * @param {number} guests - How many come @integer @minimum 1 @maximum 12
 * @param {string} [phone] - How to reach them @pattern ^[0-9]+$
 */
export async function book(guests, phone) {
  return got(guests, phone);
}

/**
 * Ship an order.
 * @param {import("./types.ts").Order} order
 */
export function ship(order) {
  return got(order);
}

/**
 * Show a page of orders.
 * @param {import("./types.ts").Page<import("./types.ts").Order>} page
 * @param {import("./types.ts").Page<number>["items"]} first
 */
export function show(page, first) {
  return got(page, first);
}

/**
 * Convert a weight.
 * @param {number} amount
 * @param {"stone" | "kg" | "lb" | "g"} to
 */
export const convert = (amount, to) => got(amount, to);

/**
 * Paint a wall.
 * @param {"red" | "green" | "blue" | "amber"} colour
 * @param {1 | 2 | 4} walls
 */
export const paint = async (colour, walls) => got(colour, walls);

/**
 * Draw shapes.
 * @param {import("./types.ts").Shape[]} shapes
 */
export const draw = function drawShapes(shapes) {
  return got(shapes);
};

/**
 * Set a reminder.
 * @param {Date} at
 * @param {bigint} id
 * @param {URL} link
 * @param {Map<string, number>} prices
 * @param {Set<string>} tags
 */
export function remind(at, id, link, prices, tags) {
  return got(at.getTime(), `${id}n`, link.hostname, [...prices.entries()], [...tags]);
}

/**
 * Plan a trip.
 * @param {import("./types.ts").Trip} trip
 */
export function plan({ city, days = 3 }) {
  return got(city, days);
}

/**
 * Join words.
 * @param {string} separator
 * @param {...string} words
 */
export function join(separator, ...words) {
  return got(separator, words);
}

/**
 * Find people.
 * @param {string | null} name
 * @param {number} [age]
 * @param {string | null} [team]
 */
export function find(name, age, team = null) {
  return got(name, age, team);
}

/**
 * Count files.
 * @param {import("./types.ts").Folder} folder
 * @param {[number, number]} depths
 */
export function count(folder, depths) {
  return got(folder, depths);
}

/**
 * Store anything.
 * @param {`${string}:${number}`} key
 * @param {unknown} value
 * @param {Record<string, number>} scores
 */
export function store(key, value, scores) {
  return got(key, value, scores);
}

/** Answer. */
export function ping() {
  return got("ping");
}

/**
 * Watch a file.
 * @param {string} file
 * @param {number} [times]
 */
export async function* watch(file, times = 1) {
  yield times;
  return got(file, times);
}

/**
 * Pick a few.
 * @template {"a" | "b"} Key
 * @param {Key[]} keys
 * @param {Partial<Pick<import("./types.ts").Trip, "days">>} order
 */
export function pick(keys, order) {
  return got(keys, order);
}
